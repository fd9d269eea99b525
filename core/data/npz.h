// Archives of arrays: NumPy's .npz, a zip whose members are .npy files. What a member is called is a name and never a path.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/data/error.h"
#include "core/data/npy.h"

namespace ts::data {

class Npz {
 public:
  // Refused where two members have one name: nobody could say which is meant.
  static std::variant<Npz, Error> open(const std::string& path, std::uint64_t most_bytes = kMostArrayBytes);
  Npz(Npz&&) noexcept;
  Npz& operator=(Npz&&) noexcept;
  ~Npz();

  // Without their .npy, in the order of the archive. Members that are no arrays are left out.
  const std::vector<std::string>& names() const;
  // However small it is in the archive, unpacking ends at `most_bytes`.
  std::variant<Array, Error> read(const std::string& name, std::uint64_t most_bytes = kMostArrayBytes) const;

 private:
  struct Opened;
  explicit Npz(std::unique_ptr<Opened> opened);
  std::unique_ptr<Opened> opened_;
};

struct NpzPlace {
  std::string archive, name;  // empty name: the only one
};
// "all.npz:x" or "x.npz"; nothing: it is another file.
std::optional<NpzPlace> place_in_npz(std::string_view path);
std::variant<Array, Error> read_npz_array(const std::string& archive, const std::string& name,
                                          std::uint64_t most_bytes = kMostArrayBytes);

}  // namespace ts::data

// Things by their type, each made when it is first asked for.
#pragma once

#include <map>
#include <memory>
#include <typeindex>

namespace ts::ui {

class Kept {
 public:
  template <class T>
  T& of() {
    std::shared_ptr<void>& thing = things_[typeid(T)];
    if (thing == nullptr) thing = std::make_shared<T>();
    return *static_cast<T*>(thing.get());
  }

 private:
  std::map<std::type_index, std::shared_ptr<void>> things_;
};

}  // namespace ts::ui

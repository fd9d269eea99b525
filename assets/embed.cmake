# Writes a C++ file that holds other files: cmake -DOUT=file.cpp -DROOT=folder -DFILES="a;b" -P embed.cmake
set(rows "")
set(texts "")
set(number 0)
foreach(file IN LISTS FILES)
  file(READ ${ROOT}/${file} text)
  string(APPEND texts "constexpr char kFile${number}[] = R\"embedded(${text})embedded\";\n")
  string(APPEND rows "    {\"${file}\", {kFile${number}, sizeof kFile${number} - 1}},\n")
  math(EXPR number "${number} + 1")
endforeach()
file(WRITE ${OUT} "// Made by assets/embed.cmake.\n#include \"app/files/embedded.h\"\n\nnamespace ts {\nnamespace {\n\n${texts}\n"
     "constexpr EmbeddedFile kFiles[] = {\n${rows}};\n\n}  // namespace\n\n"
     "std::span<const EmbeddedFile> embedded_files() { return kFiles; }\n\n}  // namespace ts\n")

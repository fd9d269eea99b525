# Writes a C++ file that holds other files: cmake -DOUT=file.cpp -DROOT=folder -DFILES="a;b" -DHEADER=.. -DNAMESPACE=..
# -DTYPE=.. -DFUNCTION=.. -P embed.cmake; HEADER declares the function that gives them out, and the type of one.
set(rows "")
set(texts "")
set(number 0)
foreach(file IN LISTS FILES)
  file(READ ${ROOT}/${file} text)
  string(APPEND texts "constexpr char kFile${number}[] = R\"embedded(${text})embedded\";\n")
  string(APPEND rows "    {\"${file}\", {kFile${number}, sizeof kFile${number} - 1}},\n")
  math(EXPR number "${number} + 1")
endforeach()
file(WRITE ${OUT} "// Made by assets/embed.cmake.\n#include \"${HEADER}\"\n\nnamespace ${NAMESPACE} {\nnamespace {\n\n${texts}\n"
     "constexpr ${TYPE} kFiles[] = {\n${rows}};\n\n}  // namespace\n\n"
     "std::span<const ${TYPE}> ${FUNCTION}() { return kFiles; }\n\n}  // namespace ${NAMESPACE}\n")

# Writes the template headers as rows of TemplateText.cpp's table: {name, R"(text)"}.
#   cmake -DOUTPUT=file -DHEADERS="a.h;b.h" -P EmbedTemplates.cmake
set(rows "")
foreach(header ${HEADERS})
  file(READ "${header}" text)
  get_filename_component(name "${header}" NAME)
  string(APPEND rows "{\"${name}\", R\"mpispec(${text})mpispec\"},\n")
endforeach()
file(CONFIGURE OUTPUT "${OUTPUT}" CONTENT "${rows}" @ONLY)

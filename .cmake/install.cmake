# `cmake --install build/release --prefix ...`: the program, which has samples, lessons and pages in it, what a desktop needs
# to know it by, and files for people to read and change.
include(GNUInstallDirs)

install(TARGETS tilescope RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES assets/desktop/tilescope.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
install(FILES assets/desktop/tilescope.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)
install(FILES assets/desktop/tilescope.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages)
install(FILES README.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY samples assets/manual DESTINATION ${CMAKE_INSTALL_DATADIR}/tilescope)

// A function without a body, as that of the linkname in endpoints.go, compiles only beside an assembly file.

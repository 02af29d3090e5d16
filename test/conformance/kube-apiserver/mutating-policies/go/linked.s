// An assembly file allows compile.go to declare a function without a body.

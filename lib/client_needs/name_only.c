/* All of a library that a client's loader asks for by name and that the client takes no function from. */
static const char note[] __attribute__((used)) = "pyaclnn: this library exists for loaders that ask for its name";

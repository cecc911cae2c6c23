"""Writes the C source of the Python extension pyaclnn._native: everything that the public headers declare."""

from cffi import FFI
from public_headers import generator_arguments, start_generator


def main() -> None:
    arguments = generator_arguments(__doc__).parse_args()
    headers = start_generator(arguments)
    ffi = FFI()
    ffi.set_source("pyaclnn._native", headers.include_lines())
    ffi.cdef("".join(headers.declarations.values()))
    ffi.cdef("".join(f"#define {name} ...\n" for name in headers.constants))
    ffi.emit_c_code(str(arguments.output))


if __name__ == "__main__":
    main()

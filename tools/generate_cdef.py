"""Writes the C source of the Python extension pyaclnn._native: everything that the public headers declare."""

from cffi import FFI
from public_headers import generator_arguments, start_generator


def main() -> None:
    arguments = generator_arguments(__doc__).parse_args()
    headers = start_generator(arguments)
    ffi = FFI()
    # Weak: a toolkit need not have all that the headers declare. Only what is missing must not be called then.
    weak = "".join(f"#pragma weak {name}\n" for name in headers.functions())
    ffi.set_source("pyaclnn._native", headers.include_lines() + weak)
    ffi.cdef("".join(headers.declarations.values()))
    ffi.cdef("".join(f"#define {name} ...\n" for name in headers.constants))
    ffi.emit_c_code(str(arguments.output))


if __name__ == "__main__":
    main()

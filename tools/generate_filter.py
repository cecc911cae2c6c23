"""Writes the C source of a filter library: a second name for a library of ours, with the same one state behind it.

A filter library is linked with -Wl,--filter=LIBRARY. Its own symbols satisfy the linker only; the dynamic loader takes
each of them from LIBRARY, also in dlsym(). A stub runs only where a loader ignores filters, and then stops the program.
"""

from public_headers import generator_arguments, start_generator

STUB = """
__attribute__((visibility("default"))) void {name}(void);
void {name}(void)
{{
	__builtin_trap();
}}
"""


def main() -> None:
    parser = generator_arguments(__doc__)
    parser.add_argument("--under", default="acl/", help="directory of the headers whose functions to name")
    arguments = parser.parse_args()
    headers = start_generator(arguments)
    arguments.output.write_text("".join(STUB.format(name=name) for name in headers.functions(arguments.under)))


if __name__ == "__main__":
    main()

"""Writes a C program that refers to every declared function: linking it proves that the libraries define them all."""

from public_headers import generator_arguments, start_generator

PROGRAM = """{includes}
typedef void (*function)(void);

/* marked as used: the references must survive the optimiser */
static const function declared[] __attribute__((used)) = {{
{references}}};

int main(void)
{{
	return 0;
}}
"""


def main() -> None:
    arguments = generator_arguments(__doc__).parse_args()
    headers = start_generator(arguments)
    references = "".join(f"\t(function){name},\n" for name in headers.functions())
    arguments.output.write_text(PROGRAM.format(includes=headers.include_lines(), references=references))


if __name__ == "__main__":
    main()

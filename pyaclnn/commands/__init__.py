"""The subcommands. Importing them loads neither the libraries nor numpy: ``--cflags`` works without."""

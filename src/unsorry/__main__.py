"""`python -m unsorry` is the command `unsorry`."""

from unsorry.cli import main

main()

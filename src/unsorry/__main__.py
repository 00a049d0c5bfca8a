"""`python -m unsorry`: the command, where its script is not on PATH."""

from unsorry.cli import main

if __name__ == "__main__":
    main()

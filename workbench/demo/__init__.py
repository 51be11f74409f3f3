"""A small chat gateway with known bugs in it: something to point the workbench at."""

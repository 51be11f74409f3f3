"""The places in source code that write into a prompt, whether they name a lane or not."""

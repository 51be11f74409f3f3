"""The lanes tab: who wrote each character of a request."""

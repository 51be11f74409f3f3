"""A recording reverse proxy on loopback: an app in any language is measured by changing its base URL."""

"""What a registry says that is not so."""

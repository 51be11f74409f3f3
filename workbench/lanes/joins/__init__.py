"""Where other text joins the user's message, and which router reads the two as one."""

"""The screen: state and commands without Textual, widgets that only draw them."""

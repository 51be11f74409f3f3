class ToolError(Exception):
    def __init__(self, messages):
        message = "failed: " + "; ".join(messages)
        super().__init__(message)

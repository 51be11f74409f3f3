from mcp.server.fastmcp import FastMCP
from mcp.server.fastmcp.prompts import base
app = FastMCP("x")
@app.prompt()
def debug(error: str):
    return [base.UserMessage("I see this error:"), base.UserMessage(error)]  # <- site

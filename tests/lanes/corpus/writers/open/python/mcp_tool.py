from mcp.server.fastmcp import FastMCP
from mcp.types import TextContent
app = FastMCP("sums")
@app.tool()
def add(a: int, b: int):
    return [TextContent(type="text", text=f"{a + b}")]

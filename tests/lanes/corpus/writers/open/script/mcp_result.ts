import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
export function register(server: McpServer) {
  server.tool('add', async ({ a, b }) => {
    return { content: [{ type: 'text', text: `sum ${a + b}` }] };
  });
}

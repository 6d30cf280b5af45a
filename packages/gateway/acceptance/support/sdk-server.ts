/**
 * A plain server of one of the official SDKs on standard streams, guarded by nothing: `sdk-server.ts v1|v2`. Only the one
 * that is asked for is loaded: tests start many of them.
 */
import { registerRest, registerTools } from '../../../server/acceptance/support/tools.ts';

const INFO = { name: 'plain', version: '1.0.0' };

if (process.argv[2] === 'v1') {
  const { McpServer } = await import('@modelcontextprotocol/sdk/server/mcp.js');
  const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js');
  const server = new McpServer(INFO);
  registerTools(server);
  registerRest(server, 'v1');
  await server.connect(new StdioServerTransport());
} else {
  const { McpServer } = await import('@modelcontextprotocol/server');
  const { StdioServerTransport } = await import('@modelcontextprotocol/server/stdio');
  const server = new McpServer(INFO);
  registerTools(server);
  registerRest(server, 'v2');
  await server.connect(new StdioServerTransport());
}

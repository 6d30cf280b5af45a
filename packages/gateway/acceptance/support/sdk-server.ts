/** A plain server of one of the official SDKs on standard streams, guarded by nothing: `sdk-server.ts v1|v2`. */
import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport as StdioServerTransportV1 } from '@modelcontextprotocol/sdk/server/stdio.js';
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { registerRest, registerTools } from '../../../server/acceptance/support/tools.ts';

const INFO = { name: 'plain', version: '1.0.0' };

if (process.argv[2] === 'v1') {
  const server = new McpServerV1(INFO);
  registerTools(server);
  registerRest(server, 'v1');
  await server.connect(new StdioServerTransportV1());
} else {
  const server = new McpServer(INFO);
  registerTools(server);
  registerRest(server, 'v2');
  await server.connect(new StdioServerTransport());
}

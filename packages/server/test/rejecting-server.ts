/** A server whose tool fails, and one of whose operator's functions rejects: named by the first argument. */

import { type GuardOptions, guard } from '@mayday/server';
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

const rejects = async (): Promise<never> => {
  throw new Error('the hook is broken');
};
const forgets = (): undefined => {
  void rejects();
};

const OPTIONS: { readonly [how: string]: object } = {
  onFault: { onFault: rejects },
  logger: { logger: { error: rejects, warn: rejects } },
  telemetry: { telemetry: { fault: rejects } },
  mapError: { mapError: rejects },
  correlationId: { correlationId: rejects },
  after: { guards: [{ name: 'g', after: rejects }] },
  result: { guards: [{ name: 'g', result: rejects }] },
  'forgets in onFault': { onFault: forgets },
  'forgets in mapError': { mapError: forgets },
  'forgets in correlationId': { correlationId: forgets },
};

const how = process.argv[2] ?? '';
const server = guard(new McpServer({ name: 's', version: '1' }), OPTIONS[how] as GuardOptions);
if (how === 'onerror') server.server.onerror = rejects;
server.registerTool('fails', {}, async () => {
  if (how === 'result') return { content: [] };
  throw new Error('boom');
});
await server.connect(new StdioServerTransport());

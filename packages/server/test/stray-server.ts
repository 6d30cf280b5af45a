/** A server whose tool forgets a promise: `plain`, `guarded`, `reported`, `left`, or with one from `outside`. */

import { type GuardOptions, guard } from '@mayday/server';
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod/v4';

const how = process.argv[2];
const options: { readonly [how: string]: GuardOptions } = {
  reported: {
    onFault: ({ fault, call, cause }) =>
      void process.stderr.write(JSON.stringify({ kind: fault.kind, name: call.name, cause: String(cause) })),
  },
  left: { unhandledRejections: 'leave' },
};

const plain = new McpServer({ name: 's', version: '1' });
const server = how === 'plain' ? plain : guard(plain, options[how ?? '']);

server.registerTool('forgets', {}, async () => {
  void new Promise((_resolve, reject) => setTimeout(() => reject(new Error('the mail was not sent')), 10));
  return { content: [{ type: 'text', text: 'done' }] };
});
server.registerTool('quotes', { inputSchema: z.object({ token: z.string() }) }, async ({ token }) => {
  void Promise.reject(new Error(`no access with ${token}`));
  return { content: [{ type: 'text', text: 'done' }] };
});
await server.connect(new StdioServerTransport());
if (how === 'outside') setTimeout(() => void Promise.reject(new Error('not of a handler')), 20);

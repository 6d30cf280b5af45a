/** A server that fails in every way there is, made of the real SDK, guarded or not. */
import { fault } from '@mayday/core';
import type { GuardOptions } from '@mayday/server';
import { guard } from '@mayday/server';
import {
  McpServer,
  type McpServerOptions,
  ProtocolError,
  ResourceTemplate,
  UrlElicitationRequiredError,
} from '@modelcontextprotocol/server';
import * as z from 'zod';

/** A connection string, as databases put it into their errors. */
export const SECRET = 'hunter2-S3cr3tPassw0rd';
/** What a driver throws: nothing in it says what went wrong. */
export const LEAK = `stage two broke at postgres://admin:${SECRET}@10.0.0.5:5432/prod`;

const cyclic: Record<string, unknown> = {};
cyclic['self'] = cyclic;

const text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] });

/** What a tool called `fails` does, by name. */
export const FAILURES: { readonly [how: string]: () => unknown } = {
  error: () => {
    throw new Error(LEAK);
  },
  string: () => {
    throw LEAK;
  },
  null: () => {
    throw null;
  },
  undefined: () => {
    throw undefined;
  },
  object: () => {
    throw { secret: SECRET };
  },
  mongo: () => {
    throw Object.assign(new Error(`E11000 dup key ${LEAK}`), { code: 11000, data: { secret: SECRET } });
  },
  enoent: () => {
    throw Object.assign(new Error(`ENOENT: no such file, open '/home/svc/${SECRET}'`), { code: 'ENOENT' });
  },
  protocol: () => {
    throw new ProtocolError(1429, 'Monthly plan limit reached', { retryAfterMs: 1500 });
  },
  reserved: () => {
    throw new ProtocolError(-32050, 'A code that belongs to the specification');
  },
  elicit: () => {
    throw new UrlElicitationRequiredError([
      { mode: 'url', message: 'Sign in', elicitationId: 'e1', url: 'https://example.com/sign-in' },
    ]);
  },
  fault: () => {
    throw fault.notFound('No order 4711', { subject: { type: 'order', id: '4711' } });
  },
  bigint: () => ({ ...text('big'), structuredContent: { n: 10n } }),
  cyclic: () => ({ ...text('round'), structuredContent: cyclic }),
  nothing: () => undefined,
  shape: () => ({ content: 'not a list' }),
  returned: () => ({ ...text(`Lookup failed: connect ECONNREFUSED ${LEAK}`), isError: true }),
  forever: () => new Promise(() => {}),
  slow: () => new Promise((resolve) => setTimeout(() => resolve(text('slow')), 150)),
  fine: () => text('fine'),
};

/** The server under test. */
export function failingServer(options?: GuardOptions | false, sdk?: McpServerOptions): McpServer {
  const plain = new McpServer({ name: 'failing', version: '1.0.0' }, sdk);
  const server = options === false ? plain : guard(plain, options);
  for (const [how, fail] of Object.entries(FAILURES)) {
    server.registerTool(how, { description: how }, fail as never);
    server.registerResource(how, `fails://${how}`, {}, fail as never);
    server.registerPrompt(how, { description: how }, fail as never);
    server.server.setRequestHandler(`acme/${how}`, { params: z.looseObject({}) }, fail as never);
  }
  server.registerTool(
    'args',
    {
      inputSchema: z.object({
        city: z.string(),
        days: z.number().int().min(1),
        unit: z.enum(['c', 'f']).optional(),
      }),
    },
    async ({ city }) => text(city),
  );
  server.registerTool('strict', { inputSchema: z.strictObject({ limit: z.number() }) }, async () =>
    text('ok'),
  );
  server.registerTool(
    'typed',
    { inputSchema: z.object({ how: z.string() }), outputSchema: z.object({ n: z.number() }) },
    (async ({ how }: { how: string }) => {
      if (how === 'throw') throw fault.conflict('The order is already shipped');
      return { ...text('x'), structuredContent: how === 'wrong' ? { n: 'NaN' } : { n: 1 } };
    }) as never,
  );
  server.registerTool('off', {}, async () => text('off')).disable();
  server.registerResource(
    'order',
    new ResourceTemplate('orders://{id}', { list: undefined }),
    {},
    async (uri) => ({
      contents: [{ uri: uri.href, text: 'an order' }],
    }),
  );
  server.registerPrompt('greet', { argsSchema: z.object({ name: z.string() }) }, async ({ name }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: name } }],
  }));
  return server;
}

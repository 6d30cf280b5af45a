/**
 * A server as anybody writes one: the official SDK and `guard(server, {dialect})`, nothing else.
 * `kit-server.ts <dialect> [port]`: on standard streams, or over HTTP on that port.
 */
import { createServer } from 'node:http';
import { fault } from '@mayday/core';
import { type GuardOptions, guard } from '@mayday/server';
import { guardHandler, nodeHandler } from '@mayday/server/http';
import { guardStdio } from '@mayday/server/stdio';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Wire } from './wire.ts';

const [dialect = 'mayday', port] = process.argv.slice(2);
const options = {
  dialect,
  deadlineMs: 900,
  logger: { error: (fields: object, message: string) => log(fields, message) },
} as GuardOptions;

function log(fields: object, message: string): void {
  const { err, ...rest } = fields as Record<string, Wire>;
  process.stderr.write(`${JSON.stringify({ message, cause: String(err?.stack ?? err), ...rest })}\n`);
}

const SECRET = 'stage two broke at postgres://svc:hunter2@10.0.0.5:5432/prod for jane.doe@example.com';

/** Everything that a handler can throw and that is no fault. */
const THROWN: Record<string, () => unknown> = {
  error: () => new Error('The flux capacitor is out of plutonium'),
  empty: () => new Error(),
  secret: () => new Error(SECRET),
  text: () => 'The flux capacitor is out of plutonium',
  nothing: () => undefined,
  null: () => null,
  object: () => ({ code: 11_000, message: 'E11000 duplicate key', host: '10.0.0.5' }),
  driver: () =>
    Object.assign(new Error('E11000 duplicate key'), { code: 11_000, data: { host: '10.0.0.5' } }),
};

/** The error that the onX document names, from wherever the library keeps it. */
async function adapterError(id: string, settings: Wire): Promise<unknown> {
  const onx: string = '@mayday/core/dialects/onx';
  const { AdapterError } = (await import(onx)) as Wire;
  return new AdapterError(id, settings);
}

function build(): McpServer {
  const server = guard(new McpServer({ name: 'kit', version: '1.0.0' }), options);
  server.registerTool(
    'book',
    {
      description: 'Books a seat.',
      inputSchema: z.object({ guest: z.object({ email: z.email() }), seats: z.int().min(1).max(9) }),
    },
    async ({ seats }) => ({ content: [{ type: 'text', text: `${seats} booked` }] }),
  );
  for (const [name, readOnlyHint] of [
    ['raise', false],
    ['raise_reading', true],
  ] as const) {
    server.registerTool(
      name,
      {
        inputSchema: z.object({ kind: z.string(), message: z.string(), options: z.any().optional() }),
        ...(readOnlyHint ? { annotations: { readOnlyHint } } : {}),
      },
      async ({ kind, message, options: settings }) => {
        throw (fault as Wire)[kind](message, settings);
      },
    );
  }
  server.registerTool(
    'say_reading',
    { inputSchema: z.object({ text: z.string() }), annotations: { readOnlyHint: true } },
    async ({ text }) => ({ content: [{ type: 'text', text }], isError: true }),
  );
  server.registerTool('throw', { inputSchema: z.object({ what: z.string() }) }, async ({ what }) => {
    throw THROWN[what]?.();
  });
  server.registerTool(
    'adapter',
    { inputSchema: z.object({ id: z.string(), options: z.any().optional() }) },
    async ({ id, options: settings }) => {
      throw await adapterError(id, settings);
    },
  );
  server.registerTool('parse', { inputSchema: z.object({}) }, async () => {
    const row = z.object({ total: z.number() }).parse({ total: 'twelve', owner: 'jane.doe@example.com' });
    return { content: [{ type: 'text', text: String(row.total) }] };
  });
  server.registerTool('hang', { inputSchema: z.object({}) }, () => new Promise<never>(() => undefined));
  server.registerTool('unspeakable', { inputSchema: z.object({}) }, async () => ({
    content: [{ type: 'text', text: 1n as unknown as string }],
  }));
  registerRest(server);
  return server;
}

function registerRest(server: McpServer): void {
  server.registerResource('note', 'note://hello', {}, async (uri) => ({
    contents: [{ uri: uri.href, text: 'hello' }],
  }));
  server.registerResource('broken', 'note://broken', {}, async () => {
    throw new Error(SECRET);
  });
  server.registerPrompt('greet', { argsSchema: z.object({ name: z.string() }) }, ({ name }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: `Greet ${name}` } }],
  }));
}

if (port === undefined) {
  await build().connect(
    guardStdio({ dialect: options.dialect as NonNullable<GuardOptions['dialect']> }) as Wire,
  );
} else {
  const handler = guardHandler(
    createMcpHandler(() => build()),
    options,
  );
  // The SDK's own adapter would refuse what is too large in words of its own.
  createServer(nodeHandler(handler, options)).listen(Number(port), '127.0.0.1');
}

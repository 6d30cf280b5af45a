/** The tools of a server that knows nothing of a dialect, for both SDKs. */
import { fault } from '@mayday/core';
import { AdapterError } from '@mayday/core/dialects/onx';
import { z } from 'zod';
import { thrown } from './thrown.ts';
import type { Wire } from './wire.ts';

/** Registers them all; `server` is an `McpServer` of either SDK. */
export function registerTools(server: Wire): void {
  server.registerTool(
    'book',
    {
      inputSchema: z.strictObject({
        guest: z.object({ email: z.string() }),
        seats: z.number().int().min(1).max(9),
      }),
    },
    async ({ seats }: Wire) => ({ content: [{ type: 'text', text: `${seats} booked` }] }),
  );
  server.registerTool(
    'fail',
    {
      inputSchema: z.object({ how: z.string(), message: z.string().optional() }),
      annotations: { readOnlyHint: true },
    },
    async ({ how, message }: Wire) => {
      throw thrown(how, message);
    },
  );
  server.registerTool(
    'raise',
    { inputSchema: z.object({ kind: z.string(), message: z.string(), options: z.any().optional() }) },
    async ({ kind, message, options }: Wire) => {
      throw (fault as Wire)[kind](message, options);
    },
  );
  server.registerTool(
    'adapter',
    { inputSchema: z.object({ id: z.string(), options: z.any().optional() }) },
    async ({ id, options }: Wire) => {
      throw new AdapterError(id, options);
    },
  );
  server.registerTool(
    'say',
    { inputSchema: z.object({ result: z.any() }) },
    async ({ result }: Wire) => result,
  );
  server.registerTool(
    'hang',
    { inputSchema: z.object({}), annotations: { readOnlyHint: true } },
    () => new Promise<never>(() => undefined),
  );
}

/** Two resources and a prompt; the SDKs take the prompt's arguments in different forms. */
export function registerRest(server: Wire, sdk: 'v1' | 'v2'): void {
  server.registerResource('note', 'note://hello', {}, async (uri: URL) => ({
    contents: [{ uri: uri.href, text: 'hello' }],
  }));
  server.registerResource('broken', 'note://broken', {}, async () => {
    throw thrown('secret');
  });
  const argsSchema: Wire = sdk === 'v1' ? { name: z.string() } : z.object({ name: z.string() });
  server.registerPrompt('greet', { argsSchema }, ({ name }: Wire) => ({
    messages: [{ role: 'user', content: { type: 'text', text: `Greet ${name}` } }],
  }));
}

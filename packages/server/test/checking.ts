/** Servers whose one tool checks its arguments itself, and what validators throw there. */
import { Server as ServerV1 } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { McpServer, Server } from '@modelcontextprotocol/server';
import type * as z from 'zod';
import { guard } from '../src/index.ts';
import type { Message } from '../src/shapes.ts';
import { error } from './thrown.ts';
import { connectRaw, faultIn, textOf } from './wire.ts';

export type Args = { readonly [name: string]: unknown } | undefined;
export type Check = (args: Args) => unknown;

export const INFO = { name: 's', version: '1' };
export const TOOLS = { capabilities: { tools: {} } };

/** A low-level server whose one tool checks its arguments like this. `undefined` lists nothing at all. */
export const LOW_LEVEL: { readonly [sdk: string]: (check: Check, inputSchema?: object) => McpServerLike } = {
  v1: (check, inputSchema) => {
    const server = guard(new ServerV1(INFO, TOOLS));
    server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
      await check(params.arguments);
      return { content: [] };
    });
    if (inputSchema !== undefined)
      server.setRequestHandler(ListToolsRequestSchema, async () => ({
        tools: [{ name: 't', inputSchema: inputSchema as { type: 'object' } }],
      }));
    return server;
  },
  v2: (check, inputSchema) => {
    const server = guard(new Server(INFO, TOOLS));
    server.setRequestHandler('tools/call', async ({ params }) => {
      await check(params.arguments);
      return { content: [] };
    });
    if (inputSchema !== undefined)
      server.setRequestHandler('tools/list', async () => ({
        tools: [{ name: 't', inputSchema: inputSchema as { type: 'object' } }],
      }));
    return server;
  },
};
export type McpServerLike = Parameters<typeof connectRaw>[0];

export const asked = async (server: McpServerLike, args: Args): Promise<Message> =>
  (await connectRaw(server)).ask('tools/call', { name: 't', ...(args && { arguments: args }) });

export const answeredBy = async (server: McpServerLike, args: Args): Promise<readonly [unknown, string]> => {
  const message = await asked(server, args);
  return [faultIn(message)['kind'], textOf({ message })];
};

/** A server whose one tool is registered with a schema, and checks its arguments once more. */
export const registered = (inputSchema: z.ZodType | undefined, check: Check): McpServerLike => {
  const server = guard(new McpServer(INFO));
  const config = inputSchema === undefined ? {} : { inputSchema: inputSchema as z.ZodObject };
  server.registerTool('t', config, async (args: unknown) => {
    await check(args as Args);
    return { content: [] };
  });
  return server;
};

export const waited = async (): Promise<void> => {
  await new Promise((resolve) => setTimeout(resolve, 1));
};

/** As Valibot throws it. */
export const valibot = (issue: object): Error => error('Invalid', { name: 'ValiError', issues: [issue] });
/** As Yup throws it, after it has waited for its own checks. */
export const yup =
  (message: string, path: string, type: string, params: object = {}): Check =>
  async (value) => {
    await waited();
    throw error(message, {
      name: 'ValidationError',
      value,
      path,
      type,
      params,
      errors: [message],
      inner: [],
    });
  };

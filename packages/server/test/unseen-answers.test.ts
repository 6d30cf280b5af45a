/** What handlers come back with that the guard does not see: it is an answer, or it is the server's fault. */
import { Server as ServerV1 } from '@modelcontextprotocol/sdk/server/index.js';
import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpServer, Server } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { guard } from '../src/index.ts';
import { connectRaw, faultIn } from './wire.ts';

type Connectable = { connect(transport: never): Promise<void> };

const INFO = { name: 's', version: '1' };
const CAPABILITIES = { capabilities: { tools: {}, resources: {}, prompts: {} } };

/** A server all of whose handlers come back with the same, and that the guard cannot see into. */
const UNSEEN: { readonly [name: string]: (value: unknown) => Connectable } = {
  'a fallback of v1': (value) => {
    const server = guard(new ServerV1(INFO, CAPABILITIES));
    server.fallbackRequestHandler = async () => value as never;
    return server;
  },
  'a fallback of v2': (value) => {
    const server = guard(new Server(INFO, CAPABILITIES));
    server.fallbackRequestHandler = async () => value as never;
    return server;
  },
  'an McpServer of v1 that is guarded late': (value) => {
    const server = new McpServerV1(INFO);
    server.registerTool('x', {}, async () => value as never);
    server.registerPrompt('x', {}, async () => value as never);
    server.registerResource('x', 'x://x', {}, async () => value as never);
    return guard(server);
  },
  'an McpServer of v2 that is guarded late': (value) => {
    const server = new McpServer(INFO);
    server.registerTool('x', {}, async () => value as never);
    server.registerPrompt('x', {}, async () => value as never);
    server.registerResource('x', 'x://x', {}, async () => value as never);
    return guard(server);
  },
};

const circular: { self?: unknown } = {};
circular.self = circular;

describe.each(Object.entries(UNSEEN))('%s', (_server, make) => {
  it.each([
    ['tools/call', { name: 'x', arguments: {} }],
    ['prompts/get', { name: 'x' }],
    ['resources/read', { uri: 'x://x' }],
  ])('that has nothing to say to %s is at fault', async (method, params) => {
    const { ask } = await connectRaw(make(undefined));
    expect(faultIn(await ask(method, params))).toMatchObject({ kind: 'invalid_output', retryable: false });
  });

  it.each([
    ['null', null],
    ['a text', 'done'],
    ['a list', []],
    ['another shape', { text: 'done' }],
    ['what cannot be written', { contents: [], more: circular }],
  ])('that answers a reader with %s is at fault', async (_name, value) => {
    const { ask } = await connectRaw(make(value));
    const answer = await ask('resources/read', { uri: 'x://x' });
    expect(faultIn(answer)).toMatchObject({ kind: 'invalid_output', executed: 'yes' });
  });

  it('that answers rightly is not touched', async () => {
    const contents = [{ uri: 'x://x', text: 'here' }];
    const { ask } = await connectRaw(make({ contents }));
    expect((await ask('resources/read', { uri: 'x://x' })).result).toMatchObject({ contents });
  });
});

it.each(['a fallback of v1', 'a fallback of v2'])(
  '%s may answer a method of its own with an empty object',
  async (name) => {
    const { ask } = await connectRaw(UNSEEN[name]?.({}) as Connectable);
    expect((await ask('acme/ping')).result).toEqual({});
  },
);

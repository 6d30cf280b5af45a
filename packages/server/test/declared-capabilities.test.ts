/**
 * A capability that is declared in the constructor has the SDK set its handlers there, before any guard is. An unknown name is
 * refused before the author's work all the same, unless the handler is somebody else's.
 */
import { InMemoryTaskStore } from '@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js';
import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import {
  CallToolRequestSchema,
  GetPromptRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { guard } from '../src/index.ts';
import { connectRaw, faultIn } from './wire.ts';

const INFO = { name: 's', version: '1' };
const ALL = { capabilities: { tools: {}, prompts: {}, resources: {} } };

const DECLARED: { readonly [name: string]: object } = {
  tools: { capabilities: { tools: {} } },
  'tools that change': { capabilities: { tools: { listChanged: true } } },
  everything: ALL,
};

const VERSIONS = { v1: McpServerV1, v2: McpServer } as const;
const BOTH = Object.entries(VERSIONS) as [string, typeof McpServer][];

const UNKNOWN: readonly (readonly [string, object])[] = [
  ['tools/call', { name: 'ech', arguments: {} }],
  ['prompts/get', { name: 'nope' }],
  ['resources/read', { uri: 'r://two' }],
];

describe.each(BOTH)('%s', (_version, Server) => {
  it.each(Object.entries(DECLARED))(
    'knows that an unknown tool was not executed: %s',
    async (_name, options) => {
      const server = guard(new Server(INFO, options));
      server.registerTool('echo', {}, () => ({ content: [] }));
      const { ask } = await connectRaw(server);
      for (const name of ['ech', 'nope', 'ech'])
        expect(faultIn(await ask('tools/call', { name, arguments: {} }))).toMatchObject({
          kind: 'not_found',
          executed: 'no',
        });
    },
  );

  it('knows it of a server without a tool, and of requests side by side', async () => {
    const { ask } = await connectRaw(guard(new Server(INFO, ALL)));
    const answers = await Promise.all(['a', 'b', 'a'].map((name) => ask('tools/call', { name })));
    expect(answers.map((answer) => faultIn(answer)['executed'])).toEqual(['no', 'no', 'no']);
  });

  it.each(UNKNOWN)('knows it of whatever else is declared: %s', async (method, params) => {
    const server = guard(new Server(INFO, ALL));
    server.registerTool('echo', {}, () => ({ content: [] }));
    server.registerPrompt('p', {}, () => ({ messages: [] }));
    server.registerResource('r', 'r://one', {}, () => ({ contents: [] }));
    const { ask } = await connectRaw(server);
    expect(faultIn(await ask(method, params))).toMatchObject({ kind: 'not_found', executed: 'no' });
  });

  it('knows it where the handles of what was registered before are given', async () => {
    const server = new Server(INFO, ALL);
    const handle = server.registerTool('echo', {}, () => ({ content: [] }));
    const { ask } = await connectRaw(guard(server, { registered: [handle as never] }));
    expect(faultIn(await ask('tools/call', { name: 'ech' }))).toMatchObject({ executed: 'no' });
  });

  it('does not know it where a tool was registered before', async () => {
    const server = new Server(INFO, ALL);
    server.registerTool('pay', {}, () => {
      throw new Error('Tool pay not found');
    });
    const { ask } = await connectRaw(guard(server));
    await ask('tools/call', { name: 'nope' });
    expect(faultIn(await ask('tools/call', { name: 'pay' }))).toMatchObject({ executed: 'maybe' });
  });

  it('keeps what is registered later within reach', async () => {
    const server = guard(new Server(INFO, ALL));
    const { ask } = await connectRaw(server);
    await ask('tools/call', { name: 'late' });
    const handle = server.registerTool('late', {}, () => ({ content: [{ type: 'text', text: 'here' }] }));
    expect((await ask('tools/call', { name: 'late' })).result).toMatchObject({ content: [{ text: 'here' }] });
    handle.update({ name: 'later' });
    expect((await ask('tools/call', { name: 'later' })).result).toMatchObject({
      content: [{ text: 'here' }],
    });
    expect((await ask('tools/list')).result).toMatchObject({ tools: [{ name: 'later' }] });
    expect(faultIn(await ask('tools/call', { name: 'late' }))).toMatchObject({ executed: 'no' });
  });
});

describe('a handler of the author’s own, set before the guard, may have done its work', () => {
  const refuse = (name: unknown): never => {
    throw Object.assign(new Error(`Tool ${name} not found`), { code: -32602 });
  };

  it.each(UNKNOWN)('v1: %s', async (method, params) => {
    const server = new McpServerV1(INFO, ALL);
    server.server.setRequestHandler(CallToolRequestSchema, ({ params: { name } }) => refuse(name));
    server.server.setRequestHandler(GetPromptRequestSchema, ({ params: { name } }) => refuse(name));
    server.server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) => refuse(uri));
    const { ask } = await connectRaw(guard(server));
    expect(faultIn(await ask(method, params))).toMatchObject({ executed: 'maybe' });
  });

  it.each(UNKNOWN)('v2: %s', async (method, params) => {
    const server = new McpServer(INFO, ALL);
    server.server.setRequestHandler('tools/call', ({ params: { name } }) => refuse(name));
    server.server.setRequestHandler('prompts/get', ({ params: { name } }) => refuse(name));
    server.server.setRequestHandler('resources/read', ({ params: { uri } }) => refuse(uri));
    const { ask } = await connectRaw(guard(server));
    expect(faultIn(await ask(method, params))).toMatchObject({ executed: 'maybe' });
  });

  it.each(['registered', 'unknown'])('v2, while another looks for what is %s', async (which) => {
    const server = new McpServer(INFO, ALL);
    server.server.setRequestHandler('tools/call', ({ params: { name } }) => refuse(name));
    const guarded = guard(server);
    guarded.registerTool('echo', {}, () => ({ content: [] }));
    const { ask } = await connectRaw(guarded);
    const name = which === 'registered' ? 'echo' : 'nope';
    const [answer] = await Promise.all([
      ask('tools/call', { name: 'nope' }),
      ask('tools/list'),
      ask('prompts/get', { name }),
      ask('resources/read', { uri: `r://${name}` }),
    ]);
    expect(faultIn(answer as never)).toMatchObject({ executed: 'maybe' });
  });
});

it('knows that an unknown tool was not executed where v1 has tasks', async () => {
  const server = guard(new McpServerV1(INFO, { ...ALL, taskStore: new InMemoryTaskStore() }));
  server.registerTool('echo', {}, () => ({ content: [] }));
  const { ask } = await connectRaw(server);
  expect(faultIn(await ask('tools/call', { name: 'ech' }))).toMatchObject({ executed: 'no' });
});

it('does not know it of a template’s resource that was registered before', async () => {
  const server = new McpServer(INFO, ALL);
  server.registerResource('all', new ResourceTemplate('all://{id}', { list: undefined }), {}, ({ href }) => {
    throw Object.assign(new Error(`Resource ${href} not found`), { code: -32602 });
  });
  const { ask } = await connectRaw(guard(server));
  expect(faultIn(await ask('resources/read', { uri: 'all://1' }))).toMatchObject({ executed: 'maybe' });
});

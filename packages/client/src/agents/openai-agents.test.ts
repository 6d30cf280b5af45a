import { type MCPServer, mcpToFunctionTool, RunContext } from '@openai/agents-core';
import { expect, it } from 'vitest';
import { resilientServer } from './openai-agents.ts';

const quick = { upstream: { random: () => 0 } };
const schema = { type: 'object' as const, properties: {}, required: [], additionalProperties: false };
const READ = { name: 'read', inputSchema: schema, annotations: { readOnlyHint: true } };
const WRITE = { name: 'write', inputSchema: schema };

/** What the SDK returns from `callTool`: the content, with the rest hung onto it. */
function result(text: string, isError = false) {
  return Object.assign([{ type: 'text', text }], { isError });
}

function serverWith(...results: readonly unknown[]) {
  const left = [...results];
  const made: string[] = [];
  const server = {
    cacheToolsList: false,
    name: 'shop',
    connect: async () => undefined,
    close: async () => undefined,
    listTools: async () => [READ, WRITE],
    invalidateToolsCache: async () => undefined,
    async callTool(name: string) {
      made.push(name);
      const next = left.shift();
      if (next instanceof Error) throw next;
      return next;
    },
  };
  return { made, server: resilientServer(server as unknown as MCPServer, quick) };
}

const lost = Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNRESET' } });

it('retries what passes, in the function tool of the SDK', async () => {
  const { made, server } = serverWith(result('Rate limit exceeded', true), result('found'));
  await server.listTools();
  const tool = mcpToFunctionTool(READ as never, server, false);
  expect(await tool.invoke(new RunContext(), '{}')).toMatchObject({ type: 'text', text: 'found' });
  expect(made).toEqual(['read', 'read']);
});

it('believes annotations: a read is repeated, a write is not', async () => {
  const { made, server } = serverWith(lost, result('found'), lost);
  await server.listTools();
  await server.callTool('read', {});
  await expect(server.callTool('write', {})).rejects.toMatchObject({ fault: { kind: 'disconnected' } });
  expect(made).toEqual(['read', 'read', 'write']);
});

it('forgets annotations with the connection and the cache of the listing', async () => {
  const { made, server } = serverWith(lost, lost);
  await server.listTools();
  await server.connect();
  await expect(server.callTool('read', {})).rejects.toMatchObject({ fault: { kind: 'disconnected' } });
  await server.listTools();
  await server.invalidateToolsCache();
  await expect(server.callTool('read', {})).rejects.toMatchObject({ fault: { kind: 'disconnected' } });
  expect(made).toEqual(['read', 'read']);
});

it('counts its attempts for whoever is below, beside what the caller sends', async () => {
  const results = [result('Rate limit exceeded', true), result('found')];
  const metas: unknown[] = [];
  class MCPServerStreamableHttp {
    readonly name = 'shop';
    async listTools() {
      return [READ, WRITE];
    }
    async callTool(_name: string, _args: unknown, meta: unknown) {
      metas.push(meta);
      return results.shift();
    }
  }
  const server = resilientServer(new MCPServerStreamableHttp() as unknown as MCPServer, quick);
  await server.listTools();
  await server.callTool('read', {}, { tenant: 'a' });
  expect(metas).toEqual([
    { tenant: 'a', 'dev.mayday/attempt': 1 },
    { tenant: 'a', 'dev.mayday/attempt': 2 },
  ]);
});

it('tells the model what to do', async () => {
  const { server } = serverWith(result('Permission denied', true));
  const tool = mcpToFunctionTool(WRITE as never, server, false);
  expect(await tool.invoke(new RunContext(), '{}')).toContain('Ask for access');
});

it('guards `callToolResult` too, which the SDK calls for structured content', async () => {
  const results = [
    { isError: true, content: [{ type: 'text', text: 'Rate limit exceeded' }] },
    { content: [{ type: 'text', text: 'found' }], structuredContent: { n: 1 } },
    { isError: true, content: [{ type: 'text', text: 'Service unavailable' }] },
  ];
  const made: string[] = [];
  const plain = {
    cacheToolsList: false,
    name: 'shop',
    useStructuredContent: true,
    listTools: async () => [READ, WRITE],
    callTool: async () => expect.fail('the SDK asks for the whole result'),
    async callToolResult(name: string) {
      made.push(name);
      return results.shift();
    },
  };
  const server = resilientServer(plain as unknown as MCPServer, quick);
  await server.listTools();
  const ask = (tool: object) =>
    mcpToFunctionTool(tool as never, server, false).invoke(new RunContext(), '{}');
  expect(await ask(READ)).toBe('{"n":1}');
  expect(await ask(WRITE)).toBe(
    'Service unavailable. The service is down; back off, then try again. It may have happened; check before you repeat a change.',
  );
  expect(made).toEqual(['read', 'read', 'write']);
});

it('sees the errors that `callTool` of the SDK drops', async () => {
  const results = [
    { isError: true, content: [{ type: 'text', text: 'Rate limit exceeded' }] },
    { content: [{ type: 'text', text: 'found' }] },
    { isError: true, content: [{ type: 'text', text: 'Service unavailable' }] },
  ];
  const plain = {
    cacheToolsList: false,
    name: 'shop',
    listTools: async () => [READ, WRITE],
    // As `MCPServerStreamableHttp` has it.
    async callTool(): Promise<unknown> {
      return (await this.callToolResult()).content;
    },
    callToolResult: async () => results.shift() as { content: unknown },
  };
  const server = resilientServer(plain as unknown as MCPServer, quick);
  await server.listTools();
  const ask = (tool: object) =>
    mcpToFunctionTool(tool as never, server, false).invoke(new RunContext(), '{}');
  expect(await ask(READ)).toMatchObject({ type: 'text', text: 'found' });
  expect(await ask(WRITE)).toBe(
    'Service unavailable. The service is down; back off, then try again. It may have happened; check before you repeat a change.',
  );
});

it('is the same server otherwise', async () => {
  const { server } = serverWith();
  expect(server.name).toBe('shop');
  expect(await server.listTools()).toEqual([READ, WRITE]);
});

it('says the advice once, with the wait that the server asked for', async () => {
  const limited = Object.assign(new Error('Too many requests'), {
    status: 429,
    headers: new Headers({ 'retry-after': '90' }),
  });
  const { server } = serverWith(limited);
  const tool = mcpToFunctionTool(WRITE as never, server, false);
  expect(await tool.invoke(new RunContext(), '{}')).toBe(
    'Too many requests. Wait, then call again. It may have happened; check before you repeat a change. Wait at least 90 s.',
  );
});

it('throws a fault with the server’s own words in it, and the text for the model as its message', async () => {
  const { server } = serverWith(result('Permission denied', true));
  await expect(server.callTool('write', {})).rejects.toMatchObject({
    message: 'Permission denied. Ask for access; do not repeat the call without it.',
    fault: { kind: 'forbidden', message: 'Permission denied' },
  });
});

it('reads an expired session, which the SDK throws as a 404', async () => {
  const gone = Object.assign(
    new Error('Streamable HTTP error: Error POSTing to endpoint: Session not found'),
    {
      name: 'StreamableHTTPError',
      code: 404,
    },
  );
  const { server } = serverWith(gone);
  await expect(server.callTool('read', {})).rejects.toMatchObject({
    fault: { kind: 'expired', subject: { type: 'session' } },
  });
});

/** Arguments that cannot be written: nothing is sent, whatever the caller's own code says while it is read. */
import { fileURLToPath } from 'node:url';
import { createMCPClient } from '@ai-sdk/mcp';
import { fault } from '@mayday/core';
import { describe, expect, it } from 'vitest';
import { resilientTools as aiTools } from '../src/agents/ai-sdk.ts';
import { resilientServer } from '../src/agents/openai-agents.ts';
import { FLAVOURS, type Tested } from './flavours.ts';
import { scriptedHttp, succeed } from './scripted-http.ts';

const SERVER = fileURLToPath(new URL('./scripted-stdio.ts', import.meta.url));

const circle: { [name: string]: unknown } = { deep: {} };
circle['deep'] = { items: [1, circle] };

function throwing(error: unknown): () => never {
  return () => {
    throw error;
  };
}

const UNSENDABLE: readonly [string, object, string][] = [
  [
    'a BigInt',
    { order: { id: 1n } },
    'the argument `order.id` cannot be written as JSON: it is a BigInt; send it as a text',
  ],
  ['a circle', circle, 'the argument `deep.items[1]` cannot be written as JSON: it contains itself'],
  [
    'a getter that throws',
    {
      ok: 1,
      get amount() {
        return throwing(new Error('503 Service Unavailable'))();
      },
    },
    'the argument `amount` cannot be written as JSON: reading it throws an error',
  ],
  [
    'a toJSON that throws',
    { order: { toJSON: throwing(new Error('Order 7 not found')) } },
    'the argument `order` cannot be written as JSON: its toJSON throws an error',
  ],
  [
    'a toJSON that throws what looks like a lost connection',
    { toJSON: throwing(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })) },
    'the arguments cannot be written as JSON: its toJSON throws an error',
  ],
  [
    'a toJSON that throws a fault',
    { order: { toJSON: throwing(fault.rateLimited('Slow down')) } },
    'the argument `order` cannot be written as JSON: its toJSON throws an error',
  ],
];

const OWN_MISTAKE = { kind: 'invalid_arguments', executed: 'no', origin: 'local', retryable: false };

describe.each(FLAVOURS)('$name', ({ http, stdio }) => {
  async function refuses(client: Tested, args: object, words: string, sent: () => number): Promise<void> {
    await client.connect();
    await client.listTools();
    for (const name of ['read', 'write']) {
      const outcome = await client.call({ name, arguments: args as never });
      expect(outcome).toMatchObject({
        ok: false,
        attempts: 1,
        fault: { ...OWN_MISTAKE, message: `Not sent: ${words}` },
      });
    }
    await expect(client.callTool({ name: 'write', arguments: args })).rejects.toMatchObject({
      fault: OWN_MISTAKE,
    });
    expect(sent()).toBe(0);
  }

  it.each(UNSENDABLE)('over HTTP: %s', async (_, args, words) => {
    await using server = await scriptedHttp((heard, response) => succeed(heard, response));
    const client = http(server.url);
    await refuses(client, args, words, () => server.calls('write') + server.calls('read'));
    await client.close();
  });

  it('over stdio', async () => {
    const client = stdio([SERVER, '']);
    for (const [, args, words] of UNSENDABLE.slice(0, 4))
      await refuses(client, args, words, () => 0).finally(() => client.close());
  });

  it('counts against no circuit, however often', async () => {
    await using server = await scriptedHttp((heard, response) => succeed(heard, response));
    const client = http(server.url);
    const args = {
      get amount() {
        return throwing(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }))();
      },
    };
    for (let at = 0; at < 25; at += 1)
      expect(await client.call({ name: 'write', arguments: args })).toMatchObject({ fault: OWN_MISTAKE });
    expect(client.upstream.circuits.stateOf()).toBe('closed');
    expect(await client.call({ name: 'write' })).toMatchObject({ ok: true });
    await client.close();
  });

  it('what stands beside the arguments', async () => {
    await using server = await scriptedHttp((heard, response) => succeed(heard, response));
    const client = http(server.url);
    const told = async (params: object): Promise<string> => {
      Object.defineProperty(params, 'name', { value: 'write', enumerable: true });
      const outcome = await client.call(params as never, { once: true });
      expect(outcome).toMatchObject({ ok: false, fault: OWN_MISTAKE });
      return outcome.ok ? '' : outcome.fault.message;
    };
    const unavailable = throwing(new Error('503 Service Unavailable'));
    expect(await told({ _meta: { trace: 1n } })).toBe(
      'Not sent: the parameter `_meta.trace` cannot be written as JSON: it is a BigInt; send it as a text',
    );
    expect(
      await told({
        _meta: {
          get 'dev.mayday/attempt'() {
            return unavailable();
          },
        },
      }),
    ).toContain('`_meta.dev.mayday/attempt`');
    expect(
      await told({
        get arguments() {
          return unavailable();
        },
      }),
    ).toContain('the arguments cannot be written');
    expect(
      await told({
        get _meta() {
          return unavailable();
        },
      }),
    ).toContain('the parameter `_meta`');
    await expect(client.getPrompt({ name: 'tea', arguments: { n: 1n } } as never)).rejects.toMatchObject({
      fault: OWN_MISTAKE,
    });
    expect(server.heard.filter(({ method }) => method === 'tools/call' || method === 'prompts/get')).toEqual(
      [],
    );
    await client.close();
  });

  it('the same words of a server are its own', async () => {
    await using server = await scriptedHttp((heard, response) => {
      const error = { code: -32603, message: 'Do not know how to serialize a BigInt' };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id: heard.id, error }));
    });
    const client = http(server.url);
    const outcome = await client.call({ name: 'write', arguments: { a: 1 } });
    expect(outcome).toMatchObject({ ok: false, fault: { kind: 'invalid_output', executed: 'yes' } });
    await client.close();
  });
});

describe('tools of frameworks', () => {
  const [, args, words] = UNSENDABLE[0] as (typeof UNSENDABLE)[number];
  const told = { fault: { ...OWN_MISTAKE, message: `Not sent: ${words}` } };

  it('the AI SDK', async () => {
    await using server = await scriptedHttp((heard, response) => succeed(heard, response));
    const mcp = await createMCPClient({ transport: { type: 'http', url: server.url } });
    const tools = aiTools((await mcp.tools()) as never) as {
      readonly [name: string]: { execute: (...given: unknown[]) => Promise<unknown> };
    };
    await expect(tools['write']?.execute(args, { toolCallId: '1', messages: [] })).rejects.toMatchObject(
      told,
    );
    expect(server.calls('write')).toBe(0);
    await mcp.close();
  });

  class MCPServerStreamableHttp {
    async callTool(_: string, input: unknown): Promise<unknown> {
      return [JSON.stringify(input)];
    }
  }

  it('OpenAI’s agents', async () => {
    const server = resilientServer(new MCPServerStreamableHttp() as never) as MCPServerStreamableHttp;
    await expect(server.callTool('pay', args)).rejects.toMatchObject(told);
  });

  it('a tool of one’s own may have done its work before', async () => {
    class Till extends MCPServerStreamableHttp {
      override async callTool(_: string, input: unknown): Promise<unknown> {
        return [JSON.stringify(input)];
      }
    }
    const server = resilientServer(new Till() as never) as Till;
    const thrown: unknown = await server.callTool('pay', args).catch((error: unknown) => error);
    expect((thrown as { fault: { executed: string } }).fault.executed).not.toBe('no');
  });
});

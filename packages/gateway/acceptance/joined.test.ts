/** The joined endpoint: no upstream can stall it, and it says what its servers can do, under names that are short and unique. */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scratch, startGateway } from './support/gateway.ts';
import { at } from './support/house.ts';
import { faultOf, type Message, post } from './support/http.ts';
import { type HttpPuppet, startHttpPuppet } from './support/http-puppet.ts';
import { keepGateway } from './support/keep.ts';
import { ask, call, initialize, modern } from './support/messages.ts';
import { executions, type Step } from './support/puppet.ts';
import { failing, stdio } from './support/world.ts';

const SOON = 3000;
const HANG: Step[] = [{ hang: true }];
const folder = scratch();
const ledger = join(folder, 'ledger');
const tool = (name: string, annotations: object = {}): object => ({
  name,
  inputSchema: { type: 'object' },
  annotations,
});

const puppets: HttpPuppet[] = [];
async function server(options: Parameters<typeof startHttpPuppet>[0] = {}): Promise<{ url: string }> {
  const puppet = await startHttpPuppet({ ledger, ...options });
  puppets.push(puppet);
  return { url: puppet.url };
}
afterAll(async () => {
  await Promise.all(puppets.map((puppet) => puppet.close()));
  rmSync(folder, { recursive: true });
});

function names(message: Message): string[] {
  return (message['result'].tools as Message[]).map((each) => String(each['name']));
}

describe('a server that hangs or is gone costs the others nothing', () => {
  let upstreams: Record<string, object>;
  beforeAll(async () => {
    const lists = ['tools/list', 'resources/list', 'prompts/list', 'resources/templates/list'];
    upstreams = {
      a: await server(),
      b: stdio(),
      mute: stdio({ on: { initialize: HANG, 'server/discover': HANG } }),
      deaf: stdio({ on: Object.fromEntries(lists.map((method) => [method, HANG])) }),
      slow: await server({ on: Object.fromEntries(lists.map((method) => [method, HANG])) }),
      gone: { url: 'http://127.0.0.1:1/mcp' },
      ghost: { command: 'no-such-program-anywhere' },
    };
  });
  const gateway = keepGateway(() => startGateway({ upstreams }), [ledger]);
  const url = (): string => at(gateway(), '');
  const WELL = ['a_echo', 'a_pay', 'a_lookup', 'b_echo', 'b_pay', 'b_lookup'];

  it('initialize', async () => {
    const answer = await post(url(), initialize(), { within: SOON });
    expect(answer.message['result']?.protocolVersion).toBe('2025-11-25');
  });

  it.each([
    ['tools/list', 'tools'],
    ['resources/list', 'resources'],
    ['prompts/list', 'prompts'],
  ])('%s, with the missing named', async (method, member) => {
    const { message } = await post(url(), ask(method), { within: SOON });
    const listed: Message[] = message['result']?.[member];
    expect(listed.length).toBeGreaterThan(0);
    const missing = JSON.stringify(message['result']?._meta?.['dev.mayday/unavailable']);
    for (const name of ['mute', 'deaf', 'slow', 'gone', 'ghost']) expect(missing).toContain(name);
    expect(missing).not.toMatch(/"a"|"b"/);
  });

  it('calls of the others', async () => {
    const answers = await Promise.all(
      ['a_echo', 'b_echo'].map((name) => post(url(), call(name, { text: 'hi' }), { within: SOON })),
    );
    expect(answers.map(({ message }) => message['result']?.content[0].text)).toEqual([
      'echo: hi',
      'echo: hi',
    ]);
  });

  it('every list, not only the first', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { message } = await post(url(), ask('tools/list'), { within: SOON });
      expect(names(message)).toEqual(expect.arrayContaining(WELL));
    }
  });

  it('a call to the one that is gone fails by itself, soon', async () => {
    const { message } = await post(url(), call('gone_echo'), { within: SOON });
    expect(faultOf(message)).toMatchObject({ executed: 'no' });
  });

  it('SDK 1 connects, lists and calls', async () => {
    const started = performance.now();
    const client = new Client({ name: 'acceptance', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(url())), { timeout: SOON });
    const listed = (await client.listTools({}, { timeout: SOON })).tools.map(({ name }) => name);
    const answer = await client.callTool({ name: 'a_echo', arguments: { text: 'hi' } });
    await client.close();
    expect(performance.now() - started).toBeLessThan(2 * SOON);
    expect(listed).toEqual(expect.arrayContaining(WELL));
    expect(answer.content).toEqual([{ type: 'text', text: 'echo: hi' }]);
  });

  it.each([['legacy'], ['auto']] as const)('SDK 2 connects, lists and calls (%s)', async (mode) => {
    const started = performance.now();
    const client = new ModernClient({ name: 'acceptance', version: '1' }, { versionNegotiation: { mode } });
    await client.connect(new ModernTransport(new URL(url())), { timeout: SOON });
    const listed = (await client.listTools({}, { timeout: SOON })).tools.map(({ name }) => name);
    await client.close();
    expect(performance.now() - started).toBeLessThan(2 * SOON);
    expect(listed).toEqual(expect.arrayContaining(WELL));
  });
});

describe('capabilities are those of all servers', () => {
  let upstreams: Record<string, object>;
  beforeAll(async () => {
    upstreams = {
      first: await server({
        capabilities: {
          tools: { listChanged: true },
          logging: {},
          completions: {},
          tasks: { list: {}, cancel: {} },
        },
      }),
      second: await server({
        capabilities: { tools: { listChanged: false }, resources: { subscribe: true, listChanged: true } },
      }),
      third: await server({
        capabilities: { tools: {}, resources: { subscribe: false }, prompts: { listChanged: true } },
      }),
    };
  });
  const gateway = keepGateway(() => startGateway({ upstreams }), [ledger]);

  it('merged, not those of the last', async () => {
    const { message } = await post(at(gateway(), ''), initialize());
    expect(message['result']?.capabilities).toMatchObject({
      tools: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      prompts: { listChanged: true },
      logging: {},
      completions: {},
    });
  });

  it('tasks included', async () => {
    const { message } = await post(at(gateway(), ''), initialize());
    expect(message['result']?.capabilities.tasks).toBeTypeOf('object');
  });

  it('in 2026-07-28 too', async () => {
    const { message } = await post(at(gateway(), ''), modern(ask('server/discover')), { era: '2026' });
    expect(message['result']?.capabilities).toMatchObject({
      tools: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      prompts: { listChanged: true },
    });
  });

  it.each([['constructor'], ['__proto__'], ['toString'], ['hasOwnProperty'], ['tools/constructor']])(
    'the method %s is unknown',
    async (method) => {
      const { message } = await post(at(gateway(), ''), ask(method));
      expect(message['error']?.code).toBe(-32601);
    },
  );
});

describe('names are short, unique, and work', () => {
  const LONG = Array.from(
    { length: 4 },
    (_, index) => `${'a_tool_with_a_name_as_long_as_a_name_may_be'.padEnd(63, 'x')}${index}`,
  );
  let upstreams: Record<string, object>;
  beforeAll(async () => {
    upstreams = {
      long: await server({ tools: LONG.map((name) => tool(name)) }),
      longer: await server({ tools: LONG.map((name) => tool(name)) }),
      paged: await server({
        tools: Array.from({ length: 60 }, (_, index) => tool(`page-${index}`)),
        paged: true,
      }),
      shop: await server({
        tools: [tool('shop_list', { readOnlyHint: true }), tool('list'), tool('shop_shop_list')],
      }),
      twice: await server({ tools: [tool('same'), tool('same'), tool('other')] }),
    };
  });
  const gateway = keepGateway(() => startGateway({ upstreams }), [ledger]);

  it('at most 64 characters, none twice', async () => {
    const { message } = await post(at(gateway(), ''), ask('tools/list'));
    const all = names(message);
    expect(all.filter((name) => name.length > 64 || !/^[A-Za-z0-9_./-]+$/.test(name))).toEqual([]);
    expect(new Set(all).size).toBe(all.length);
    expect(all.filter((name) => name.startsWith('long')).length).toBe(8);
  });

  it('each cut name calls its own tool', async () => {
    const { message } = await post(at(gateway(), ''), ask('tools/list'));
    const cut = names(message).filter((name) => name.startsWith('long'));
    const said = await Promise.all(cut.map((name) => post(at(gateway(), ''), call(name, { text: 'hi' }))));
    const texts = said.map((answer) => String(answer.message['result']?.content?.[0]?.text));
    expect([...new Set(texts)].sort()).toEqual(LONG.map((name) => `${name}: hi`));
  });

  it('all sixty pages of a list', async () => {
    const all: string[] = [];
    let cursor: string | undefined;
    do {
      const { message } = await post(
        at(gateway(), ''),
        ask('tools/list', cursor === undefined ? {} : { cursor }),
      );
      all.push(...names(message));
      cursor = message['result']?.nextCursor;
    } while (cursor !== undefined && all.length < 1000);
    expect(all.filter((name) => name.startsWith('paged_'))).toHaveLength(60);
  });

  it('a tool named after its server keeps its annotations and is repeated', async () => {
    const { message } = await post(at(gateway(), ''), ask('tools/list'));
    const found = (message['result'].tools as Message[]).find((each) => each['name'] === 'shop_shop_list');
    expect(found?.['annotations']).toEqual({ readOnlyHint: true });
    const fine: Step[] = [{ answer: { result: { content: [{ type: 'text', text: 'found' }] } } }];
    const answer = await post(
      at(gateway(), ''),
      call('shop_shop_list', { key: 'shop1', attempts: [[{ reset: true }], fine] }),
    );
    expect([executions(ledger, 'shop1'), answer.message['result']?.content[0].text]).toEqual([2, 'found']);
    const own = await post(
      at(gateway(), 'shop'),
      call('shop_list', { key: 'shop2', attempts: [[{ reset: true }], fine] }),
    );
    expect([executions(ledger, 'shop2'), own.message['result']?.content[0].text]).toEqual([2, 'found']);
  });
});

describe('without a separator', () => {
  let upstreams: Record<string, object>;
  beforeAll(async () => {
    upstreams = {
      a: await server(),
      b: await server({ name: 'b' }),
      c: await server({ tools: [tool('only')] }),
    };
  });
  const gateway = keepGateway(() => startGateway({ joined: { separator: '' }, upstreams }), [ledger]);

  it('no name is listed twice, and each can be called', async () => {
    const { message } = await post(at(gateway(), ''), ask('tools/list'));
    const all = names(message);
    expect(new Set(all).size).toBe(all.length);
    expect(all).toContain('only');
    const failed = await post(
      at(gateway(), ''),
      call('pay', { script: [failing('Order 17 was not found')] }),
    );
    expect(failed.body).toContain('Order 17 was not found');
  });
});

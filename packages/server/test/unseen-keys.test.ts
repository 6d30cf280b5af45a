/** Keys are honoured for every call that passes, whether or not the guard sees its handler. */
import { Server as ServerV1 } from '@modelcontextprotocol/sdk/server/index.js';
import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { CallToolRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { McpServer, Server } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { type GuardOptions, guard } from '../src/index.ts';
import { KEY, said } from './till.ts';
import { connectRaw, faultIn } from './wire.ts';

type Work = () => Promise<never>;
type Connectable = { connect(transport: never): Promise<void> };
type Make = (work: Work, options?: GuardOptions) => Connectable;

const INFO = { name: 's', version: '1' };
const TOOLS = { capabilities: { tools: {} } };
const nothing = async () => ({ content: [] });

/** Servers whose `pay` reaches its handler past the guard's wrapping. */
const SERVERS: { readonly [name: string]: Make } = {
  'v1, low-level, set before': (work, options) => {
    const server = new ServerV1(INFO, TOOLS);
    server.setRequestHandler(CallToolRequestSchema, work);
    return guard(server, options);
  },
  'v2, low-level, set before': (work, options) => {
    const server = new Server(INFO, TOOLS);
    server.setRequestHandler('tools/call', work);
    return guard(server, options);
  },
  'v1, fallback': (work, options) => {
    const server = guard(new ServerV1(INFO, TOOLS), options);
    server.fallbackRequestHandler = work;
    return server;
  },
  'v2, fallback': (work, options) => {
    const server = guard(new Server(INFO, TOOLS), options);
    server.fallbackRequestHandler = work;
    return server;
  },
  'v1, registered before': (work, options) => {
    const server = new McpServerV1(INFO);
    server.registerTool('pay', {}, work);
    return guard(server, options);
  },
  'v2, registered before': (work, options) => {
    const server = new McpServer(INFO);
    server.registerTool('pay', {}, work);
    return guard(server, options);
  },
  'v1, registered before, handle given': (work, options) => {
    const server = new McpServerV1(INFO);
    return guard(server, { ...options, registered: [server.registerTool('pay', {}, work) as never] });
  },
  'v2, registered before, handle given': (work, options) => {
    const server = new McpServer(INFO);
    return guard(server, { ...options, registered: [server.registerTool('pay', {}, work) as never] });
  },
  'v1, handler assigned': (work, options) => {
    const server = guard(new McpServerV1(INFO), options);
    server.registerTool('pay', {}, nothing).handler = work;
    return server;
  },
  'v2, executor assigned': (work, options) => {
    const server = guard(new McpServer(INFO), options);
    (server.registerTool('pay', {}, nothing) as unknown as { executor: unknown }).executor = work;
    return server;
  },
  'v2, updated, then executor assigned': (work, options) => {
    const server = guard(new McpServer(INFO), options);
    const handle = server.registerTool('pay', {}, nothing);
    handle.update({ callback: nothing });
    (handle as unknown as { executor: unknown }).executor = work;
    return server;
  },
};

const payer = async (server: Connectable) => {
  const { ask } = await connectRaw(server);
  return (args?: object, key = 'k') =>
    ask('tools/call', { name: 'pay', arguments: args ?? {}, _meta: { [KEY]: key } });
};

describe.each(Object.entries(SERVERS))('%s', (_name, make) => {
  it('does a keyed call once that throws', async () => {
    let paid = 0;
    const pay = await payer(
      make(async () => {
        paid++;
        throw new Error('fetch failed');
      }),
    );
    expect(faultIn(await pay())).toMatchObject({ executed: 'maybe' });
    expect(faultIn(await pay())).toMatchObject({
      executed: 'maybe',
      retryable: false,
    });
    expect(paid).toBe(1);
  });

  it('gives the stored answer, joins, and refuses other arguments', async () => {
    let paid = 0;
    const work = async () => {
      paid++;
      await new Promise((resolve) => setTimeout(resolve, 5));
      return { content: [{ type: 'text', text: `receipt ${paid}` }] };
    };
    const pay = await payer(make(work as never));
    const both = await Promise.all([pay(), pay()]);
    expect([...both, await pay()].map(said)).toEqual(['receipt 1', 'receipt 1', 'receipt 1']);
    expect(faultIn(await pay({ more: 1 }))).toMatchObject({ kind: 'conflict', executed: 'no' });
    expect(said(await pay({}, 'other'))).toBe('receipt 2');
  });

  it('keeps a returned failure, and says in a repeat that asking again does not help', async () => {
    let paid = 0;
    const work = async () => {
      paid++;
      return { isError: true, content: [{ type: 'text', text: 'Too many requests' }] };
    };
    const pay = await payer(make(work as never));
    expect(faultIn(await pay())).toMatchObject({ kind: 'rate_limited', retryable: true });
    expect(faultIn(await pay())).toMatchObject({ kind: 'rate_limited', retryable: false });
    expect(paid).toBe(1);
  });

  it('does not do it again after the deadline', async () => {
    let paid = 0;
    const work = () => {
      paid++;
      return new Promise<never>(() => {});
    };
    const pay = await payer(make(work, { deadlineMs: 30 }));
    expect(faultIn(await pay())).toMatchObject({ kind: 'timeout', executed: 'maybe' });
    expect(faultIn(await pay())).toMatchObject({ executed: 'maybe' });
    expect(paid).toBe(1);
  });
});

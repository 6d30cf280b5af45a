/** A tool that has done its work meets another server's limit, and makes an error of its own of it: clients must not wait it out. */
import { FaultError, fault, read } from '@mayday/core';
import { Client } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport as InMemoryV1 } from '@modelcontextprotocol/sdk/inMemory.js';
import { Server as ServerV1 } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, McpError } from '@modelcontextprotocol/sdk/types.js';
import { InMemoryTransport, McpServer, ProtocolError, Server } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { guard } from '../src/index.ts';
import { connectRaw } from './wire.ts';

type Dialect = 'closient' | 'erlmcp' | 'onx';
/** An error of the SDK's, as it is met. */
type Met = Error & { readonly code: number; readonly data: { readonly [name: string]: unknown } };

const PROBLEM = {
  type: 'https://closient.com/docs/errors/rate_limited',
  title: 'Rate Limited',
  status: 429,
  detail: 'Slow down',
  error_code: 'rate_limited',
  retryable: true,
  retry_after: 1,
};

/** What the other server says: in each document, codes that its clients repeat a call for. */
const SAID: readonly (readonly [Dialect, number, string, object])[] = [
  ['closient', -32003, 'Rate Limited', PROBLEM],
  [
    'closient',
    -32300,
    'Internal Error',
    { ...PROBLEM, title: 'Internal Error', error_code: 'internal_error' },
  ],
  ['closient', -32004, 'Busy', { ...PROBLEM, title: 'Busy', error_code: 'busy', status: 503 }],
  ['erlmcp', -32010, 'Rate limit exceeded', { limit: 1, window: 1, retry_after: 1 }],
  ['erlmcp', -32009, 'Request timeout', { timeout_ms: 1, elapsed_ms: 2 }],
  ['onx', 3001, 'Too many requests', { retryable: true }],
  ['onx', 4002, 'Downstream service unavailable', { retryable: true }],
];

/** The error that a client of either SDK throws at such an answer. */
const meet = {
  async v2(code: number, words: string, data: object): Promise<Met> {
    const server = new Server({ name: 'p', version: '1' }, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/call', async () => {
      throw new ProtocolError(code, words, data);
    });
    const [near, far] = InMemoryTransport.createLinkedPair();
    await server.connect(far);
    const client = new Client({ name: 'c', version: '1' });
    await client.connect(near);
    return client.callTool({ name: 'mail', arguments: {} }).then(unexpected, (met: Met) => met);
  },
  async v1(code: number, words: string, data: object): Promise<Met> {
    const server = new ServerV1({ name: 'p', version: '1' }, { capabilities: { tools: {} } });
    server.setRequestHandler(CallToolRequestSchema, async () => {
      throw Object.assign(new Error(words), { code, data });
    });
    const [near, far] = InMemoryV1.createLinkedPair();
    await server.connect(far);
    const client = new ClientV1({ name: 'c', version: '1' });
    await client.connect(near);
    return client.callTool({ name: 'mail', arguments: {} }).then(unexpected, (met: Met) => met);
  },
};

function unexpected(): never {
  throw new Error('Expected the other server to fail');
}

/** Would a client of the document call again? It looks at the error alone, and knows no word of ours. */
async function isRepeated(dialect: Dialect, thrown: unknown): Promise<boolean> {
  const server = guard(new McpServer({ name: 's', version: '1' }), { dialect });
  server.registerTool('book', {}, async () => {
    throw thrown;
  });
  const wire = await connectRaw(server as never);
  const clientInfo = { name: 'c', version: '1' };
  await wire.ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  const { error, result } = await wire.ask('tools/call', { name: 'book', arguments: {} });
  const { code, retryable, data } = Object(error ?? result?.['error']) as {
    readonly code: number;
    readonly retryable?: boolean;
    readonly data?: { readonly retryable?: boolean };
  };
  return WAITED_OUT.has(code) || retryable === true || data?.retryable === true;
}

const WAITED_OUT: ReadonlySet<number> = new Set([-32003, -32004, -32009, -32010, 3001, 4002]);

const WIRE_ERRORS = { ProtocolError, McpError } as const;
type WireError = (typeof WIRE_ERRORS)[keyof typeof WIRE_ERRORS];

/** Inside so many errors, each the cause of the next. */
function wrapped(met: Error, times: number): Error {
  return times === 0 ? met : new Error('It failed', { cause: wrapped(met, times - 1) });
}

/** The document's name of the code, with what was met in some member. */
const carrying =
  (member: (met: Met) => object) =>
  (Made: WireError, met: Met, words: string): Error =>
    Object.assign(new Made(met.code, words, met.data), member(met));

/** An error at the end of a row of causes. */
function behind(steps: number, cause: unknown): unknown {
  return steps === 0 ? cause : new Error(`Step ${steps} failed`, { cause: behind(steps - 1, cause) });
}

const CARRIED: readonly (readonly [string, (Made: WireError, met: Met, words: string) => Error])[] = [
  ['originalError', carrying((met) => ({ originalError: met }))],
  ['a name of its own', carrying((met) => ({ whatMailSaid: met }))],
  ['a map', carrying((met) => ({ met: new Map([['mail', met]]) }))],
  ['a key of a map', carrying((met) => ({ met: new Map([[met, 'mail']]) }))],
  ['a set', carrying((met) => ({ met: new Set([met]) }))],
  ['a symbol', carrying((met) => ({ [Symbol('inner')]: met }))],
  ['a list', carrying((met) => ({ errors: [new Error('x'), met] }))],
  ['a context around it', carrying((met) => ({ context: { step: 2, failed: { by: met } } }))],
  ['a cause of an object', carrying((met) => ({ failed: { cause: met } }))],
  ['a cause of many causes', carrying((met) => ({ cause: wrapped(met, 20) }))],
  ['a cause of a member', carrying((met) => ({ inner: new Error('x', { cause: met }) }))],
  ['a cause behind nine others', carrying((met) => ({ inner: behind(9, met) }))],
  ['a copy', carrying(({ code, message }) => ({ inner: { code, message } }))],
  ['its text', carrying(({ code, message }) => ({ inner: `MCP error ${code}: ${message}` }))],
  ['the fault that it was read as', carrying((met) => ({ inner: FaultError.from(met) }))],
  [
    'its reading',
    carrying(({ code, message, data }) => ({ inner: read({ error: { code, message, data } }) })),
  ],
  [
    'hidden from lists',
    (Made, met, words) =>
      Object.defineProperty(new Made(met.code, words, met.data), 'inner', { value: met, enumerable: false }),
  ],
  [
    'a class with a getter for its cause',
    (Made, met, words) => {
      class MailError extends (Made as typeof ProtocolError) {
        override get cause(): unknown {
          return met;
        }
      }
      return new MailError(met.code, words, met.data);
    },
  ],
  [
    'a class with a getter for what it keeps to itself',
    (Made, met, words) => {
      class MailError extends (Made as typeof ProtocolError) {
        readonly #met = met;
        get inner(): unknown {
          return this.#met;
        }
      }
      class LostMail extends MailError {}
      return new LostMail(met.code, words, met.data);
    },
  ],
  [
    'a getter of its own',
    (Made, met, words) =>
      Object.defineProperty(new Made(met.code, words, met.data), 'inner', { get: () => met }),
  ],
  [
    'a member whose class has a getter for it',
    (Made, met, words) => {
      class MailError extends Error {
        get inner(): unknown {
          return met;
        }
      }
      return Object.assign(new Made(met.code, words, met.data), { mail: new MailError('x') });
    },
  ],
  [
    'a getter that throws',
    (Made, met, words) =>
      Object.defineProperty(new Made(met.code, words, met.data), 'inner', {
        get() {
          throw met;
        },
      }),
  ],
  [
    'its members',
    (Made, { code, message, data }, words) => new Made(code, words, { ...data, error: { code, message } }),
  ],
  [
    'its words after others',
    (Made, { code, message, data }) => new Made(code, `Mail failed: ${message}`, data),
  ],
  ['its name and words', (Made, met) => new Made(met.code, `Mail failed: ${String(met)}`, met.data)],
  ['other words', (Made, { code, data }) => new Made(code, 'Mail failed', data)],
  ['itself, behind a proxy', (_, met) => new Proxy(met, {})],
];

describe.each(SAID)('CL-19 ER-33 EM-20 %s %d of another server', (dialect, code, words, data) => {
  describe.each(['v1', 'v2'] as const)('met with a client of %s', (sdk) => {
    describe.each(['ProtocolError', 'McpError'] as const)('and made anew as a %s', (name) => {
      it.each(CARRIED)('is not said of this call: carried as %s', async (_, made) => {
        const met = await meet[sdk](code, words, data);
        expect(await isRepeated(dialect, made(WIRE_ERRORS[name], met, words))).toBe(false);
      });
    });
  });

  it('is said where the author says it, in a class of their own too, and with what else they carry', async () => {
    class Busy extends McpError {
      readonly #left = 0;
      get left(): number {
        return this.#left;
      }
    }
    const own = [
      new ProtocolError(code, words, data),
      new McpError(code, words, data),
      new Busy(code, words, data),
      Object.assign(new ProtocolError(code, words, data), {
        step: 2,
        bytes: Buffer.alloc(100_000),
        note: 'x',
      }),
      Object.assign(new McpError(code, words, data), { cause: new RangeError('The bucket is empty') }),
      Object.assign(new McpError(code, words, data), { cause: fault.rateLimited('The bucket is empty') }),
    ];
    for (const thrown of own) expect(await isRepeated(dialect, thrown)).toBe(true);
  });
});

it('runs the getters of errors and of nothing else that they carry, and comes to an end', async () => {
  let runs = 0;
  const connection = {
    get socket() {
      runs += 1;
      return undefined;
    },
  };
  const limit = { limit: 1, window: 1, retry_after: 1 };
  const thrown: object = Object.assign(new ProtocolError(-32010, 'Rate limit exceeded', limit), {
    connection,
  });
  const wide = Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`m${at}`, { at }]));
  Object.assign(thrown, { self: thrown, wide, long: 'x'.repeat(5_000_000) });
  expect(await isRepeated('erlmcp', thrown)).toBe(true);
  expect(runs).toBe(0);
});

it('CL-19 outside of tools a limit may be told in words of its author', async () => {
  const server = guard(new McpServer({ name: 's', version: '1' }), { dialect: 'closient' });
  server.registerResource('r', 'r://r', {}, async () => {
    throw new ProtocolError(-32003, 'Slow down, please', PROBLEM);
  });
  const wire = await connectRaw(server as never);
  expect(await wire.ask('resources/read', { uri: 'r://r' })).toMatchObject({ error: { code: -32003 } });
});

describe.each([
  ['closient', -32003, 'Rate Limited', PROBLEM],
  ['onx', 3001, 'Too many requests', {}],
] as const)('CL-19 EM-20 %s %d of another server, returned as a result', (dialect, code, words, data) => {
  const isRepeatedFor = (message: string): Promise<boolean> =>
    isRepeatedWith({ code, message, data, retryable: true });

  async function isRepeatedWith(error: object): Promise<boolean> {
    const server = guard(new McpServer({ name: 's', version: '1' }), { dialect });
    server.registerTool('book', {}, async () => ({ content: [], isError: true, error }));
    const wire = await connectRaw(server as never);
    const clientInfo = { name: 'c', version: '1' };
    await wire.ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
    const { result } = await wire.ask('tools/call', { name: 'book', arguments: {} });
    const said = result?.['error'] as { readonly code: number; readonly retryable?: boolean };
    return said.code === code || said.retryable === true;
  }

  it('is not said of this call where its words tell who said them', async () => {
    expect(await isRepeatedFor(`MCP error ${code}: ${words}`)).toBe(false);
    expect(await isRepeatedFor(`Mail failed: MCP error ${code}: ${words}`)).toBe(false);
    expect(await isRepeatedFor(`ProtocolError: ${words}`)).toBe(false);
  });

  it.each(['v1', 'v2'] as const)('is not said of this call as the error that %s has thrown', async (sdk) => {
    const met = await meet[sdk](code, words, data);
    expect(await isRepeatedWith(met)).toBe(false);
    expect(await isRepeatedWith(Object.assign(met, { retryable: true }))).toBe(false);
    expect(await isRepeatedWith({ code, message: words, data, retryable: true, cause: met })).toBe(false);
  });

  it('is said where the author says it', async () => {
    expect(await isRepeatedFor(words)).toBe(true);
  });
});

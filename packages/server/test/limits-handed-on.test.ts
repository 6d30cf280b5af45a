/** A tool that has done its work, meets the limit of another service and throws that fault on: clients must not wait it out. */
import {
  defineFault,
  type Fault,
  FaultError,
  fault,
  fromDocument,
  makeFault,
  read,
  saidExecuted,
} from '@mayday/core';
import { Client } from '@modelcontextprotocol/client';
import { McpError } from '@modelcontextprotocol/sdk/types.js';
import { InMemoryTransport, McpServer, ProtocolError, Server } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { guard } from '../src/index.ts';
import { connectRaw } from './wire.ts';

type Dialect = 'closient' | 'erlmcp' | 'onx' | 'qaqnuz' | 'platica';

async function answerOf(dialect: Dialect, thrown: () => unknown, readOnlyHint = false): Promise<string> {
  const server = guard(new McpServer({ name: 's', version: '1' }), { dialect });
  server.registerTool('book', { annotations: { readOnlyHint } }, async () => {
    throw thrown();
  });
  const wire = await connectRaw(server as never);
  const clientInfo = { name: 'c', version: '1' };
  await wire.ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  return JSON.stringify(await wire.ask('tools/call', { name: 'book', arguments: {} }));
}

const readOf = (said: unknown): FaultError => {
  const reading = read(said);
  return new FaultError(reading.failure ? reading.fault : makeFault({ kind: 'internal' }));
};
const LIMIT = Object.assign(new Error('Too many requests'), {
  status: 429,
  headers: { 'retry-after': '1' },
});
const FORMS: readonly (readonly [string, () => unknown])[] = [
  ['an HTTP answer', () => readOf({ http: { status: 429, headers: { 'retry-after': '2' }, body: '' } })],
  ['an exception', () => FaultError.from(LIMIT, { began: true })],
  [
    'a result',
    () => readOf({ result: { isError: true, content: [{ type: 'text', text: 'Rate limit exceeded' }] } }),
  ],
  [
    "Closient's error",
    () =>
      readOf({
        jsonrpc: '2.0',
        id: 1,
        result: {
          error: {
            code: -32003,
            message: 'Rate Limited',
            data: {
              type: 'https://closient.com/docs/errors/rate-limited',
              title: 'Rate Limited',
              status: 429,
              error_code: 'rate_limited',
              retryable: true,
              retry_after: 1,
            },
          },
        },
      }),
  ],
  [
    "erlmcp's error",
    () =>
      readOf({
        jsonrpc: '2.0',
        id: 1,
        error: {
          code: -32010,
          message: 'Rate limit exceeded',
          data: { limit: 1, window: 1, retry_after: 1 },
        },
      }),
  ],
];

/** An author's own error of the SDK, around what a backend answered. */
const SPOKEN: readonly (readonly [string, () => unknown])[] = [
  ['words', () => new ProtocolError(-32603, 'Mail API error: 429 Too Many Requests')],
  ['a wait', () => new ProtocolError(-32603, 'Mail API error', { status: 429, retry_after: 1 })],
  ['a number of its own', () => new ProtocolError(429, 'Too many')],
  ['a bare limit', () => new ProtocolError(-32000, 'Rate limit exceeded', { retryAfter: 1 })],
];

/** Answers of another server of the same document that its clients repeat. */
const OWN: readonly (readonly ['closient' | 'erlmcp' | 'onx', object])[] = [
  ['erlmcp', { error: { code: -32009, message: 'Request timeout', data: { timeout_ms: 1, elapsed_ms: 2 } } }],
  ['onx', { result: { error: { code: 3001, message: 'Busy', retryable: true } } }],
  ['onx', { result: { error: { code: 4002, message: 'Down', retryable: true } } }],
  [
    'closient',
    {
      result: {
        error: { code: -32004, message: 'Busy', data: { status: 503, retryable: true, retry_after: 1 } },
      },
    },
  ],
];

/** What the clients of the documents call again for. */
const WAITED_OUT: { readonly [D in Dialect]: RegExp } = {
  closient: /"code":-32003|"retryable":true/,
  erlmcp: /"code":-32010/,
  onx: /"retryable":true/,
  qaqnuz: /rate limit/i,
  platica: /call again|wait at least/i,
};
const DIALECTS = Object.keys(WAITED_OUT) as Dialect[];

describe.each(DIALECTS)('CL-19 ER-33 EM-12 QA-13 PL-4 in %s', (dialect) => {
  it.each(FORMS)('%s is no limit of this call', async (_, thrown) => {
    expect(await answerOf(dialect, thrown)).not.toMatch(WAITED_OUT[dialect]);
  });
});

describe.each(DIALECTS)('CL-19 ER-33 an error of the SDK in %s', (dialect) => {
  it.each(SPOKEN)('with %s is no limit of this call', async (_, thrown) => {
    expect(await answerOf(dialect, thrown)).not.toMatch(WAITED_OUT[dialect]);
  });
});

it.each(OWN)(
  '%s: what another server of the document said of its own call is not said of this one: %j',
  async (dialect, said) => {
    const repeated = /"code":-32009|"code":-32010|"retryable":true/;
    expect(await answerOf(dialect, () => readOf({ jsonrpc: '2.0', id: 1, ...said }))).not.toMatch(repeated);
  },
);

/** An error of the document's, as a client of the SDK's first version throws it on. */
const LIMITS: readonly (readonly ['closient' | 'erlmcp' | 'onx', number, string, object])[] = [
  ['erlmcp', -32010, 'Rate limit exceeded', { limit: 1, window: 1, retry_after: 1 }],
  ['erlmcp', -32009, 'Request timeout', { timeout_ms: 1, elapsed_ms: 2 }],
  ['onx', 3001, 'Too many requests', { retryable: true }],
  [
    'closient',
    -32003,
    'Rate Limited',
    {
      type: 'https://closient.com/docs/errors/rate_limited',
      title: 'Rate Limited',
      status: 429,
      detail: 'Slow down',
      error_code: 'rate_limited',
      retryable: true,
      retry_after: 1,
    },
  ],
];

/** What the SDK's client throws when another server answers so. */
async function heardFromPeer(code: number, words: string, data: object): Promise<unknown> {
  const server = new Server({ name: 'mail', version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/call', async () => {
    throw new ProtocolError(code, words, data);
  });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  const client = new Client({ name: 'c', version: '1' });
  await client.connect(near);
  return client.callTool({ name: 'send', arguments: {} }).catch((error: unknown) => error);
}

describe.each(LIMITS)('CL-19 ER-33 EM-20 %s %d of another server', (dialect, code, words, data) => {
  const repeated =
    /^\{"jsonrpc":"2\.0","id":2,"(?:error|result":\{"error)":\{"code":(?:-32009|-32010|-32003|3001),/;

  it('is not said of this call: made anew of its number and words', async () => {
    const heard = new McpError(code, words, data);
    const anew = (): unknown => new McpError(heard.code, heard.message, heard.data);
    const anewInV2 = (): unknown => new ProtocolError(heard.code, heard.message, heard.data);
    expect(await answerOf(dialect, anew)).not.toMatch(repeated);
    expect(await answerOf(dialect, anewInV2)).not.toMatch(repeated);
  });

  it('is not said of this call: named as the cause', async () => {
    const heard = new ProtocolError(code, `MCP error ${code}: ${words}`, data);
    const around = (): unknown => Object.assign(new ProtocolError(code, words, data), { cause: heard });
    expect(await answerOf(dialect, around)).not.toMatch(repeated);
  });

  it('is not said of this call: carried by the error that was made of it, under any name', async () => {
    const heard = await heardFromPeer(code, words, data);
    const around = (more: object) => () => Object.assign(new ProtocolError(code, words, data), more);
    const hidden = Object.defineProperty({}, 'inner', { value: heard });
    const deep = { original: new Error('Mail failed', { cause: heard }) };
    const ways = [{ originalError: heard }, { inner: heard }, { errors: [new Error('x'), heard] }, deep];
    for (const more of [...ways, { context: { error: heard } }])
      expect(await answerOf(dialect, around(more))).not.toMatch(repeated);
    const unlisted = () => Object.assign(new ProtocolError(code, words, data), { detail: hidden });
    expect(await answerOf(dialect, unlisted)).not.toMatch(repeated);
    const inData = () => new ProtocolError(code, words, { ...data, error: heard });
    expect(await answerOf(dialect, inData)).not.toMatch(repeated);
  });

  it('is not said of this call: its number inside the words of this one', async () => {
    const { message } = new McpError(code, words, data);
    const told = `Mail failed: ${message}`;
    expect(await answerOf(dialect, () => new McpError(code, told, data))).not.toMatch(repeated);
    expect(await answerOf(dialect, () => new ProtocolError(code, told, data))).not.toMatch(repeated);
  });

  it('is said where the author carries something else', async () => {
    const loop: { self?: unknown } = {};
    loop.self = loop;
    const hostile = Object.defineProperty({}, 'broken', {
      enumerable: true,
      get: () => {
        throw new Error('no');
      },
    });
    const more = { request: loop, attempt: 1, cause: new Error('The till is busy'), hostile };
    const stated = () => Object.assign(new ProtocolError(code, words, data), more);
    expect(await answerOf(dialect, stated)).toMatch(repeated);
  });

  it('is said where the author says it', async () => {
    expect(await answerOf(dialect, () => new ProtocolError(code, words, data))).toMatch(repeated);
    expect(await answerOf(dialect, () => new McpError(code, words, data))).toMatch(repeated);
    class TillError extends McpError {}
    expect(await answerOf(dialect, () => new TillError(code, words, data))).toMatch(repeated);
  });
});

describe('a fault of another call in place of options', () => {
  const reading = read({ http: { status: 429, headers: { 'retry-after': '1' }, body: '' } });
  const foreign = reading.failure ? reading.fault : makeFault({ kind: 'internal' });
  const MailBusy = defineFault('MAIL_BUSY', {
    kind: 'rate_limited',
    message: 'Mail is busy',
    meaning: 'The mail server is busy',
  });
  const { kind: _kind, message, ...rest } = foreign;
  const { native: _native, origin: _origin, reaction: _reaction, ...less } = rest;
  // Its `retry` is whole, so that it is taken as it came.
  const document = { kind: 'rate_limited', executed: 'no', retry: { when: 'after_wait', after_ms: 1000 } };
  const said = fromDocument(JSON.parse(JSON.stringify(document)));
  const { kind: _of, message: _said, reaction: _why, origin: _who, native: _in, ...parts } = said as Fault;
  const WAYS: readonly (readonly [string, () => unknown])[] = [
    ['spread', () => fault.rateLimited(`Mail is busy: ${message}`, { ...foreign })],
    ['without its kind and message', () => fault.rateLimited(`Mail is busy: ${message}`, rest)],
    ['without much more', () => fault.rateLimited(`Mail is busy: ${message}`, less)],
    [
      'copied through JSON, without its kind',
      () => fault.rateLimited('Mail', JSON.parse(JSON.stringify(rest))),
    ],
    ['as it was said by another kit, without much more', () => fault.rateLimited('Mail', parts)],
    ['by its kind', () => fault(foreign.kind, `Mail: ${message}`, rest)],
    ['with a cause', () => fault.rateLimited('Mail is busy', { ...rest, cause: new Error('mail') })],
    ['for a defined fault', () => MailBusy({}, { ...foreign })],
    ['for a defined fault, without its kind', () => MailBusy({}, rest as object)],
  ];

  it('says that nothing was done of that call', () => {
    expect(foreign).toMatchObject({ kind: 'rate_limited', executed: 'no' });
  });

  describe.each(DIALECTS)('%s', (dialect) => {
    it.each(WAYS)('has no limit of this one: %s', async (_, thrown) => {
      expect(await answerOf(dialect, thrown)).not.toMatch(WAITED_OUT[dialect]);
    });
  });

  it.each(WAYS)('does not say that nothing was done of this one: %s', async (_, thrown) => {
    const server = guard(new McpServer({ name: 's', version: '1' }));
    server.registerTool('book', {}, async () => {
      throw thrown();
    });
    const wire = await connectRaw(server as never);
    const clientInfo = { name: 'c', version: '1' };
    await wire.ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
    const answer = await wire.ask('tools/call', { name: 'book', arguments: {} });
    expect(answer).toMatchObject({ result: { _meta: { 'dev.mayday/fault': { executed: 'maybe' } } } });
  });

  it('leaves what the author says of this one', () => {
    const own = { executed: 'no', retry: { afterMs: foreign.retry.afterMs ?? 0 } } as const;
    expect(saidExecuted(fault.rateLimited('Mail is busy', own))).toBe('no');
    const kept = { afterMs: 1000 } as const;
    const twice = [1, 2].map(() => fault.rateLimited('Mail is busy', { executed: 'no', retry: kept }));
    expect(twice.map(saidExecuted)).toEqual(['no', 'no']);
    expect(saidExecuted(MailBusy({}, { executed: 'no', afterMs: 5, cause: new Error('mail') }))).toBe('no');
  });
});

it.each([
  ['closient', /"code":-32003/],
  ['erlmcp', /"code":-32010/],
  ['qaqnuz', /Rate limit exceeded/],
] as const)(
  'a limit that the author states stays one, where nothing was changed: %s',
  async (dialect, form) => {
    const stated =
      (options: object): (() => unknown) =>
      () =>
        fault.rateLimited('Slow down', { retry: { afterMs: 1000 }, ...options });
    expect(await answerOf(dialect, stated({ executed: 'no' }))).toMatch(form);
    expect(await answerOf(dialect, stated({}), true)).toMatch(form);
    expect(await answerOf(dialect, stated({}))).not.toMatch(form);
    expect(await answerOf(dialect, stated({ retryable: true }))).not.toMatch(form);
  },
);

it('QA-13 words about a limit, where a change was made, are no limit', async () => {
  const saved = (): unknown =>
    fault.internal('Plan saved, but the rate limit could not be updated', { executed: 'yes' });
  const conflict = (): unknown => fault.conflict('The rate limit of this plan was changed in between');
  expect(await answerOf('qaqnuz', saved)).toContain('Plan saved, but the limit could not be updated');
  expect(await answerOf('qaqnuz', conflict)).toContain('The limit of this plan was changed in between');
  expect(await answerOf('qaqnuz', conflict, true)).toContain('The rate limit of this plan');
  const nested = (): unknown => fault.conflict('Rate rate limit limit is 3');
  expect(await answerOf('qaqnuz', nested)).not.toMatch(/rate limit/i);
});

it.each([
  ['closient', /"retryable":true|try again/],
  ['platica', /try again/],
] as const)('what was done is not to be tried again, in the words either: %s', async (dialect, invites) => {
  const done = (): unknown => fault.unavailable('Till is down', { executed: 'yes' });
  expect(await answerOf(dialect, done)).not.toMatch(invites);
});

it('CL-19 a limit that a handler returns is told as one that may have come after the work', async () => {
  const [, code, message, data] = LIMITS[3] as (typeof LIMITS)[number];
  const server = guard(new McpServer({ name: 's', version: '1' }), { dialect: 'closient' });
  const result = {
    isError: true,
    content: [{ type: 'text' as const, text: 'x' }],
    error: { code, message, data },
  };
  server.registerTool('book', {}, async () => result);
  const wire = await connectRaw(server as never);
  const clientInfo = { name: 'c', version: '1' };
  await wire.ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  const answer = await wire.ask('tools/call', { name: 'book', arguments: {} });
  expect(answer).toMatchObject({ result: { _meta: { 'dev.mayday/error': { happened: 'maybe' } } } });
});

it('CL-10 what was done is not to be tried again in Closient, whatever its author wishes: text and flag agree', async () => {
  const wished = (): unknown => fault.internal('Booked, mail failed', { executed: 'yes', retryable: true });
  const answer = await answerOf('closient', wished);
  expect(answer).toContain('"retryable":false');
  expect(answer).not.toMatch(/call again|try again/);
});

describe.each(DIALECTS)(
  'a limit in %s of which its author says that it may have been met after the work',
  (dialect) => {
    it.each(['maybe', 'yes'] as const)('is none that anybody waits out: %s', async (executed) => {
      const thrown = () => fault.rateLimited('Busy', { executed, retry: { afterMs: 1000 } });
      expect(await answerOf(dialect, thrown)).not.toMatch(WAITED_OUT[dialect]);
    });
  },
);

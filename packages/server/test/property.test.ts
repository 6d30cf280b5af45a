/**
 * Whatever is thrown from whatever handler, with secrets planted everywhere: exactly one valid answer, and
 * no secret in any byte of it.
 */
import { fault } from '@mayday/core';
import {
  InMemoryTransport,
  type McpServer,
  ProtocolError,
  McpServer as Sdk,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { runs } from '../../../test/runs.ts';
import { type GuardOptions, guard } from '../src/index.ts';
import type { Message } from '../src/shapes.ts';
import { ENVELOPE, type Era } from './wire.ts';

/** Secrets of the kinds that drivers and clients put into their errors, each with a part to look for. */
const secret = fc
  .record({
    tail: fc.stringMatching(/^[A-Za-z0-9]{24}$/),
    shape: fc.constantFrom<(tail: string) => string>(
      (tail) => `postgres://svc:${tail}@10.0.0.5:5432/prod`,
      (tail) => `Authorization: Bearer ${tail}`,
      (tail) => `password=${tail}`,
      (tail) => `sk_live_${tail}`,
      (tail) => `ghp_${tail}AbCdEf123456`,
    ),
  })
  .map(({ tail, shape }) => ({ tail, text: `request failed: ${shape(tail)}` }));

type Throwable = (text: string) => unknown;

/** Everything that can be thrown. */
const THROWABLES: { readonly [name: string]: Throwable } = {
  error: (text) => new Error(text),
  'type error': (text) => new TypeError(text, { cause: new Error(text) }),
  'aggregate error': (text) => new AggregateError([new Error(text)], text),
  string: (text) => text,
  number: () => 42,
  bigint: () => 10n,
  symbol: (text) => Symbol(text),
  null: () => null,
  undefined: () => undefined,
  function: (text) => () => text,
  object: (text) => ({ message: text, code: 11000, data: { text } }),
  'object without prototype': (text) => Object.assign(Object.create(null), { message: text }),
  array: (text) => [text],
  'error with integer code and data': (text) => Object.assign(new Error(text), { code: 23, data: { text } }),
  'system error': (text) =>
    Object.assign(new Error(text), { code: 'ECONNREFUSED', address: text, path: text }),
  'HTTP error': (text) =>
    Object.assign(new Error(text), {
      status: 503,
      response: { data: text, headers: { authorization: text } },
    }),
  'zod error': (text) => z.object({ a: z.string().refine(() => false, text) }).safeParse({ a: text }).error,
  'dom exception': (text) => new DOMException(text, 'AbortError'),
  'protocol error': (text) => new ProtocolError(-32603, text, { text }),
  'protocol error in the reserved range': (text) => new ProtocolError(-32050, text, { deep: [{ text }] }),
  'elicitation with nothing in it': () => Object.assign(new Error('x'), { code: -32042 }),
  fault: (text) => fault.upstreamFailed(text, { cause: new Error(text), details: { text }, advice: text }),
  'getter that throws': (text) =>
    Object.defineProperty(new Error('x'), 'message', {
      get() {
        throw new Error(text);
      },
    }),
  'code getter that throws': (text) =>
    Object.defineProperty({}, 'code', {
      get() {
        throw new Error(text);
      },
    }),
  'proxy that throws': (text) =>
    new Proxy(
      {},
      {
        get() {
          throw new Error(text);
        },
        getPrototypeOf() {
          throw new Error(text);
        },
      },
    ),
  'thenable that throws': (text) => ({
    // biome-ignore lint/suspicious/noThenProperty: that is what is thrown
    get then() {
      throw new Error(text);
    },
  }),
};

const HANDLERS = {
  tool: ['tools/call', { name: 'x' }],
  resource: ['resources/read', { uri: 'x://x' }],
  prompt: ['prompts/get', { name: 'x' }],
  method: ['acme/x', {}],
} as const;

function makeServer(run: () => unknown, options: GuardOptions | false): McpServer {
  const plain = new Sdk({ name: 's', version: '1' });
  const server = options === false ? plain : guard(plain, options);
  server.registerTool('x', {}, run as never);
  server.registerResource('x', 'x://x', {}, run as never);
  server.registerPrompt('x', {}, run as never);
  server.server.setRequestHandler('acme/x', { params: z.looseObject({}) }, run as never);
  return server;
}

/** All that a server sends after one request, until a second one is answered. */
async function allAnswers(
  server: () => McpServer,
  era: Era,
  method: string,
  params: object,
): Promise<Message[]> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const seen: Message[] = [];
  const handle = serveStdio(server, { transport: far });
  const meta = era === '2026-07-28' ? { _meta: ENVELOPE } : {};
  const barrier = new Promise<void>((resolve) => {
    near.onmessage = (message) => {
      if ((message as Message).id === 'barrier') resolve();
      else seen.push(message as Message);
    };
  });
  await near.start();
  await near.send({ jsonrpc: '2.0', id: 1, method, params: { ...params, ...meta } } as never);
  await new Promise((resolve) => setImmediate(resolve));
  await near.send({ jsonrpc: '2.0', id: 'barrier', method: 'tools/list', params: meta } as never);
  await barrier;
  await handle.close();
  return seen;
}

/** Is it one of the two forms that the specification has for an answer? */
function isValid(message: Message | undefined): boolean {
  const { jsonrpc, id, result, error } = message ?? {};
  if (jsonrpc !== '2.0' || id !== 1) return false;
  if (error !== undefined) {
    const reserved = error.code <= -32020 && error.code >= -32099;
    return (
      result === undefined && Number.isInteger(error.code) && !reserved && typeof error.message === 'string'
    );
  }
  const content = result?.['content'];
  return result?.['isError'] === true && Array.isArray(content) && typeof content[0]?.text === 'string';
}

describe.each(['2025-11-25', '2026-07-28'] as const)('in the era of %s', (era) => {
  it.each(Object.entries(HANDLERS))(
    'a %s that throws anything gets one valid answer without secrets',
    async (_kind, [method, params]) => {
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...Object.keys(THROWABLES)),
          secret,
          fc.boolean(),
          fc.constantFrom(
            'mayday',
            'mcp',
            'problem',
            'tool-failure',
            'onx',
            'closient',
            'erlmcp',
            'qaqnuz',
            'platica',
          ) as fc.Arbitrary<NonNullable<GuardOptions['dialect']>>,
          async (name, { text, tail }, synchronous, dialect) => {
            const throwing = (): never => {
              throw (THROWABLES[name] as Throwable)(text);
            };
            const run = synchronous ? throwing : async () => throwing();
            const answers = await allAnswers(() => makeServer(run, { dialect }), era, method, params);
            expect(answers).toHaveLength(1);
            expect(JSON.stringify(answers)).not.toContain(tail);
            expect(
              isValid(answers[0]) || ['erlmcp', 'closient', 'onx', 'qaqnuz', 'platica'].includes(dialect),
            ).toBe(true);
          },
        ),
        { numRuns: runs(120) },
      );
    },
  );

  it.each(Object.entries(HANDLERS))(
    'a %s that returns anything gets one answer that can be sent',
    async (_kind, [method, params]) => {
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...Object.keys(THROWABLES)), secret, async (name, { text }) => {
          const run = () => (THROWABLES[name] as Throwable)(text);
          const answers = await allAnswers(() => makeServer(run, {}), era, method, params);
          expect(answers).toHaveLength(1);
          expect(() => JSON.stringify(answers)).not.toThrow();
        }),
        { numRuns: 60 },
      );
    },
  );
});

it('is not what a plain server does', async () => {
  const throwing = async (reason: unknown): Promise<Message[]> =>
    allAnswers(() => makeServer(() => Promise.reject(reason), false), '2026-07-28', 'prompts/get', {
      name: 'x',
    });
  expect(JSON.stringify(await throwing(new Error('password=tail')))).toContain('tail');
  expect(await throwing(null)).toHaveLength(0);
  expect(isValid((await throwing(new ProtocolError(-32050, 'x')))[0])).toBe(false);
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/runs.ts';
import { DIALECTS } from '../src/dialects/index.ts';
import { type DialectId, type Executed, type Fault, read, write } from '../src/index.ts';
import { faults, nearWires } from './arbitraries.ts';
import { NOW } from './helpers.ts';

/** What a form must not change. */
function meaning(value: unknown, from: DialectId | undefined): Meaning {
  const reading = read(value, { now: NOW, from });
  if (!reading.failure) return 'success';
  const { kind, reaction, retryable, subject, executed } = reading.fault;
  return { kind, reaction, retryable, subject, executed };
}

type Meaning = 'success' | { readonly executed: Executed; readonly [member: string]: unknown };

/** Everything that a tool's result can come in without being doubted. */
const FORMS: { readonly [name: string]: (result: object) => unknown } = {
  bare: (result) => result,
  'a result member': (result) => ({ result }),
  'JSON-RPC': (result) => ({ jsonrpc: '2.0', id: 7, result }),
  'JSON-RPC as text': (result) => JSON.stringify({ jsonrpc: '2.0', id: 'x', result }),
  'bare as text': (result) => JSON.stringify(result),
  'a batch': (result) => [{ jsonrpc: '2.0', id: 1, result }],
  'an HTTP 200': (result) => http(200, { jsonrpc: '2.0', id: 1, result }),
  'an HTTP 200, bare': (result) => http(200, result),
  'an event': (result) => http(200, event({ jsonrpc: '2.0', id: 1, result })),
  'an event as text': (result) => event({ jsonrpc: '2.0', id: 1, result }),
  'an event of several lines': (result) =>
    `id: 4\r\n${JSON.stringify({ jsonrpc: '2.0', id: 1, result }, null, 1).replace(/^/gm, 'data:').replaceAll('\n', '\r\n')}\r\n\r\n`,
  'an event between others': (result) =>
    `: hello\n\n${event(PROGRESS)}${event({ jsonrpc: '2.0', id: 1, result })}${event(PROGRESS)}`,
  'an event that was cut off behind its message': (result) => `data: ${JSON.stringify({ result })}`,
};

const PROGRESS = {
  jsonrpc: '2.0',
  method: 'notifications/progress',
  params: { progress: 1, message: 'data: {}' },
};

function event(message: object): string {
  return `event: message\ndata: ${JSON.stringify(message)}\n\n`;
}

/** A failing status changes nothing, but that what would refuse before the work may have been said after it. */
const FAILING: { readonly [name: string]: (result: object) => unknown } = {
  'an HTTP 400': (result) => http(400, { jsonrpc: '2.0', id: 1, result }),
  'an HTTP 429': (result) => http(429, { jsonrpc: '2.0', id: 1, result }),
  'an HTTP 500, bare': (result) => http(500, result),
  'an HTTP 503 as text': (result) => http(503, JSON.stringify({ jsonrpc: '2.0', id: 1, result })),
};

function http(status: number, body: unknown): object {
  return { http: { status, headers: { 'content-type': 'application/json' }, body } };
}

function expectOneMeaning(result: object, from: DialectId | undefined): void {
  const expected = meaning({ jsonrpc: '2.0', id: 1, result }, from);
  for (const [name, form] of Object.entries(FORMS))
    expect([name, meaning(form(result), from)]).toEqual([name, expected]);
  for (const [name, form] of Object.entries(FAILING))
    expect([name, inDoubt(meaning(form(result), from))]).toEqual([name, inDoubt(expected)]);
}

function inDoubt(said: Meaning): unknown {
  return said !== 'success' && said.executed === 'no' ? { ...said, executed: 'maybe' } : said;
}

const ids = DIALECTS.map((dialect) => dialect.id);
const TEXTS = [
  'Rate limit exceeded, retry in 5 s',
  'Error',
  '',
  'This tool is not available for your key.',
  'connect ECONNREFUSED 127.0.0.1:80',
  '{"code":404,"error":"Client not found"}',
  '{"status":503,"title":"Service Unavailable"}',
  'MCP error -32602: Tool pay not found',
  'Request failed with status code 500',
  '[{"path":["a"],"message":"Required","code":"invalid_type"}]',
];
const text = fc.constantFrom(...TEXTS);
const code = fc.constantFrom(3001, 4001, 4002, 2002, 5999, -32003, -32200, -32602, -32603, -32001, 429, 500);

/** Failing results, as tools write them. */
const results: fc.Arbitrary<object> = fc.oneof(
  fc.record({ isError: fc.constant(true), content: text.map((said) => [{ type: 'text', text: said }]) }),
  fc.record({
    isError: fc.constant(true),
    content: fc.oneof(
      fc.constant([]),
      text.map((said) => [{ type: 'text', text: said }]),
    ),
    error: fc.record({ code, message: text, retryable: fc.boolean() }),
  }),
  fc.record({
    isError: fc.constant(true),
    content: fc.constant([]),
    structuredContent: fc.record({ code, error: text, status: fc.constantFrom(400, 429, 503) }),
  }),
  fc.record({ error: fc.record({ code, message: text, retryable: fc.boolean() }) }),
  fc.record({ resultType: fc.constant('input_required'), inputRequests: fc.constant({}) }),
);

describe('law 8: form does not change meaning', () => {
  it('a result says the same in everything it comes in', () => {
    fc.assert(
      fc.property(results, fc.constantFrom(undefined, ...ids), (result, from) => {
        expectOneMeaning(result, from);
      }),
      { numRuns: runs(1500), seed: 8 },
    );
  });

  it('a good result is one in everything it comes in', () => {
    const good = fc.record(
      {
        content: text.map((said) => [{ type: 'text', text: said }]),
        isError: fc.constant(false),
        structuredContent: fc.record({ code, status: fc.constantFrom(200, 404), error: text }),
        _meta: fc.constant({ note: 1 }),
      },
      { requiredKeys: ['content'] },
    );
    fc.assert(
      fc.property(good, (result) => {
        expect(meaning(result, undefined)).toBe('success');
        expectOneMeaning(result, undefined);
      }),
      { numRuns: runs(500) },
    );
  });

  it.each([
    { message: 'gone', content: 'x' },
    { content: null, detail: 'no' },
    { _meta: { trace: 1 } },
    { content: [] },
  ])('a body of another interface is no result: %j', (body) => {
    expect(meaning(http(500, body), undefined)).not.toBe('success');
    expect(meaning(http(404, JSON.stringify(body)), undefined)).not.toBe('success');
  });

  it.each(['data: the disk is full', 'event: rate limit exceeded', 'id: 4\nretry: 10'])(
    'what only begins like an event is text: %j',
    (words) => {
      expect(meaning(words, undefined)).toEqual(
        meaning({ isError: true, content: [{ type: 'text', text: words }] }, undefined),
      );
    },
  );

  it.each([
    'closient',
    'onx',
    'qaqnuz',
    'platica',
    'mcp',
    'mcp@2025-11-25',
    'mcp@draft',
    'tool-failure',
    'mayday',
  ] as const)('a result written by %s says the same in everything it comes in', (id) => {
    fc.assert(
      fc.property(faults, (said: Fault) => {
        const { wire } = write(said, id, { id: 1, now: NOW, method: 'tools/call', placement: 'tool' });
        const { result } = wire as { result?: object };
        fc.pre(result !== undefined);
        expectOneMeaning(result as object, undefined);
      }),
      { numRuns: runs(100) },
    );
  });

  it('whatever looks like a result is read alike', () => {
    const near = nearWires.filter((wire) => {
      const { result } = wire as { result?: { isError?: unknown } };
      return result?.isError === true;
    });
    fc.assert(
      fc.property(near, (wire) => {
        expectOneMeaning((wire as { result: object }).result, undefined);
      }),
      { numRuns: runs(500) },
    );
  });

  it('a JSON-RPC error says the same alone, as text, in a batch and in an HTTP 200', () => {
    fc.assert(
      fc.property(faults, fc.constantFrom(...ids), (said, id) => {
        const { wire } = write(said, id, { id: 1, now: NOW, method: 'resources/read' });
        fc.pre('error' in wire);
        const expected = meaning(wire, undefined);
        expect(meaning(JSON.stringify(wire), undefined)).toEqual(expected);
        expect(meaning([wire], undefined)).toEqual(expected);
        expect(meaning(http(200, wire), undefined)).toEqual(expected);
        expect(meaning(http(200, JSON.stringify(wire)), undefined)).toEqual(expected);
        expect(meaning(event(wire), undefined)).toEqual(expected);
        expect(meaning(http(200, event(wire)), undefined)).toEqual(expected);
      }),
      { numRuns: runs(500) },
    );
  });
});

import { type Dialect, language, read } from '@mayday/core';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decode, encode } from './json.ts';
import { createFailureFinder, hasPlaceForFailure } from './may-have-failed.ts';

const { hasFailed, mayHaveFailed, failureIn } = createFailureFinder(language);

const TOOL_FAILURE = 'io.modelcontextprotocol/toolFailure';

it.each([
  '{"id":1,"error":{"code":-32603,"message":"x"}}',
  '{"id":1,"error":"password=hunter2"}',
  '{"id":1,"error":["x"]}',
  '{"id":1,"error":true}',
  '{"id":1,"\\u0065rror":{"code":1}}',
  '{"id":1,"error":null}',
  '{"id":1,"result":{"content":[],"isError":true}}',
  '{"id":1,"result":{"content":[],"isError":"true"}}',
  '{"id":1,"result":{"content":[],"isError":1}}',
  '{"id":1,"result":{"content":[],"isError" :\n true}}',
  '{"id":1,"result":{"content":[],"isErr\\u006fr":true}}',
  '{"id":1,"result":{"content":[],"\\u0069sError":true}}',
  '{"id":1,"result":{"content":[],"isErr\\u006Fr":true}}',
  `{"id":1,"result":{"_meta":{"${TOOL_FAILURE}":{"class":"reliability"}}}}`,
  `{"id":1,"result":{"_meta":{"io.modelcontextprotocol\\/toolFailure":{"class":"reliability"}}}}`,
  `{"id":1,"result":{"_meta":{"io.modelcontextprotocol/tool\\u0046ailure":{}}}}`,
  '{"id":1,"result":{"error":{"code":4001,"message":"x"}}}',
  '{"id":1,"result":{"error":"it broke"}}',
  '{"id":1,"result":{"error":["it broke"]}}',
  '{"id":1,"result":{"isError":false,"error":"it broke","_meta":{}}}',
  '{"id":1,"result":{"content":[],"error":{"code":-32003,"message":"x"}}}',
])('opens %s and finds a failure', (text) => {
  const bytes = Buffer.from(text);
  expect([mayHaveFailed(bytes), hasFailed(decode(bytes))]).toEqual([true, true]);
});

it.each([
  '{"id":1,"result":{"content":[{"type":"text","text":"fine"}]}}',
  '{"id":1,"result":{"content":[],"isError":false}}',
  '{"id":1,"result":{"content":[],"isError": false}}',
  '{"id":1,"result":{"content":[{"type":"text","text":"{\\"error\\": \\"quoted inside text\\"}"}]}}',
  '{"id":1,"result":{"content":[{"type":"text","text":"a \\u003c b \\u0026 c\\u0000 caf\\u00e9"}]}}',
])('passes %s without opening it', (text) => {
  expect(mayHaveFailed(Buffer.from(text))).toBe(false);
  expect(hasFailed(decode(Buffer.from(text)))).toBe(false);
});

it.each([
  '{"id":1,"result":{"structuredContent":{"error":null}}}',
  '{"id":1,"result":{"content":[{"type":"text","text":"no"}],"valid":false,"error":"Invalid check digit"}}',
  '{"id":1,"result":{"valid":false,"error":"Invalid check digit"}}',
  '{"id":1,"result":{"content":[],"error":{"message":"none"}}}',
  '{"id":1,"result":{"content":[],"error":{}}}',
  '{"id":1,"result":{"content":[],"error":["none"]}}',
  '{"id":1,"result":{"structuredContent":{"error_class":"retryable","sanitized_error":"later"}}}',
  '{"id":1,"result":{},"error":null}',
  '{"id":1,"result":{"isError":"false"}}',
  '{"id":1,"result":{"isError":null,"error":null}}',
  '{"id":1,"result":{"resultType":"input_required","inputRequests":{"a":{"error":{}}}}}',
  '{"id":1,"result":{"content":[],"structuredContent":{"isError":true}}}',
  '{"id":1,"result":{"content":[{"type":"text","text":"\\u0065"}]}}',
])('opens %s and finds a success', (text) => {
  expect(mayHaveFailed(Buffer.from(text))).toBe(true);
  expect(hasFailed(decode(Buffer.from(text)))).toBe(false);
});

it.each([undefined, null, 'error', [], { method: 'x', params: { error: {} } }, { id: 1, result: [1] }])(
  'finds no failing answer in %j',
  (value) => {
    expect(hasFailed(value)).toBe(false);
  },
);

it('sees isError behind an earlier false one', () => {
  expect(mayHaveFailed(Buffer.from('{"a":{"isError":false},"isError" : true}'))).toBe(true);
});

/** Keys and texts spelt with escapes wherever JSON allows it. */
function escaped(json: string, letters: readonly boolean[]): string {
  let i = 0;
  return json.replace(/[a-z]/gi, (letter) =>
    letters[i++ % letters.length] === true ? `\\u00${letter.charCodeAt(0).toString(16)}` : letter,
  );
}

const wire = fc.record({
  jsonrpc: fc.constant('2.0'),
  id: fc.constant(1),
  result: fc.record(
    {
      isError: fc.oneof(fc.boolean(), fc.constantFrom('true', 'false', 1, 0, null)),
      error: fc.oneof(
        fc.string(),
        fc.record({ code: fc.integer(), message: fc.string() }),
        fc.constant(null),
      ),
      content: fc.constant([]),
      _meta: fc.dictionary(fc.constantFrom(TOOL_FAILURE, 'other'), fc.jsonValue(), { maxKeys: 2 }),
    },
    { requiredKeys: [] },
  ),
});

it('never says no to a failure, however it is spelt', () => {
  fc.assert(
    fc.property(wire, fc.array(fc.boolean(), { minLength: 1 }), (message, letters) => {
      fc.pre(hasFailed(message));
      const text = JSON.stringify(message, (_key, value: unknown) => value);
      const keys = text.replace(/"(\w+|io\.[\w./]+)":/g, (key) => escaped(key, letters));
      expect(hasFailed(decode(Buffer.from(keys)))).toBe(true);
      expect(mayHaveFailed(Buffer.from(keys))).toBe(true);
    }),
  );
});

it('calls a failure what the language reads as one by its form', () => {
  fc.assert(
    fc.property(wire, (message) => {
      fc.pre(read(message).failure);
      expect([hasFailed(message), mayHaveFailed(encode(message))]).toEqual([true, true]);
    }),
  );
});

it('never overlooks the place of a failure, wherever it stands', () => {
  const member = fc.constantFrom('isError', 'error', '_meta', 'content', 'x', 'result');
  const value = fc.oneof(
    fc.constantFrom<unknown>(true, false, null, '', 'isError'),
    fc.dictionary(member, fc.boolean()),
  );
  const message = fc.record(
    { id: fc.constant(1), result: fc.oneof(value, fc.dictionary(member, value)), error: value },
    { requiredKeys: ['id'] },
  );
  fc.assert(
    fc.property(message, (said) => {
      const isFound = hasPlaceForFailure(Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...said })));
      expect(isFound || !hasFailed(said)).toBe(true);
    }),
    { numRuns: 3000 },
  );
});

it('passes over a success that only talks about errors', () => {
  const talk = {
    content: [{ type: 'text', text: '{"error": "isError"}', error: 1 }],
    structuredContent: { error: 1 },
  };
  expect(hasPlaceForFailure(Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, result: talk })))).toBe(
    false,
  );
});

const padding = 'x'.repeat(100_000);

it('finds a failure in a large answer, where it stands or by its mark', () => {
  const large = (result: object) => encode({ id: 1, result: { content: [{ text: padding }], ...result } });
  expect(failureIn(large({ isError: true }))).toBeDefined();
  expect(failureIn(large({ _meta: { [TOOL_FAILURE]: { class: 'reliability' } } }))).toBeDefined();
  expect(failureIn(large({ structuredContent: { error: 'only talk' } }))).toBeUndefined();
});

/** Failures that look like successes to everybody else. */
const acme: Dialect = {
  id: 'acme',
  title: 'Acme',
  codes: [],
  recognise: () => 0,
  read: () => undefined,
  write: () => ({ wire: { jsonrpc: '2.0' } }),
  fails: ({ result }) => result?.['trouble'] !== undefined,
};
const trouble = encode({ id: 1, result: { content: [], trouble: 'E7' } });

it.each([
  ['with its marks', { ...acme, failureMarks: ['"trouble"'] }],
  ['without marks', acme],
])('asks a dialect of somebody’s own, %s', (_how, dialect) => {
  expect(failureIn(trouble)).toBeUndefined();
  const larger = createFailureFinder(language.with(dialect));
  expect(larger.failureIn(trouble)).toEqual({ id: 1, result: { content: [], trouble: 'E7' } });
  expect(larger.failureIn(encode({ id: 1, result: { content: [] } }))).toBeUndefined();
});

it('makes no failure of an answer that a dialect chokes on', () => {
  const broken: Dialect = {
    ...acme,
    fails() {
      throw new Error('a bug of somebody’s own');
    },
  };
  expect(createFailureFinder(language.with(broken)).failureIn(trouble)).toBeUndefined();
  expect(language.with(broken).read(decode(trouble))).toMatchObject({ failure: false });
});

it('does not open answers for a dialect that has marks', () => {
  const { mayHaveFailed: may } = createFailureFinder(language.with({ ...acme, failureMarks: ['"trouble"'] }));
  expect(may(encode({ id: 1, result: { content: [] } }))).toBe(false);
  expect(may(trouble)).toBe(true);
});

it('sees in a short answer what it sees in a long one', () => {
  const words = [
    '"error"',
    '"isError":false',
    '"isError":true',
    '\\u006f',
    '\\u0020',
    'toolFailure',
    'é',
    '{}',
  ];
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.constantFrom(...words), fc.string()), { maxLength: 4 }), (parts) => {
      const short = Buffer.from(parts.join(' '));
      const long = Buffer.concat([short, Buffer.alloc(8192, ' ')]);
      expect(mayHaveFailed(short)).toBe(mayHaveFailed(long));
    }),
  );
});

import { describe, expect, it } from 'vitest';
import { areTexts, isJsonSafe } from './json-safe.ts';
import { isSound } from './results.ts';

function nested(depth: number, inner: unknown = 1): unknown {
  let value = inner;
  for (let i = 0; i < depth; i++) value = i % 2 === 0 ? [value] : { value };
  return value;
}

const cyclic: { self?: unknown } = {};
cyclic.self = cyclic;
const throwing = {
  get member() {
    throw new Error('no');
  },
};
const ofClass = new (class {
  big = 1n;
})();
const toNothing = { toJSON: () => 'fine' };
const toTrouble = {
  toJSON() {
    throw new Error('no');
  },
};

describe('what can be sent', () => {
  it.each([
    [undefined],
    [null],
    [1],
    ['x'],
    [true],
    [[]],
    [{}],
    [[null, 1, 'x', undefined, { a: null, b: [], c: undefined, f: () => 1 }]],
    [{ a: 'x', b: { c: ['x', { d: 1 }] } }],
    [toNothing],
    [Object.create(null)],
    [new Date(0)],
    [nested(512)],
  ])('%o', (value) => {
    expect(isJsonSafe(value)).toBe(true);
  });

  it.each([
    ['a big integer', 1n],
    ['one in a list', [1, 1n]],
    ['one in an object', { a: 'x', b: 1n }],
    ['one further down', { a: [{ b: [1n] }] }],
    ['one in a class', ofClass],
    ['one behind a string', { a: ofClass }],
    ['a circle', cyclic],
    ['a circle in a list', [cyclic]],
    ['a getter that throws', throwing],
    ['a toJSON that throws', toTrouble],
    ['one that stands last', { a: 1, ...toTrouble }],
    ['what is too deep', nested(514)],
  ])('not %s', (_what, value) => {
    expect(isJsonSafe(value)).toBe(false);
  });
});

describe('content of texts', () => {
  const text = { type: 'text', text: 'x' };

  it.each([[[]], [[text]], [[text, text]]])('%o', (content) => {
    expect(areTexts(content)).toBe(true);
  });

  it.each([
    ['no list', text],
    ['a text without its type', [{ text: 'x' }]],
    ['a block of another form', [text, { type: 'image', data: '', mimeType: 'image/png' }]],
    ['a block with more in it', [{ ...text, annotations: { big: 1n } }]],
    ['a block that says itself what it is', [{ ...text, ...toTrouble }]],
    ['a big integer for a text', [{ type: 'text', text: 1n }]],
    ['a block of a class', [Object.assign(Object.create(ofClass), text)]],
    ['nothing in a list', [null]],
  ])('not %s', (_what, content) => {
    expect(areTexts(content)).toBe(false);
  });
});

describe('a handler’s result', () => {
  const text = { uri: 'a:b', text: '' };
  const message = { role: 'user', content: {} };

  it.each([
    ['tool', { content: 7 }],
    ['tool', { structuredContent: { n: 1 } }],
    ['tool', { _meta: {} }],
    ['tool', { toolResult: 1 }],
    ['resource', { contents: [] }],
    ['resource', { contents: [text, { uri: 'a:b', blob: '' }] }],
    ['resource', { resultType: 'input_required' }],
    ['prompt', { messages: [] }],
    ['prompt', { messages: [message] }],
    ['prompt', { resultType: 'input_required' }],
  ] as const)('of a %s is sound: %j', (kind, result) => {
    expect(isSound(kind, result)).toBe(true);
  });

  it.each([
    ['tool', undefined],
    ['tool', null],
    ['tool', 'x'],
    ['tool', []],
    ['tool', {}],
    ['tool', { result: 42 }],
    ['resource', {}],
    ['resource', { resultType: 'complete' }],
    ['resource', { contents: {} }],
    ['resource', { contents: [text, null] }],
    ['resource', { contents: ['x'] }],
    ['resource', { contents: [{ text: '' }] }],
    ['resource', { contents: [{ uri: 'a:b' }] }],
    ['resource', { contents: [{ uri: 'a:b', text: 7 }] }],
    ['resource', { contents: [{ uri: 7, blob: '' }] }],
    ['prompt', {}],
    ['prompt', { messages: [message, null] }],
    ['prompt', { messages: [{ role: 'user' }] }],
    ['prompt', { messages: [{ role: 'user', content: null }] }],
    ['prompt', { messages: [{ role: 7, content: {} }] }],
    ['prompt', { messages: [{ role: 'user', content: 'x' }] }],
  ] as const)('of a %s is not: %j', (kind, result) => {
    expect(isSound(kind, result)).toBe(false);
  });
});

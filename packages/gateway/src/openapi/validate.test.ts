import { describe, expect, it } from 'vitest';
import { threadClock } from '../../../../bench/measure.ts';
import { createValidators } from './validate.ts';

const VALIDATORS = createValidators();

function issues(schema: object, args: unknown, size = 10): readonly string[] {
  return VALIDATORS.compile(JSON.stringify(schema))(args, size).map(
    ({ path, message, code }) => `${path.join('.')} ${code}: ${message}`,
  );
}

/** As operations have it that take files. */
const FILE = {
  type: 'object',
  description: 'A file: its content as `text`, or as `base64` when it is no text.',
  properties: {
    text: { type: 'string' },
    base64: { type: 'string', contentEncoding: 'base64' },
    filename: { type: 'string' },
  },
  additionalProperties: false,
};

const LIST = { type: 'object', properties: { list: { type: 'array', items: { type: 'string' } } } };

describe('arguments', () => {
  it('are told everything that is wrong with them', () => {
    const schema = {
      type: 'object',
      required: ['a'],
      additionalProperties: false,
      properties: {
        a: {},
        b: { enum: [1, 'x'] },
        c: { type: 'string', minLength: 2 },
        d: { format: 'date' },
      },
    };
    expect(issues(schema, { b: 2, c: '', d: 'today', extra: 1 }).toSorted()).toEqual([
      'a required: Required',
      'b invalid_value: Expected one of 1, "x"',
      'c too_small: Must NOT have fewer than 2 characters',
      'd invalid_format: Must match format "date"',
      'extra unrecognized_key: Unknown argument',
    ]);
  });

  it('are told what is wrong with what was meant, where there is a choice', () => {
    const address = { type: 'object', required: ['city'], properties: { city: { type: 'string' } } };
    const either = { anyOf: [address, { type: 'string', enum: [''] }, { type: 'null' }] };
    const schema = { properties: { a: either, list: { items: either } }, additionalProperties: false };
    expect(issues(schema, { a: {}, list: ['', { city: 7 }, null, { city: 'x' }] })).toEqual([
      'a.city required: Required',
      'list.1.city invalid_type: Must be string',
    ]);
    expect(issues(schema, { a: 7, lst: 1 })).toEqual([
      'lst unrecognized_key: Unknown argument; did you mean list?',
      'a invalid_value: Must be object, or must be string, or expected one of "", or must be null',
    ]);
  });

  it('are told where they belong, if that is in the body', () => {
    const body = { type: 'object', properties: { items: { type: 'array' } }, additionalProperties: false };
    const schema = { required: ['body'], properties: { body, item: {} }, additionalProperties: false };
    expect(issues(schema, { items: [], other: 1 }).toSorted()).toEqual([
      'body required: Required',
      'items unrecognized_key: Unknown argument; it belongs in body',
      'other unrecognized_key: Unknown argument',
    ]);
  });

  it('are told how a file is given', () => {
    const schema = { properties: { body: { properties: { file: FILE } } } };
    const isFile = 'invalid_type: Expected a file: an object with either text or base64';
    expect(issues(schema, { body: { file: 'hello' } })).toEqual([`body.file ${isFile}`]);
    expect(issues(schema, { body: { file: { text: 7 } } })).toEqual([
      'body.file.text invalid_type: Must be string',
    ]);
  });

  it('are told of the alternative that they name', () => {
    const animal = (kind: object, ...required: string[]) => ({
      type: 'object',
      required: ['kind', ...required],
      properties: { kind: { type: 'string', ...kind } },
    });
    const fixed = {
      properties: {
        a: { anyOf: [animal({ enum: ['cat'] }, 'meow'), animal({ const: 'dog' }, 'bark', 'size')] },
      },
    };
    expect(issues(fixed, { a: { kind: 'dog' } })).toEqual([
      'a.bark required: Required',
      'a.size required: Required',
    ]);
    expect(issues(fixed, { a: { kind: 'cow', meow: true } })).toEqual([
      'a.kind invalid_value: Expected one of "cat", "dog"',
    ]);
    const named = {
      properties: {
        a: { anyOf: [animal({ examples: ['Cat'] }, 'meow'), animal({ examples: ['Dog'] }, 'bark', 'size')] },
      },
    };
    expect(issues(named, { a: { kind: 'Dog' } })).toEqual([
      'a.bark required: Required',
      'a.size required: Required',
    ]);
    expect(issues(named, { a: { kind: 'cow' } })).toEqual([
      'a.kind invalid_value: Expected one of "Cat", "Dog"',
    ]);
    expect(issues(named, { a: { kind: 'cow', meow: true } })).toEqual([]);
    const same = { enum: ['a', 'b'] };
    expect(
      issues({ anyOf: [animal(same, 'meow'), animal(same, 'bark', 'size')] }, { kind: 'c' }).toSorted(),
    ).toEqual(['kind invalid_value: Expected one of "a", "b"', 'meow required: Required']);
  });

  it('are called what they like, and those of every object are nobody’s', () => {
    const schema = {
      type: 'object',
      required: ['toString'],
      additionalProperties: false,
      properties: { constructor: { type: 'string' }, valueOf: { type: 'number' }, toString: {} },
    };
    expect(issues(schema, { toString: 1 })).toEqual([]);
    expect(issues(schema, {})).toEqual(['toString required: Required']);
    expect(issues(schema, { constructor: 7, toString: 1, hasOwnProperty: 1 }).toSorted()).toEqual([
      'constructor invalid_type: Must be string',
      'hasOwnProperty unrecognized_key: Unknown argument',
    ]);
  });

  it('are told the first thing alone when they are many', () => {
    const list = Array(2_000_000).fill(1);
    const started = threadClock();
    expect(issues(LIST, { list }, list.length)).toEqual(['list.0 invalid_type: Must be string']);
    expect(threadClock() - started).toBeLessThan(3000);
  });

  it('have no item twice where each is to be another one', () => {
    const schema = { properties: { list: { type: 'array', uniqueItems: true } } };
    const twice = (i: number, j: number): string[] => [
      `list uniqueItems: Must NOT have the same item twice (${i} and ${j})`,
    ];
    expect(issues(schema, { list: ['a', 'b', 'a'] })).toEqual(twice(0, 2));
    expect(issues(schema, { list: [{}, { a: [1, { c: 2, b: 3 }] }, { a: [1.0, { b: 3, c: 2 }] }] })).toEqual(
      twice(1, 2),
    );
    expect(issues(schema, { list: [1, '1', [1], true, null, 'null', [], {}, { a: 1 }, [null]] })).toEqual([]);
    // Two that have one double in common.
    expect(issues(schema, { list: [2 ** 53, 2 ** 53, { id: 2 ** 60 }, { id: 2 ** 60 }] })).toEqual([]);
    expect(issues({ properties: { list: { uniqueItems: false } } }, { list: [1, 1] })).toEqual([]);
  });

  it('are not compared each with each', () => {
    const list = Array.from({ length: 200_000 }, (_, i) => ({ i }));
    const schema = { properties: { list: { uniqueItems: true } } };
    const started = threadClock();
    expect(issues(schema, { list }, 400_000)).toEqual([]);
    expect(issues(schema, { list: [...list, { i: 7 }] }, 400_000)).toHaveLength(1);
    expect(threadClock() - started).toBeLessThan(3000);
  });

  it.each([
    '^(a+)+$',
    '^(a|a)*$',
    '^(a|aa)+$',
    '^((a)+)+$',
    '^([a-z]+)*$',
    '(x+x+)+y',
    '^(?:a*)*$',
    '^((ab)*)*$',
    '^(?:aa?)+$',
    '^(a[ab]?)+$',
    '^(a?b?a?)*$',
    '^(a.?)+b$',
    '^(a[()]?)+$',
    '^(a\\)?)+$',
    '^(?<x>a\\u{61}?)+$',
    '^(?:(?:a?)){2,}b$',
    '^(a{1,2}){20,40}$',
    '^(a{0,9}){9}b$',
    '^(?=(aa?)+b)a',
    '^(aa?)+\\1$',
    '^[a]*a*a*a*a*a*b$',
    'a*a*a*a*a*b',
    '^(a|a|b)(a|a|b)(a|a|b)(a|a|b)(a|a|b)(a|a|b)(a|a|b)(a|a|b)(a|a|b)(a|a|b)(a|a|b)(a|a|b)(a|a|b)(a|a|b)(a|a|b)x$',
    `^${'a?'.repeat(40)}${'a'.repeat(40)}b$`,
    '^(((a{99}){99}){99}){99}$',
    '^(.*a){12}b$',
  ])('cannot stop anybody through the pattern %s', (pattern) => {
    const started = threadClock();
    issues({ properties: { a: { type: 'string', pattern } } }, { a: `${'a'.repeat(50_000)}!` });
    issues({ properties: { a: { type: 'string', pattern } } }, { a: `${'a'.repeat(60)}!` });
    expect(threadClock() - started).toBeLessThan(1000);
  });

  it('cannot stop anybody through a format', () => {
    const schema = { properties: { a: { type: 'string', format: 'url' } } };
    const started = threadClock();
    issues(schema, { a: `http://1.${':'.repeat(200_000)}\0` });
    expect(threadClock() - started).toBeLessThan(1000);
    expect(issues(schema, { a: 'https://example.com/a' })).toEqual([]);
    expect(issues(schema, { a: 'nowhere' })).toHaveLength(1);
  });

  it('cannot stop anybody through many texts for one pattern', () => {
    const started = threadClock();
    const items = { type: 'string', pattern: '^[a-z]*[a-z]*[a-z]*!$' };
    const list = Array(100_000).fill('a'.repeat(49));
    expect(issues({ properties: { list: { items } } }, { list: ['A', ...list] }, list.length)).toEqual([
      'list.0 invalid_format: Must match pattern "^[a-z]*[a-z]*[a-z]*!$"',
    ]);
    expect(threadClock() - started).toBeLessThan(3000);
  });

  it.each([
    ['^[a-z][a-z0-9_-]{0,62}$', 'a-1', 'A'],
    ['^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$', '00000000-0000-0000-0000-000000000000', '0'],
    ['^(asc|desc|none)$', 'desc', 'up'],
    ['^([0-9]{1,3}\\.){3}[0-9]{1,3}$', '10.0.0.1', '10.0.1'],
    ['^[^@\\s]+@[^@\\s]+\\.[a-z]{2,}$', 'a@example.com', 'a@b'],
    ['^(?:[A-Z]{2}|[0-9]+)$', 'DE', 'D'],
    ['^\\+?[1-9]\\d{1,14}$', '+4912345', '0'],
    ['^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2})?Z)?$', '2026-01-01T00:00Z', '2026'],
    ['foo|bar', 'a bar', 'baz'],
    ['^[()]+$', '()(', 'a'],
    ['^(ab)*$', 'abab', 'aba'],
    ['^\\p{L}+$', 'été', '1'],
  ])('are held against %s', (pattern, right, wrong) => {
    const schema = { properties: { a: { type: 'string', pattern } } };
    expect(issues(schema, { a: right })).toEqual([]);
    expect(issues(schema, { a: wrong })).toHaveLength(1);
  });

  it('are held against patterns that cost nothing', () => {
    const schema = { properties: { a: { type: 'string', pattern: '^A-[0-9]+(?:\\.[0-9]{2})?$' } } };
    expect([issues(schema, { a: 'A-1.50' }), issues(schema, { a: 'B' })]).toEqual([
      [],
      ['a invalid_format: Must match pattern "^A-[0-9]+(?:\\.[0-9]{2})?$"'],
    ]);
  });

  it('are not held against a schema that is none', () => {
    expect(issues({ type: 'nonsense', $ref: '#/nowhere' }, { a: 1 })).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { findJson, unslash } from './json-in-text.ts';

describe('findJson', () => {
  it('finds a body after a prefix and says where it stands', () => {
    const text = 'API error 404: {"a":"}"} (see log)';
    expect(findJson(text)).toEqual({ value: { a: '}' }, from: 15, to: 24 });
  });

  it('passes over brackets that are no body', () => {
    expect(findJson('[api] {oops} failed: {"a":1}')?.value).toEqual({ a: 1 });
  });

  it.each(['', 'no body', '{', '{"a":', '[1', '{"a":1', '{a:1}', '[object Object]'])(
    'finds none in "%s"',
    (text) => {
      expect(findJson(text)).toBeUndefined();
    },
  );
});

describe('unslash', () => {
  it('undoes one layer of quoting', () => {
    expect(unslash('Body: {\\"a\\":1}')).toBe('Body: {"a":1}');
  });

  it('leaves other texts alone', () => {
    expect(unslash('C:\\"dir"')).toBeUndefined();
  });
});

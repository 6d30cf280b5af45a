import { expect, it } from 'vitest';
import type { Members } from '../framing/json.ts';
import { peek } from '../framing/peek.ts';
import { SaidBefore } from './said-before.ts';

const said = (id: number | string, message: string, before = ''): Buffer =>
  Buffer.from(
    `{${before}"jsonrpc":"2.0","id":${JSON.stringify(id)},"error":{"code":1,"message":"${message}"}}`,
  );

function reader(): { readonly read: (bytes: Buffer) => Members | undefined; readonly found: () => number } {
  const known = new SaidBefore();
  let found = 0;
  return {
    found: () => found,
    read: (bytes) =>
      known.failureIn(
        bytes,
        () => peek(bytes),
        () => {
          found += 1;
          return JSON.parse(bytes.toString()) as Members;
        },
      ),
  };
}

it('reads what is said again and again no more than twice, whatever its ids', () => {
  const { read, found } = reader();
  const ids = [1, 22, 333, 'a', 'bb', 4, 5];
  const messages = ids.map((id) => read(said(id, 'gone'))?.['error']);
  expect(messages).toEqual(ids.map(() => ({ code: 1, message: 'gone' })));
  expect(found()).toBe(2);
});

it('takes nothing for something else that is as long', () => {
  const { read } = reader();
  const texts = ['gone', 'lost', 'gone', 'lost', 'gone', 'gone', 'lost', 'lost', 'gone'];
  expect(texts.map((text, i) => read(said(i, text))?.['error'])).toEqual(
    texts.map((message) => ({ code: 1, message })),
  );
  const begun = ['"a":1,', '"b":1,', '"a":1,', '"a":1,', '"b":1,', '"b":1,', '"a":1,'];
  expect(begun.map((before, i) => Object.keys(read(said(i, 'gone', before)) ?? {})[0])).toEqual(
    begun.map((before) => before.slice(1, 2)),
  );
});

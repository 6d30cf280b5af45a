import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decode, encode } from '../framing/json.ts';
import { peek } from '../framing/peek.ts';
import { toWire } from './wire-request.ts';

const SINK = { answered: () => {}, related: () => {}, lost: () => {} };

function wire(body: Buffer, shared: boolean) {
  return toWire(
    { body, peek: peek(body), revision: '2025-11-25', caller: 'c', session: 's' },
    42,
    SINK,
    shared,
  );
}

it('changes the id and the token of any request, and nothing else', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.integer()),
      fc.oneof(fc.string(), fc.integer()),
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.constantFrom(undefined, 2),
      (id, progressToken, args, indent) => {
        const message = { id, method: 'tools/call', params: { arguments: args, _meta: { progressToken } } };
        const { line, pending } = wire(Buffer.from(JSON.stringify(message, null, indent)), true);
        expect(line.includes(0x0a)).toBe(false);
        expect(decode(line)).toEqual(
          decode(encode({ ...message, id: 42, params: { arguments: args, _meta: { progressToken: 42 } } })),
        );
        expect([decode(pending.id), pending.tokenValue]).toEqual([id, progressToken]);
      },
    ),
  );
});

it('leaves the token alone where nobody else speaks', () => {
  const body = Buffer.from('{"id":"a","method":"x","params":{"_meta":{"progressToken":"p"}}}');
  const { line, pending } = wire(body, false);
  expect(line.toString()).toBe('{"id":42,"method":"x","params":{"_meta":{"progressToken":"p"}}}');
  expect(pending).toMatchObject({
    wireId: 42,
    idValue: 'a',
    tokenValue: 'p',
    caller: 'c',
    session: 's',
    written: false,
  });
});

it.each([
  '{"id":1,"method":"x"}',
  '{"id":1,"method":"x","params":[]}',
  '{"id":1,"method":"x","params":{"_meta":null}}',
])('finds no token in %s', (text) => {
  expect(wire(Buffer.from(text), true).pending.token).toBeUndefined();
});

import { expect, it } from 'vitest';
import { peek } from '../framing/peek.ts';
import { whyNoMessage, whyNotUnasked } from './stray.ts';

it.each(['{"jsonrpc":"2.0","id":1,"method":"ping"}', '{"jsonrpc":"2.0","method":"notifications/message"}'])(
  'may be said unasked: %s',
  (said) => {
    const seen = peek(Buffer.from(said));
    expect([whyNoMessage(seen), whyNotUnasked(seen)]).toEqual([undefined, undefined]);
  },
);

it.each([
  '{"jsonrpc":"2.0","id":1,"result":{}}',
  '{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"m"}}',
])('is a message that nobody asked for: %s', (said) => {
  const seen = peek(Buffer.from(said));
  expect([whyNoMessage(seen), whyNotUnasked(seen)]).toEqual([
    undefined,
    'answered a request that was never asked',
  ]);
});

it.each([
  ['[]', 'batch'],
  ['"x"', 'not_a_message'],
  ['{"a":1}', 'not_a_message'],
  ['x', 'not_json'],
  ['{"method":"notifications/message"}', 'not_version_2'],
  ['{"jsonrpc":"1.0","id":1,"method":"ping"}', 'not_version_2'],
])('is no message: %s', (said, why) => {
  const seen = peek(Buffer.from(said));
  const note = `sent something that is not JSON-RPC (${why})`;
  expect([whyNoMessage(seen), whyNotUnasked(seen)]).toEqual([note, note]);
});

it('leaves an answer of another version to whoever asked', () => {
  expect(whyNoMessage(peek(Buffer.from('{"id":1,"result":{}}')))).toBeUndefined();
});

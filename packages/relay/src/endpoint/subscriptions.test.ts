import { expect, it } from 'vitest';
import { encode } from '../framing/json.ts';
import { peek } from '../framing/peek.ts';
import { Subscriptions } from './subscriptions.ts';

function session() {
  const subscriptions = new Subscriptions();
  return (verb: 'subscribe' | 'unsubscribe', uri: unknown) => {
    const body = encode({ jsonrpc: '2.0', id: 1, method: `resources/${verb}`, params: { uri } as object });
    return subscriptions.see(body, peek(body));
  };
}

const TOO_MANY = 'This session is subscribed to as many resources as it may be; unsubscribe from one first';

it('a session has 1000 subscriptions, and room again when one is given up', () => {
  const see = session();
  for (let i = 0; i < 1000; i++) expect(see('subscribe', `a://${i}`).refusal).toBeUndefined();
  expect(see('subscribe', 'a://1000').refusal).toMatchObject({ kind: 'quota_exhausted', message: TOO_MANY });
  expect(see('subscribe', 'a://7').refusal).toBeUndefined();
  see('unsubscribe', 'a://never');
  expect(see('subscribe', 'a://1000').refusal?.message).toBe(TOO_MANY);
  see('unsubscribe', 'a://7');
  expect(see('subscribe', 'a://1000').refusal).toBeUndefined();
});

it('their URIs have 1 MiB in all', () => {
  const see = session();
  const long = (i: number): string => `a://${i}/`.padEnd(4096, 'u');
  for (let i = 0; i < 256; i++) expect(see('subscribe', long(i)).refusal).toBeUndefined();
  expect(see('subscribe', 'a://x').refusal?.message).toBe(TOO_MANY);
});

it('a URI has 4096 characters', () => {
  const see = session();
  expect(see('subscribe', 'a'.repeat(4097)).refusal).toMatchObject({
    kind: 'too_large',
    message: 'The URI is longer than 4096 characters',
  });
});

it('what a server refuses takes no room', () => {
  const see = session();
  for (let i = 0; i < 3000; i++) see('subscribe', `a://${i}`).undo?.();
  expect(see('subscribe', 'a://x').refusal).toBeUndefined();
  for (let i = 0; i < 999; i++) see('subscribe', `b://${i}`);
  see('unsubscribe', 'b://1').undo?.();
  expect(see('subscribe', 'b://1000').refusal?.message).toBe(TOO_MANY);
});

it('leaves everything else alone', () => {
  const see = session();
  expect(see('subscribe', 7)).toEqual({});
  const body = encode({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  expect(new Subscriptions().see(body, peek(body))).toEqual({});
});

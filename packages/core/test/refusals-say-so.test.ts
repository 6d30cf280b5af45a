/** A refusal is proof while it says that it is one: a word, an id or a state under a refusing status is none. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Executed, read } from '../src/index.ts';
import { rpc } from './helpers.ts';

function executed(value: unknown, tool?: string): Executed | 'success' {
  const called = tool === undefined ? undefined : ({ type: 'tool', id: tool } as const);
  const reading = read(value, { now: 0, called });
  return reading.failure ? reading.fault.executed : 'success';
}

const http = (status: number, body: unknown): object => ({ http: { status, headers: {}, body } });
const json = JSON.stringify;

/** The places where one word can stand. */
const FORMS: readonly ((word: string) => object)[] = [
  ...[400, 401, 403, 404, 405, 413].flatMap((status) => [
    (word: string) => http(status, word),
    (word: string) => http(status, json({ message: word })),
    (word: string) => http(status, json({ error: word })),
    (word: string) => http(status, json({ error: { message: word } })),
    (word: string) => http(status, json({ detail: word })),
    (word: string) => http(status, json({ code: word })),
    (word: string) => http(status, json({ name: word })),
    (word: string) => http(status, json(rpc(-32602, word))),
  ]),
  ...[-32700, -32600, -32601, -32602].map((code) => (word: string) => rpc(code, word)),
  (word) => rpc(-32602, '', { reason: word }),
  (word) => rpc(-32602, 'Invalid params', { message: word }),
];

describe('what does not say that it refuses proves nothing', () => {
  it.each([
    ...['success', 'ok', 'yes', 'thanks', 'pay_991', 'ord-77', 'fine', 'great', 'sure', 'all good', 'yep'],
    ...['inv_4411', 'job-12', 'txn_0091', 'hello', 'welcome', 'valid', 'found', 'ready', 'authorized'],
    ...['available', 'A7F3', 'nope', '0b1f6c1e-7a4e-4a56-9d0c-1f2e3d4c5b6a', 'made', 'in progress', 'OK!'],
  ])('%s', (word) => {
    for (const form of FORMS) expect(executed(form(word)), json(form(word))).toBe('maybe');
  });

  it.each([
    'success; amount invalid',
    'pay_991; receipt address invalid',
    'pay_991: receipt address invalid',
    'inv-12, currency missing',
    'ok: invalid email',
    'yes, but the address is missing',
    'Invalid address. thanks',
    'Invalid address; ord-77',
    'Missing currency, txn_0091',
    'Thanks! invalid address',
  ])('nor does it beside a complaint: %s', (words) => {
    expect(executed(rpc(-32602, words))).toBe('maybe');
    expect(executed(http(400, words))).toBe('maybe');
  });

  it('whatever the id is, and wherever it stands', () => {
    const id = fc.stringMatching(/^[a-z]{2,5}[_-][0-9]{1,7}$/);
    fc.assert(
      fc.property(id, fc.constantFrom(...FORMS), (word, form) => executed(form(word)) === 'maybe'),
      { numRuns: 500 },
    );
  });

  it('whatever the word is that nobody refuses with', () => {
    const word = fc.stringMatching(/^(?:qu|z|x|v)[aeiou][bdgklmnprst]{1,2}[aeiou][ft]$/);
    fc.assert(
      fc.property(word, fc.constantFrom(...FORMS), (said, form) => executed(form(said)) === 'maybe'),
      { numRuns: 500 },
    );
  });
});

describe('what says it does', () => {
  it.each([
    http(400, ''),
    http(404, 'Not Found'),
    http(405, 'Method Not Allowed'),
    http(413, 'Payload Too Large'),
    http(413, 'Content Too Large'),
    http(403, 'Forbidden'),
    http(401, json({ success: false })),
    http(400, json({ error: 'invalid_token' })),
    http(400, json({ code: 'FST_ERR_NOT_FOUND', message: 'Not found' })),
    http(400, json({ type: 'literal_error', msg: 'Input should be 3' })),
    http(404, json({ error: 'not_found' })),
    http(403, json({ error: 'access_denied' })),
    http(401, json({ error: 'Unauthorized', message: 'Token expired' })),
    http(400, 'Error'),
    http(400, 'line2: required'),
    rpc(-32602, 'items.0.price: Required'),
    rpc(-32602, 'Missing: amount, currency'),
    rpc(-32602, 'amount: Required; currency: Required'),
    rpc(-32602, ''),
  ])('%j', (wire) => {
    expect(executed(wire)).toBe('no');
  });
});

describe('a method that nobody asked for', () => {
  it.each([
    rpc(-32601, 'Method not found: mail.send'),
    rpc(-32601, 'Method "orders.create" not found'),
    rpc(-32601, "Unknown method 'eth_sendTransaction'"),
    rpc(-32601, 'The method mail.send does not exist'),
    rpc(-32601, 'Method not found', { method: 'mail.send' }),
    rpc(-32601, 'Method not supported: resources/read'),
  ])('was asked for by somebody behind the tool: %j', (wire) => {
    expect(executed(wire, 'pay')).toBe('maybe');
  });

  it.each([
    rpc(-32601, 'Method not found'),
    rpc(-32601, 'Method not found: tools/call'),
    rpc(-32601, 'Method "tools/call" not found'),
    rpc(-32601, 'Method not found', { method: 'tools/call' }),
    rpc(-32601, 'Method not found: pay'),
    rpc(-32601, 'Unknown method tools/call'),
    rpc(-32601, 'Method not supported'),
    rpc(-32601, 'The method does not exist / is not available'),
  ])('is none of these: %j', (wire) => {
    expect(executed(wire, 'pay')).toBe('no');
  });
});

describe('what only the protocol looks up', () => {
  it.each([rpc(-32602, 'Prompt greet not found'), rpc(-32602, 'Resource file:///tmp/x not found')])(
    'was looked up for somebody behind the tool: %j',
    (wire) => {
      expect(executed(wire, 'pay')).toBe('maybe');
    },
  );
});

import { answered, decode, peek, type WireCall } from '@mayday/relay';
import { expect, it } from 'vitest';
import { wireCall } from '../../test/calls.ts';
import { tellServer } from './tell-server.ts';

async function sent(call: WireCall, attempts = 3): Promise<WireCall> {
  let seen: WireCall | undefined;
  await tellServer({ attempts })(async (told) => {
    seen = told;
    return answered({ body: Buffer.alloc(0), status: 200, headers: {}, isStream: false });
  })(call);
  return seen as WireCall;
}

function from(text: string, more: Partial<WireCall> = {}): WireCall {
  const body = Buffer.from(text);
  return { ...wireCall(), body, peek: peek(body), ...more };
}

it.each([
  [
    '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    '{"params":{"_meta":{"dev.mayday/attempt":1}},"jsonrpc":"2.0","id":1,"method":"tools/list"}',
  ],
  [
    '{"jsonrpc":"2.0","id":1,"method":"x","params":{}}',
    '{"jsonrpc":"2.0","id":1,"method":"x","params":{"_meta":{"dev.mayday/attempt":1}}}',
  ],
  [
    '{"jsonrpc":"2.0","id":1,"method":"x","params":{ "n":12345678901234567890 }}',
    '{"jsonrpc":"2.0","id":1,"method":"x","params":{"_meta":{"dev.mayday/attempt":1}, "n":12345678901234567890 }}',
  ],
  [
    '{"jsonrpc":"2.0","method":"x","params": {\n"name":"é","arguments":{"a":1}} ,"id":1}',
    '{"jsonrpc":"2.0","method":"x","params": {"_meta":{"dev.mayday/attempt":1},\n"name":"é","arguments":{"a":1}} ,"id":1}',
  ],
  [
    '{"params":{"_meta": { },"name":"é"},"jsonrpc":"2.0","id":1,"method":"x"}',
    '{"params":{"_meta": {"dev.mayday/attempt":1 },"name":"é"},"jsonrpc":"2.0","id":1,"method":"x"}',
  ],
  [
    '{"jsonrpc":"2.0","id":1,"method":"x","params":{"_meta":{"progressToken":7}}}',
    '{"jsonrpc":"2.0","id":1,"method":"x","params":{"_meta":{"dev.mayday/attempt":1,"progressToken":7}}}',
  ],
  [
    '{"jsonrpc":"2.0","id":1,"method":"x","params":{"_meta":{"dev.mayday/attempt":"first"}}}',
    '{"jsonrpc":"2.0","id":1,"method":"x","params":{"_meta":{"dev.mayday/attempt":1}}}',
  ],
])('counts attempts in %s', async (given, expected) => {
  const { body, peek: seen } = await sent(from(given, { method: 'x' }));
  expect(body.toString()).toBe(expected);
  expect(decode(body)).toEqual(JSON.parse(expected));
  expect(seen).toEqual(peek(body));
});

it.each(['[1]', '7', '{"_meta":"x"}'])('leaves params %s to the server', async (params) => {
  const given = `{"jsonrpc":"2.0","id":1,"method":"x","params":${params}}`;
  expect((await sent(from(given))).body.toString()).toBe(given);
});

it.each([
  ['where somebody above counts', { above: { attempt: 2 } }, 3],
  ['where nothing is repeated', {}, 1],
  ['how client and server agree on a revision', { method: 'initialize' }, 3],
])('says nothing %s', async (_name, more, attempts) => {
  const call = { ...wireCall(), ...more };
  expect((await sent(call, attempts)).body).toBe(call.body);
});

it('names a call of a tool, and all attempts at it the same', async () => {
  const nameOf = async (call: WireCall): Promise<unknown> =>
    (decode((await sent(call)).body) as { params: { _meta: { [key: string]: unknown } } }).params._meta[
      'dev.mayday/call'
    ];
  const call = wireCall({ name: 'pay' });
  const name = await nameOf(call);
  expect(name).toMatch(/^[\da-f-]{36}$/);
  expect(await nameOf({ ...call, attempt: 2 })).toBe(name);
  expect(await nameOf(wireCall({ name: 'pay' }))).not.toBe(name);
  expect(await nameOf({ ...call, method: 'prompts/get' })).toBeUndefined();
});

it('tells of a repetition under a key, where the first may have been executed', async () => {
  const call = {
    ...wireCall({ name: 'pay', _meta: { 'dev.mayday/idempotency-key': 'k' } }),
    attempt: 2,
    idempotencyKey: 'k',
  };
  const meta = async (): Promise<{ readonly [key: string]: unknown }> =>
    (decode((await sent(call)).body) as { params: { _meta: { [key: string]: unknown } } }).params._meta;
  const { 'dev.mayday/call': name, ...first } = await meta();
  expect(name).toMatch(/^[\da-f-]{36}$/);
  expect(first).toEqual({ 'dev.mayday/attempt': 2, 'dev.mayday/idempotency-key': 'k' });
  call.progress.executed = 'maybe';
  expect(await meta()).toEqual({
    'dev.mayday/attempt': 2,
    'dev.mayday/call': name,
    'dev.mayday/executed': 'maybe',
    'dev.mayday/idempotency-key': 'k',
  });
});

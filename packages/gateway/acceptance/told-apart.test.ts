/** Whose an idempotency key is where nobody needs a key: of whoever sends the same credentials, and of nobody else. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { scratch, startGateway } from './support/gateway.ts';
import { at } from './support/house.ts';
import { faultOf, post } from './support/http.ts';
import { keepGateway } from './support/keep.ts';
import { ask, call } from './support/messages.ts';
import { executions } from './support/puppet.ts';
import { stdio } from './support/world.ts';

const folder = scratch();
const ledger = join(folder, 'ledger');
afterAll(() => rmSync(folder, { recursive: true }));

const gateway = keepGateway(async () => {
  const tools = [{ name: 'pay', inputSchema: { type: 'object' } }];
  const started = await startGateway({ upstreams: { s: stdio({ ledger, tools }) } });
  await post(at(started, 's'), ask('tools/list'));
  return started;
}, [ledger]);

let keys = 0;
const SCRIPT = [{ answer: { result: { content: [{ type: 'text', text: 'paid' }] } } }];

/** One key and the same arguments, sent twice; how often the work was done, and what the second call heard. */
async function twice(one: Sent, other: Sent, said: readonly [object?, object?] = []) {
  keys += 1;
  const name = `told-${keys}`;
  const answers = [];
  for (const [i, { headers, query = '' }] of [one, other].entries()) {
    const request = call('pay', { key: name, script: SCRIPT });
    const _meta = { 'dev.mayday/idempotency-key': name, ...said[i] };
    const message = { ...request, params: { ...request['params'], _meta } };
    answers.push(await post(`${at(gateway(), 's')}${query}`, message, { headers }));
  }
  return { times: executions(ledger, name), second: answers[1]?.message as never };
}

interface Sent {
  readonly headers?: Record<string, string>;
  readonly query?: string;
}

describe('a key of one caller is another key for whoever sends another', () => {
  it.each([
    ['cookie', 'AWSELBAuthSessionCookie-0=ann', 'AWSELBAuthSessionCookie-0=bob'],
    ['x-db-url', 'postgres://ann:pw1@h/d', 'postgres://bob:pw2@h/d'],
    ['x-connection-string', 'Server=h;User=ann;Password=pw1', 'Server=h;User=bob;Password=pw2'],
    ['x-pin', '1111', '2222'],
    ['x-pass', 'a1', 'b1'],
  ])('%s: %s', async (name, ann, bob) => {
    const { times } = await twice({ headers: { [name]: ann } }, { headers: { [name]: bob } });
    expect(times).toBe(2);
  });

  it('parameter of the address', async () => {
    expect((await twice({ query: '?profile=ann' }, { query: '?profile=bob' })).times).toBe(2);
    expect((await twice({ query: '?profile=ann' }, { query: '?profile=ann' })).times).toBe(1);
  });
});

it('is the same key on another way, and with `Bearer` in small letters', async () => {
  const one = { headers: { authorization: 'Bearer abc', 'cf-ray': '1', 'x-amzn-trace-id': 'Root=1' } };
  const other = { headers: { authorization: 'bearer abc', 'cf-ray': '2', 'x-real-ip': '10.0.0.1' } };
  const { times, second } = await twice(one, other);
  expect(times).toBe(1);
  expect(JSON.stringify(second)).toContain('"paid"');
});

it.each(['x-session-id', 'x-otp', 'x-whatever', 'x-forwarded-groups'])(
  'is neither answered nor made with another %s, of which nobody can tell',
  async (name) => {
    const { times, second } = await twice({ headers: { [name]: 'a1' } }, { headers: { [name]: 'b1' } });
    expect(times).toBe(1);
    expect(faultOf(second)).toMatchObject({ kind: 'conflict', executed: 'maybe' });
    expect(JSON.stringify(second)).not.toContain('"paid"');
  },
);

it('is not made where what is said of earlier attempts is no word for it', async () => {
  const other = { headers: { authorization: 'Bearer renewed' } };
  const { times, second } = await twice({}, other, [{}, { 'dev.mayday/executed': 'perhaps' }]);
  expect(times).toBe(1);
  expect(faultOf(second)).toMatchObject({ executed: 'maybe' });
});

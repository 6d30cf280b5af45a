/** Whose key it is, over HTTP: what tells callers apart, what does not, and what nobody can tell. */
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { type GuardOptions, guard } from '../src/index.ts';
import { KEY } from './till.ts';
import { answerOf, faultIn, httpRequest, textOf } from './wire.ts';

let orders = 0;

async function sent(
  key: unknown,
  { headers = {}, at = 'http://localhost/mcp', options, meta = {}, era = '2025-11-25' }: Sent = {},
) {
  const { fetch } = createMcpHandler(() => {
    const server = guard(new McpServer({ name: 'shop', version: '1' }), options);
    server.registerTool('send', {}, async () => ({
      content: [{ type: 'text' as const, text: `order ${++orders}` }],
    }));
    return server;
  });
  const request = httpRequest(era, 'tools/call', { name: 'send', _meta: { [KEY]: key, ...meta } }, headers);
  return answerOf(fetch(new Request(at, request)));
}

interface Sent {
  readonly headers?: Record<string, string>;
  readonly at?: string;
  readonly options?: GuardOptions;
  readonly meta?: object;
  readonly era?: '2025-11-25' | '2026-07-28';
}

let keys = 0;
async function twice(one: Sent, other: Sent) {
  const key = `told apart ${++keys}`;
  const first = textOf(await sent(key, one));
  expect(first).toMatch(/^order \d+$/);
  return { first, second: await sent(key, other) };
}

describe('a key of one caller is another key for whoever sends another', () => {
  it.each([
    ['cookie', 'AWSELBAuthSessionCookie-0=ann', 'AWSELBAuthSessionCookie-0=bob'],
    ['cookie', 'BIGipAuthSession=ann', 'BIGipAuthSession=bob'],
    ['x-db-url', 'postgres://ann:pw1@h/d', 'postgres://bob:pw2@h/d'],
    ['x-connection-string', 'Server=h;User=ann;Password=pw1', 'Server=h;User=bob;Password=pw2'],
    ['x-pin', '1111', '2222'],
    ['x-pass', 'a1', 'b1'],
    ['x-owner', 'ann', 'bob'],
    ['x-on-behalf-of', 'ann', 'bob'],
    ['x-scope-orgid', 'ann', 'bob'],
    ['x-mcp-user', 'ann', 'bob'],
    ['authorization', 'Bearer abc', 'Bearer Abc'],
  ])('%s: %s', async (name, ann, bob) => {
    const { first, second } = await twice({ headers: { [name]: ann } }, { headers: { [name]: bob } });
    expect(textOf(second)).toMatch(/^order \d+$/);
    expect(textOf(second)).not.toBe(first);
  });

  it.each(['code', 'config', 'sig', 'pat', 'pass', 'profile', 'session', 'workspace', 'project'])(
    '?%s=',
    async (name) => {
      const at = (value: string) => ({ at: `http://localhost/mcp?${name}=${value}` });
      const { first, second } = await twice(at('YW5u'), at('Ym9i'));
      expect(textOf(second)).toMatch(/^order \d+$/);
      expect(textOf(second)).not.toBe(first);
    },
  );
});

describe('a key is the same key', () => {
  it.each<[string, Sent, Sent]>([
    [
      'on another way',
      { headers: { 'cf-ray': '1', via: '1.1 a' } },
      { headers: { 'x-real-ip': '10.0.0.1' } },
    ],
    ['at a balancer', { headers: { cookie: 'AWSALB=1' } }, { headers: { cookie: 'AWSALB=2' } }],
    [
      'with `Bearer` in small letters',
      { headers: { authorization: 'Bearer a' } },
      { headers: { authorization: 'bearer a' } },
    ],
    [
      'signed anew',
      { headers: { authorization: 'AWS4-HMAC-SHA256 Credential=A/1/x, Signature=1' } },
      { headers: { authorization: 'AWS4-HMAC-SHA256 Credential=A/2/x, Signature=2' } },
    ],
    ['with a letter in hexadecimal', {}, { at: 'http://localhost/mc%70' }],
    ['in another order', { at: 'http://localhost/mcp?a=1&b=2' }, { at: 'http://localhost/mcp?b=2&a=1' }],
  ])('%s', async (_what, one, other) => {
    const { first, second } = await twice(one, other);
    expect(textOf(second)).toBe(first);
  });
});

describe('where nobody can tell whether it is the same caller', () => {
  it.each(['x-session-id', 'x-workspace', 'x-otp', 'x-whatever'])(
    'a repeat with another %s gets no answer, and is not made',
    async (name) => {
      const by = (value: string) => ({ headers: { authorization: 'Bearer a', [name]: value } });
      const { first, second } = await twice(by('a1'), by('b1'));
      const made = orders;
      expect(faultIn(second?.message)).toMatchObject({
        kind: 'conflict',
        executed: 'maybe',
        retryable: false,
        subject: { type: 'key' },
      });
      expect(JSON.stringify(second)).not.toContain(first);
      expect(orders).toBe(made);
      const same = await twice(by('a1'), by('a1'));
      expect(textOf(same.second)).toBe(same.first);
    },
  );

  it('does not matter to whoever has a name', async () => {
    const options: GuardOptions = { identify: () => 'ann' };
    const { first, second } = await twice(
      { options, headers: { 'x-otp': '1' } },
      { options, headers: { 'x-otp': '2' } },
    );
    expect(textOf(second)).toBe(first);
  });
});

describe('whether a call happened of which nobody could look up the key', () => {
  it.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('directory down');
      },
    ],
    ['rejects', () => Promise.reject(new Error('directory down'))],
    ['gives a number', () => 7],
    ['gives an object', () => ({})],
  ])('is not known where `identify` %s', async (_how, fail) => {
    for (const era of ['2025-11-25', '2026-07-28'] as const)
      for (const meta of [{}, { 'dev.mayday/executed': 'maybe', 'dev.mayday/attempt': 2 }]) {
        let isDown = false;
        const options: GuardOptions = { identify: () => (isDown ? fail() : 'ann') as never };
        const key = `unlooked ${++keys}`;
        const first = textOf(await sent(key, { options, era }));
        isDown = true;
        const second = await sent(key, { options, era, meta });
        expect(faultIn(second?.message)).toMatchObject({ kind: 'internal', executed: 'maybe' });
        const none = { 'dev.mayday/executed': 'no' };
        const knows = await sent(`unlooked ${++keys}`, { options, era, meta: none });
        expect(faultIn(knows?.message)).toMatchObject({ kind: 'internal', executed: 'no' });
        isDown = false;
        expect(textOf(await sent(key, { options, era }))).toBe(first);
      }
  });

  it.each(['perhaps', 7, true, {}])(
    'is not known of one that says %j of the attempts before it',
    async (executed) => {
      const meta = { 'dev.mayday/executed': executed, 'dev.mayday/attempt': 2, 'dev.mayday/call': 'c' };
      const answer = await sent(`unsaid ${++keys}`, { meta });
      expect(faultIn(answer?.message)).toMatchObject({ kind: 'invalid_arguments', executed: 'maybe' });
    },
  );

  it('is not known of a repeat whose key is no text', async () => {
    expect(faultIn((await sent(7, { meta: { 'dev.mayday/executed': 'maybe' } }))?.message)).toMatchObject({
      kind: 'invalid_arguments',
      executed: 'maybe',
    });
    expect(faultIn((await sent(7))?.message)).toMatchObject({ kind: 'invalid_arguments', executed: 'no' });
  });
});

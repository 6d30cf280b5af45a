/** What one part gives away goes from all, and what anybody might write stays. */
import { describe, expect, it } from 'vitest';
import { hidingTold, redact, toldSecrets } from './index.ts';

const textsOf = (value: unknown) => toldSecrets(value).map(({ text }) => text);

describe('a value gives away', () => {
  it.each<readonly [string, unknown, readonly string[]]>([
    ['what stands under a name', { password: 'hunter2-x9' }, ['hunter2-x9']],
    ['what stands beside a name', [{ name: 'password', value: 'hunter2-x9' }], ['hunter2-x9']],
    ['what a text names', 'login with password=hunter2-x9 failed', ['hunter2-x9']],
    ['what a command line names', ['mysql', '--password', 'hunter2-x9'], ['hunter2-x9']],
    [
      'a key by its form',
      'ghp_aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA2bC4',
      ['ghp_aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA2bC4'],
    ],
    ['what bytes say', { blob: btoa('password=hunter2-x9') }, ['hunter2-x9']],
    ['a short password', { password: 'x7Qp29' }, ['x7Qp29']],
    ['a password of signs', { password: 'pear&Tree!' }, ['pear&Tree!']],
    ['a phrase', { password: 'correct horse battery staple' }, ['correct horse battery staple']],
    [
      'a token behind its scheme',
      { authorization: 'Bearer hunter2-blue-9931' },
      ['Bearer hunter2-blue-9931', 'hunter2-blue-9931'],
    ],
    [
      'a token in a list of headers',
      { headers: [{ name: 'Authorization', value: 'Token token="hunter2-blue-9931"' }] },
      ['Token token="hunter2-blue-9931"', 'hunter2-blue-9931'],
    ],
    [
      'basic credentials behind their scheme',
      { authorization: `Basic ${btoa('ann:hunter2-blue-9931')}` },
      [`Basic ${btoa('ann:hunter2-blue-9931')}`, btoa('ann:hunter2-blue-9931'), 'hunter2-blue-9931'],
    ],
    [
      'the value of a cookie',
      { 'set-cookie': ['sid=hunter2-blue-9931; Path=/; Domain=.shop.example; HttpOnly'] },
      ['sid=hunter2-blue-9931; Path=/; Domain=.shop.example; HttpOnly', 'hunter2-blue-9931'],
    ],
    [
      'an escaped value',
      'https://shop.example/?api_key=hunter2%2Fblue%2F9931',
      ['hunter2%2Fblue%2F9931', 'hunter2/blue/9931'],
    ],
    ['what bytes in JSON spell', Buffer.from('password=hunter2-x9').toJSON(), ['hunter2-x9']],
    ['what numbered bytes spell', { ...Buffer.from('password=hunter2-x9') }, ['hunter2-x9']],
    ['a code', 'code 481902 has expired, request a new one', ['481902']],
  ])('%s', (_what, value, secrets) => {
    expect(textsOf(value)).toEqual(secrets);
  });

  it.each([
    { password: 'test' },
    { password: 'savings' },
    { password: 'agreement' },
    { password: 'read only' },
    { api_key: 'sk-test-**********cdef' },
    'Authorization: Bearer ...bcdef',
    { token: 'none' },
    { secret: 'required' },
    { secret: 'not-found' },
    { api_key: 'production' },
    { token: 'v1.22.333-beta.1' },
    { token: '2026-11-19T10:00:00Z' },
    { token: 'eu-west-1' },
    { token: 'order-1042' },
    { secret: 4711 },
    { password: '12345678' },
    { api_key: 'getAccountName' },
    { email: 'ada.lovelace42@acme.example' },
    { span_id: '00f067aa0ba902b7', trace_id: '4bf92f3577b34da6a3ce929d0e0e4736' },
    { session_id: '7f3e2a1c-0b9d-4e8f-a6c5-1d2e3f4a5b6c' },
    { account: 'savings', agreement: 'agreement-7' },
    { version: '1.22.333' },
  ])('nothing that anybody might write: %j', (value) => {
    expect(textsOf(value)).toEqual([]);
  });
});

describe('with what was given away', () => {
  const told = toldSecrets({ password: 'hunter2-x9' });

  it('another text loses it, in base64 and in an address too', () => {
    const options = hidingTold(undefined, told);
    expect(redact(`tried hunter2-x9, ${btoa('hunter2-x9')}, ?q=hunter2-x9`, options).value).toBe(
      'tried [password:1], [password:2]==, ?q=[password:1]',
    );
  });

  it('names lose it, and in one value those beside it do at once', () => {
    expect(redact({ 'hunter2-x9': 1 }, hidingTold({}, told)).value).toEqual({ '[password:1]': 1 });
    expect(redact({ password: 'hunter2-x9', tried: { 'hunter2-x9': 1 } }).value).toEqual({
      password: '[password:1]',
      tried: { '[password:1]': 1 },
    });
  });

  it('a short one stays inside of other words', () => {
    expect(redact({ password: 'x7Qp29', a: 'tried x7Qp29', b: 'ax7Qp29b' }).value).toEqual({
      password: '[password:1]',
      a: 'tried [password:1]',
      b: 'ax7Qp29b',
    });
  });

  it('and without anything the options stay as they are', () => {
    const options = { level: 'strict' } as const;
    expect(hidingTold(options, [])).toBe(options);
  });
});

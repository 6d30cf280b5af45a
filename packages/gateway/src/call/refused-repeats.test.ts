/** A repeat of a call that was made is not told that nothing was done, whatever refuses it now. */
import { afterEach, expect, it } from 'vitest';
import { toolServer, toolsNamed } from '../../test/tool-server.ts';
import { callTool, cleanUp, faultIn, open, post, settingsOf } from '../../test/tools.ts';
import type { SettingsFile } from '../index.ts';

afterEach(cleanUp);

const KEY = { authorization: 'Bearer bob-key-12345678' };

async function bank() {
  const server = await toolServer(() => toolsNamed('pay', 'look'));
  const other = await toolServer(() => toolsNamed('find'));
  const file = (more: Partial<SettingsFile>, tools: object = {}): SettingsFile => ({
    keys: [{ name: 'bob', key: 'bob-key-12345678' }],
    upstreams: { bank: { url: server.url, tools }, other: { url: other.url } },
    virtual: { desk: { tools: ['bank/pay', 'other/*'], separator: '' } },
    ...more,
  });
  const gateway = await open(file({}));
  const pay = (path: string, name: string, key: string, said: object = {}) => {
    const meta = { 'dev.mayday/idempotency-key': key, ...said };
    const call = callTool(name, { amount: 5 }) as { params: object };
    return post(`${gateway.url}${path}`, { ...call, params: { ...call.params, _meta: meta } }, KEY);
  };
  const reload = (more: Partial<SettingsFile>, tools?: object): void =>
    gateway.reload(settingsOf(file(more, tools)));
  return { server, pay, reload };
}

const DENIED: Partial<SettingsFile> = { access: { rules: [{ deny: ['bank/pay'] }] } };
const OPAQUE: Partial<SettingsFile> = { access: { refusals: 'opaque', rules: [{ deny: ['bank/pay'] }] } };
const SCOPED: Partial<SettingsFile> = { access: { rules: [{ allow: ['bank/pay'], scopes: ['x:y'] }] } };
const REPEATED = { 'dev.mayday/executed': 'maybe' };

it.each([
  ['a rule', DENIED],
  ['a rule that says nothing else', OPAQUE],
  ['a scope that is missing', SCOPED],
])('refused by %s', async (_, now) => {
  const { server, pay, reload } = await bank();
  expect((await pay('/bank/mcp', 'pay', 'k')).text).toContain('[\\"pay\\"');
  reload(now);
  for (const [path, name] of [
    ['/bank/mcp', 'pay'],
    ['/mcp', 'bank_pay'],
  ] as const) {
    for (const said of [{}, REPEATED])
      expect(faultIn(await pay(path, name, 'k', said))).toMatchObject({
        kind: 'forbidden',
        executed: 'yes',
      });
    expect(faultIn(await pay(path, name, 'new'))).toMatchObject({ kind: 'forbidden', executed: 'no' });
  }
  expect(server.calls()).toHaveLength(1);
  reload({});
  expect((await pay('/bank/mcp', 'pay', 'k')).text).toContain('[\\"pay\\"');
  expect(server.calls()).toHaveLength(1);
});

it.each([
  ['is not served any more', { deny: ['pay'] }],
  ['has another name now', { rename: { pay: 'spend' } }],
])('of a tool that %s', async (_, tools) => {
  const { server, pay, reload } = await bank();
  expect((await pay('/bank/mcp', 'pay', 'k')).text).toContain('[\\"pay\\"');
  expect((await pay('/desk/mcp', 'pay', 'k')).text).toContain('[\\"pay\\"');
  reload({}, tools);
  for (const [path, name] of [
    ['/bank/mcp', 'pay'],
    ['/mcp', 'bank_pay'],
  ] as const) {
    for (const said of [{}, REPEATED])
      expect(faultIn(await pay(path, name, 'k', said))).toMatchObject({
        kind: 'not_found',
        executed: 'yes',
      });
    expect(faultIn(await pay(path, name, 'lost', REPEATED))).toMatchObject({ executed: 'maybe' });
    expect(faultIn(await pay(path, name, 'new'))).toMatchObject({ kind: 'not_found', executed: 'no' });
  }
  expect(server.calls()).toHaveLength(1);
});

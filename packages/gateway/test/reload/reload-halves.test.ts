/** A reload that could apply only half of what belongs together applies none of it. */
import { afterEach, expect, it } from 'vitest';
import { type SettingsFile, settingsReloaded } from '../../src/index.ts';
import { callTool, cleanUp, json, open, post, settingsOf, upstream } from '../tools.ts';

afterEach(cleanUp);

async function server(): Promise<string> {
  const { url } = await upstream((body, response) => {
    const { id } = JSON.parse(body || '{}') as { id?: number };
    if (id === undefined) response.writeHead(202).end();
    else json(response, 200, { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'done' }] } });
  });
  return url;
}

const SECRET = { url: 'memory:', secret: 'abcdefghijklmnop1234' };

it.each<[string, (url: string) => SettingsFile, (url: string) => SettingsFile, string]>([
  [
    'credentials of callers and the secret of the store',
    (url) => ({ store: 'memory:', upstreams: { up: { url } } }),
    (url) => ({ store: SECRET, upstreams: { up: { url, caller_credentials: 'authorization' } } }),
    'upstreams.up.caller_credentials: They are kept sealed, and store.secret is missing',
  ],
  [
    'credentials of callers and a store',
    (url) => ({ upstreams: { up: { url } } }),
    (url) => ({ store: SECRET, upstreams: { up: { url, caller_credentials: 'authorization' } } }),
    'upstreams.up.caller_credentials: They are kept in a store, sealed',
  ],
  [
    'consent and a store',
    (url) => ({ upstreams: { up: { url } } }),
    (url) => ({ store: SECRET, access: { rules: [{ approve: ['up/*'] }] }, upstreams: { up: { url } } }),
    'access.rules.0.approve: Nobody could consent without a store',
  ],
])('%s', async (_what, before, after, why) => {
  const url = await server();
  const gateway = await open(before(url));
  const work = async () => (await post(`${gateway.url}/up/mcp`, callTool('work'))).message.result;
  const next = settingsOf({ ...after(url), keys: [{ name: 'ann', key: 'ann-key-0123456789' }] });
  expect(() => gateway.reload(next)).toThrow(why);
  expect(() => gateway.reload(next)).toThrow(
    /; store\.\S+ (?:store\.secret )?(?:has|have) changed, and a restart is needed for that/,
  );
  // Not the keys, either.
  expect(await work()).toEqual({ content: [{ type: 'text', text: 'done' }] });
  expect(gateway.logs.filter((line) => line.includes('reloaded'))).toEqual([]);
  gateway.reload(settingsOf(before(url)));
  expect(await work()).toEqual({ content: [{ type: 'text', text: 'done' }] });
});

it('applies the rest where nothing needs what a restart is needed for', async () => {
  const url = await server();
  const gateway = await open({ store: 'memory:', upstreams: { up: { url } } });
  gateway.reload(settingsOf({ store: SECRET, faults: { keep: 7 }, upstreams: { up: { url } } }));
  expect(gateway.logs.filter((line) => /restart|reloaded/.test(line))).toEqual([
    'a restart is needed for store.secret',
    'reloaded: up; changed: faults.keep',
  ]);
});

it('leaves the keys of a gateway that listens to everybody until it listens to this machine alone', () => {
  const upstreams = { up: { url: 'http://127.0.0.1:9/mcp' } };
  const started = settingsOf({
    listen: { host: '0.0.0.0' },
    keys: [{ name: 'ann', key: 'ann-key-0123456789' }],
    upstreams,
  });
  const next = settingsOf({ listen: { host: '127.0.0.1' }, upstreams });
  expect(() => settingsReloaded(started, next)).toThrow(
    /listen\.host: Whoever reaches this address can call every upstream.*; listen\.host has changed, and a restart is needed for that/,
  );
});

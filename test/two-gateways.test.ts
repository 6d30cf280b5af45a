/** What `deploy/` has for many nodes: the same two gateways in containers, and as processes of this machine. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { parseYaml, readSettings } from '../packages/gateway/src/index.ts';
import { hasRedis } from '../packages/store/test/redis-server.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const textOf = (name: string): string => readFileSync(`${root}deploy/${name}`, 'utf8');

it('the file is one, wherever it is started', () => {
  const env = { OPS_KEY: 'key-of-ops', STORE_URL: 'valkey://valkey:6379', LISTEN_HOST: '0.0.0.0' };
  const { settings, warnings } = readSettings(textOf('mayday.yaml'), { env, baseDir: root });
  expect(settings).toMatchObject({
    listen: { host: '0.0.0.0', port: 7350 },
    store: { url: 'valkey://valkey:6379' },
    keys: [{ name: 'ops', role: 'operator' }],
  });
  expect(warnings).toEqual([]);
});

it('what compose gives the containers is what the file takes', () => {
  const compose = textOf('compose.yaml');
  const given = [...compose.matchAll(/^ {6}([A-Z_]+):/gm)].map(([, name]) => name);
  const taken = [...textOf('mayday.yaml').matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name);
  expect(given.sort()).toEqual(taken.sort());
  expect(compose).toContain(
    'valkey-server --appendonly yes --appendfsync always --maxmemory-policy noeviction',
  );
  expect(parseYaml(compose.replace(/^ {4}<<:.*\n/m, ''))).toBeDefined();
});

it.skipIf(!hasRedis)('two gateways on this machine share keys and the audit log', async () => {
  const child = spawn(process.execPath, [`${root}scripts/two-gateways.ts`, '0', '0'], {
    env: { ...process.env, OPS_KEY: 'key-of-ops' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let out = '';
  for await (const chunk of child.stdout) {
    out += String(chunk);
    if (out.includes('Ctrl-C')) break;
  }
  const [first, second] = out.split('\n');
  const ask = async (url: string | undefined, path: string, key: string, body?: object): Promise<unknown> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const change = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    return (await fetch(`${url}/-/admin/v1${path}`, { headers, ...change })).json();
  };
  const made = (await ask(first, '/keys', 'key-of-ops', { name: 'olga', role: 'operator' })) as {
    key: string;
    id: string;
  };
  expect(await ask(second, '/keys', made.key)).toMatchObject({ keys: [{ id: made.id, name: 'olga' }] });
  expect(await ask(second, `/keys/${made.id}/revoke`, 'key-of-ops', {})).toEqual({
    id: made.id,
    revoked: true,
  });
  expect(await ask(first, '/audit', 'key-of-ops')).toMatchObject({
    rows: [{ action: 'keys.create' }, { action: 'keys.revoke' }],
  });
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  await expect(fetch(`${first}/-/health`)).rejects.toThrow();
});

/** `mayday credentials`, as an operator uses it beside the store. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '@mayday/store';
import { expect, test } from 'vitest';
import { mayday } from './mayday.ts';

const folder = mkdtempSync(join(tmpdir(), 'mayday-credentials-'));
const secret = 'secret-of-the-store';
const TOKEN = 'token-of-ann-1234';

test('one is read from standard input, sealed, listed by name alone, and removed', async () => {
  const url = join(mkdtempSync(join(folder, 'kept-')), 'kept.db');
  const config = join(folder, 'mayday.yaml');
  writeFileSync(
    config,
    `store: { url: ${url}, secret: "\${OUR_SECRET}" }
upstreams: { search: { url: http://127.0.0.1:9/mcp, caller_credentials: authorization } }
`,
  );
  const env = { OUR_SECRET: secret };
  const set = await mayday(['credentials', 'set', 'ann', 'search', '--config', config], `${TOKEN}\n`, {
    env,
  });
  expect(set).toEqual({
    code: 0,
    out: '',
    err: 'The credential of ann for search is set; gateways use it within two seconds.\n',
  });
  const store = await openStore({ url, secret });
  expect(await store.credentials.find({ caller: 'ann', upstream: 'search' })).toBe(TOKEN);
  const listed = await mayday(['credentials', 'list', '--store', url]);
  expect(listed.out).toMatch(
    /^CALLER {2}UPSTREAM {2}SINCE +CHANGED\nann {5}search {4}\d{4}-\S+Z {2}\d{4}-\S+Z\n$/,
  );
  const removed = await mayday(['credentials', 'remove', 'ann', 'search', '--store', url]);
  expect([removed.code, removed.out]).toEqual([0, '']);
  const again = await mayday(['credentials', 'remove', 'ann', 'search', '--json', '--store', url]);
  expect([again.code, JSON.parse(again.out)]).toEqual([
    1,
    { caller: 'ann', upstream: 'search', removed: false },
  ]);
  const rows = await store.audit.list();
  expect(rows.map(({ action, target }) => `${action} ${target}`)).toEqual([
    'credentials.set search',
    'credentials.remove search',
  ]);
  expect(JSON.stringify([rows, listed])).not.toContain(TOKEN);
  await store.close();
});

test('what cannot be kept is refused, and says what to do', async () => {
  const url = join(folder, 'other.db');
  const set = (input: string, ...more: readonly string[]) =>
    mayday(['credentials', 'set', 'ann', 'search', ...more, '--store', url], input);
  for (const [refused, why] of [
    [await set(TOKEN), 'was opened without a secret'],
    [await set(TOKEN), 'with --store, the variable MAYDAY_STORE_SECRET'],
    [await set(''), 'nothing came in on standard input'],
    [await set('', TOKEN), 'the credential itself is read from standard input'],
  ] as const) {
    expect([refused.code, refused.out]).toEqual([2, '']);
    expect(refused.err).toContain(why);
    expect(refused.err).not.toContain(TOKEN);
  }
});

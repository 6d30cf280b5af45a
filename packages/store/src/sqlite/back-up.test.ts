/** A store in a file is copied while it is used, and comes back as it was. */
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { backUpStore, openStore, restoreStore } from '../index.ts';

function folder(): { readonly url: string; readonly at: (name: string) => string } {
  const path = mkdtempSync(join(tmpdir(), 'mayday-backup-'));
  return { url: `file:${join(path, 'mayday.db')}`, at: (name) => join(path, name) };
}

const namesIn = async (url: string): Promise<readonly string[]> => {
  const store = await openStore(url);
  return (await store.keys.list().finally(() => store.close())).map(({ principal }) => principal);
};

it('knows of its keys also where only the file itself was copied', async () => {
  const { url, at } = folder();
  const store = await openStore(url);
  await store.keys.create({ principal: 'ada' });
  copyFileSync(at('mayday.db'), at('copy.db'));
  await store.close();
  expect(await namesIn(at('copy.db'))).toEqual(['ada']);
});

it('copies all of a store that is in use, for nobody else to read, and over nothing', async () => {
  const { url, at } = folder();
  const store = await openStore(url);
  await store.keys.create({ principal: 'ada' });
  await store.audit.append({ actor: 'root', action: 'keys.create' });
  await backUpStore(url, at('copy.db'));
  await store.keys.create({ principal: 'bob' });
  expect([statSync(at('copy.db')).mode & 0o777, existsSync(at('copy.db-wal'))]).toEqual([0o600, false]);
  const copy = await openStore(at('copy.db'));
  expect(await copy.keys.list()).toMatchObject([{ principal: 'ada' }]);
  expect(await copy.audit.verify()).toMatchObject({ ok: true, rows: 1 });
  await copy.close();
  await expect(backUpStore(url, at('copy.db'))).rejects.toThrow('copy.db is there already; name a new file');
  await expect(backUpStore(url, at('no/copy.db'))).rejects.toThrow(/copy\.db cannot be made there/);
  await expect(backUpStore(at('gone.db'), at('x.db'))).rejects.toThrow('There is no store at');
  await expect(backUpStore('redis://127.0.0.1:1', at('x.db'))).rejects.toThrow(/Redis.*backs itself up/);
  expect(readdirSync(at('.')).filter((name) => name.startsWith('x') || name.startsWith('gone'))).toEqual([]);
  await store.close();
});

it('brings a copy back, and keeps what was there', async () => {
  const { url, at } = folder();
  const store = await openStore(url);
  await store.keys.create({ principal: 'ada' });
  await backUpStore(url, at('copy.db'));
  await store.keys.create({ principal: 'bob' });
  await expect(restoreStore(url, at('copy.db'))).rejects.toThrow(/mayday\.db is in use; stop every gateway/);
  expect(await store.keys.list()).toHaveLength(2);
  await store.close();
  chmodSync(at('mayday.db'), 0o640);
  const { kept } = await restoreStore(url, at('copy.db'));
  expect(await namesIn(url)).toEqual(['ada']);
  expect([kept?.startsWith(`${at('mayday.db')}.`), await namesIn(kept ?? '')]).toEqual([
    true,
    ['ada', 'bob'],
  ]);
  expect(statSync(at('copy.db')).size).toBeGreaterThan(0);
});

it('brings it back where there is none, and where what there is is damaged', async () => {
  const { url, at } = folder();
  const store = await openStore(url);
  await store.keys.create({ principal: 'ada' });
  await backUpStore(url, at('copy.db'));
  await store.close();
  expect(await restoreStore(at('new.db'), at('copy.db'))).toEqual({ kept: undefined });
  expect(await namesIn(at('new.db'))).toEqual(['ada']);
  writeFileSync(at('mayday.db'), 'no database at all, but something else'.repeat(1000));
  await restoreStore(url, at('copy.db'));
  expect(await namesIn(url)).toEqual(['ada']);
});

it('takes nothing that is no store, and leaves what there is', async () => {
  const { url, at } = folder();
  await (await openStore(url)).close();
  writeFileSync(at('text'), 'x'.repeat(5000));
  writeFileSync(at('empty'), '');
  await expect(restoreStore(url, at('text'))).rejects.toThrow(/text is no SQLite database/);
  await expect(restoreStore(url, at('empty'))).rejects.toThrow(/empty holds no store/);
  await expect(restoreStore(url, at('gone'))).rejects.toThrow(/There is no file .*gone/);
  expect(readdirSync(at('.')).sort()).toEqual(['empty', 'mayday.db', 'text']);
});

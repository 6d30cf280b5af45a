import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { cacheFolder, keepDocuments } from './kept-documents.ts';

const REQUEST = { source: '/api.yaml', given: [], keyHeader: undefined, known: undefined };
const bytes = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text));
const DOCUMENT = {
  title: 'T',
  version: '1',
  server: 'https://api.example/',
  operations: [],
  listed: bytes('[{"ä":1}]'),
  details: bytes('{}'),
  skipped: ['TRACE /x: no'],
  notes: [],
  digests: [],
};

function folders(): { folder: string; code: string } {
  const folder = mkdtempSync(join(tmpdir(), 'mayday-kept-'));
  const code = join(folder, 'reader.js');
  writeFileSync(code, '1');
  return { folder: join(folder, 'kept'), code };
}

it('gives back what was kept, for the same reader and the same settings alone', async () => {
  const { folder, code } = folders();
  const kept = keepDocuments(folder, pathToFileURL(code));
  expect(await kept.read(REQUEST)).toBeUndefined();
  await kept.write(REQUEST, DOCUMENT)();
  expect(await kept.read(REQUEST)).toEqual(DOCUMENT);
  expect(await kept.read({ ...REQUEST, given: ['header x'] })).toBeUndefined();
  expect([statSync(folder).mode & 0o777, readdirSync(folder).length]).toEqual([0o700, 1]);
  writeFileSync(code, '22');
  expect(await kept.read(REQUEST)).toBeUndefined();
});

it.each<[string, (file: string) => void]>([
  ['is cut off', (file) => writeFileSync(file, readFileSync(file).subarray(0, -1))],
  ['is empty', (file) => writeFileSync(file, '')],
  [
    'was changed',
    (file) => writeFileSync(file, Buffer.concat([readFileSync(file).subarray(0, -1), Buffer.from('X')])),
  ],
  ['others may write to', (file) => chmodSync(file, 0o666)],
])('takes nothing that %s', async (_what, spoil) => {
  const { folder, code } = folders();
  const kept = keepDocuments(folder, pathToFileURL(code));
  await kept.write(REQUEST, DOCUMENT)();
  spoil(join(folder, readdirSync(folder)[0] ?? ''));
  expect(await kept.read(REQUEST)).toBeUndefined();
});

it('does not grow for ever', async () => {
  const { folder, code } = folders();
  const kept = keepDocuments(folder, pathToFileURL(code));
  await kept.write(REQUEST, DOCUMENT)();
  utimesSync(join(folder, readdirSync(folder)[0] ?? ''), 0, 0);
  await kept.write({ ...REQUEST, source: '/other.yaml' }, DOCUMENT)();
  expect(readdirSync(folder)).toHaveLength(1);
});

it('is where caches are', () => {
  expect(cacheFolder({ XDG_CACHE_HOME: '/caches' })).toBe('/caches/mayday/openapi');
  expect(cacheFolder({})).toMatch(/\.cache\/mayday\/openapi$/);
});

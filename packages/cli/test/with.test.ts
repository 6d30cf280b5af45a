import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { answer, mayday } from './mayday.ts';

const folder = mkdtempSync(join(tmpdir(), 'mayday-with-'));

function module(name: string, source: string): string {
  const path = join(folder, name);
  writeFileSync(path, source);
  return path;
}

const acme = module(
  'acme.mjs',
  `const said = (wire) => wire.error?.data?.acme;
   export const acme = {
     id: 'acme', title: 'Acme', shape: 'an error', tell: 'data.acme',
     codes: [{ code: 'E7', name: 'busy', kind: 'overloaded', title: 'Busy', written: true }],
     recognise: (wire) => (said(wire) === undefined ? 0 : 1),
     read: (wire) => said(wire) && { kind: 'overloaded', message: wire.text, certainty: 1, evidence: [] },
     write: (fault, context) => ({ wire: { jsonrpc: '2.0', id: context.id, error: { code: 7, message: fault.message, data: { acme: 'E7' } } } }),
   };`,
);
const wire = { jsonrpc: '2.0', id: 1, error: { code: 7, message: 'later', data: { acme: 'E7' } } };

test('reads, writes and lists a dialect of a module', async () => {
  expect(await answer(['read', '--with', acme], wire)).toMatchObject({ dialect: 'acme', kind: 'overloaded' });
  expect(await answer(['translate', '--with', acme, '--from', 'acme', '--to', 'acme'], wire)).toMatchObject({
    wire,
  });
  const { out } = await mayday(['catalog', '--with', acme]);
  expect(JSON.parse(out).codes).toContainEqual(expect.objectContaining({ source: 'acme', code: 'E7' }));
});

test.each([
  ['nothing.mjs', undefined, 'there is no such file'],
  [
    'needy.mjs',
    `import '@mayday/nope'; export const x = 1;`,
    'it imports @mayday/nope, which cannot be found from there; install it where the file lies',
  ],
  ['needy-too.mjs', `import './gone.mjs'; export const x = 1;`, 'gone.mjs, which cannot be found'],
  ['broken.mjs', 'export const x = ;', 'cannot load'],
  ['throws.mjs', `throw new Error('password=hunter2planted is wrong')`, 'cannot load'],
  ['throws-nothing.mjs', 'throw null', 'it threw null'],
  [
    'endless.mjs',
    'await new Promise(() => {}); export const x = 1;',
    'it waits for something that never comes',
  ],
  ['empty.mjs', 'export const x = 1;', 'exports no dialect'],
  [
    'half.mjs',
    `export const half = { id: 'half', codes: [] };`,
    'Expected `recognise` of the dialect "half" to be a function',
  ],
])('says what is wrong with %s', async (name, source, message) => {
  const path = source === undefined ? join(folder, name) : module(name, source);
  const { code, err } = await mayday(['read', '--with', path], '{}');
  expect(code).toBe(2);
  expect(err).toContain(message);
  expect(err).toContain(path);
  expect(err).not.toContain('hunter2planted');
});

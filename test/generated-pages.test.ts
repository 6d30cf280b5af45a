import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { updatePage } from '../scripts/fault-pages.ts';
import { generatedPages } from '../scripts/generated-pages.ts';

const root = new URL('../', import.meta.url);
const pages = await generatedPages();

test('the generated parts of the docs are up to date; if not: npm run docs', () => {
  const stale = pages.filter(({ name, parts }) => {
    const text = readFileSync(new URL(name, root), 'utf8');
    return text !== updatePage(text, parts);
  });
  expect(stale.map(({ name }) => name)).toEqual([]);
});

test.each(['faults', 'dialects', 'commands'])(
  'docs/%s has a page for each, and none for anything else',
  (folder) => {
    const listed = pages.map(({ name }) => name).filter((name) => name.startsWith(`docs/${folder}/`));
    const there = readdirSync(new URL(`docs/${folder}/`, root)).map((file) => `docs/${folder}/${file}`);
    expect(there.sort()).toEqual(listed.sort());
  },
);

test('a command’s page has its words in a table, a text that goes on in its row, and what an example prints', () => {
  const page = (name: string): string => readFileSync(new URL(`docs/commands/${name}.md`, root), 'utf8');
  expect(page('gateway')).toContain(
    '| `--serve NAME` | one upstream or virtual server of the file, at /mcp or',
  );
  expect(page('translate')).toContain('mcp, mcp@2026-07-28, mcp@2025-11-25, mcp@draft, problem');
  expect(page('redact')).toContain('"value": "connect to postgres://[credentials:1]@[host:1]/x failed\\n"');
});

test('a dialect’s page says what is lost', () => {
  const page = (name: string): string => readFileSync(new URL(`docs/dialects/${name}.md`, root), 'utf8');
  expect(page('erlmcp')).toContain('Lost: `subject`.');
  expect(page('mayday')).toContain('A fault of every kind, written and read back, is the same fault.');
});

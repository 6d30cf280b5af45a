import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';

/** Pages whose TypeScript compiles as it stands, as a strict user would paste it. */
const PAGES = [
  'README.md',
  'packages/core/README.md',
  'docs/reading.md',
  'docs/executed.md',
  'docs/dialects.md',
];

const root = fileURLToPath(new URL('../', import.meta.url));
const folder = `${root}.tsc/snippets`;
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Snippet {
  readonly page: string;
  readonly code: string;
}

const all: readonly Snippet[] = PAGES.flatMap((page) => {
  const text = readFileSync(`${root}${page}`, 'utf8');
  return [...text.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map((match) => ({ page, code: match[1] as string }));
});

/** The file that others on its page import. */
const acme = all.find(({ code }) => code.includes('export const acme'))?.code ?? '';

/** These packages run in Node alone; everything else has to do without Node's types. */
const needsNode = ({ code }: Snippet): boolean => /'@mayday\/(?:server|gateway)/.test(code);

function compile(name: string, snippets: readonly Snippet[], types: readonly string[]): string {
  const home = `${folder}/${name}`;
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  writeFileSync(`${home}/acme.ts`, acme);
  snippets.forEach(({ page, code }, index) => {
    writeFileSync(`${home}/${page.replace(/\W/g, '-')}-${index}.ts`, `${code}\nexport {};\n`);
  });
  const options = {
    module: 'nodenext',
    target: 'es2023',
    lib: ['es2024', 'dom'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    customConditions: ['@mayday/source'],
    types,
  };
  writeFileSync(`${home}/tsconfig.json`, JSON.stringify({ compilerOptions: options, include: ['*.ts'] }));
  const tsc = `${root}node_modules/typescript/bin/tsc`;
  const { stdout, status } = spawnSync(process.execPath, [tsc, '-p', home], { encoding: 'utf8' });
  return status === 0 ? stdout : `${stdout}(status ${status})`;
}

it('every page has some', () => {
  expect([...new Set(all.map(({ page }) => page))]).toEqual(PAGES);
  expect(all.filter(needsNode)).toHaveLength(3);
});

it.each([
  ['anywhere', all.filter((snippet) => !needsNode(snippet)), []],
  ['in Node', all.filter(needsNode), ['node']],
])(
  'the TypeScript in the pages compiles under strict, %s',
  (name, snippets, types) => {
    expect(compile(name.replace(/\W/g, '-'), snippets, types)).toBe('');
  },
  60_000,
);

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

function snippets(page: string): string[] {
  const text = readFileSync(`${root}${page}`, 'utf8');
  return [...text.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map((match) => match[1] as string);
}

it('the TypeScript in the pages compiles under strict', () => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const all = PAGES.flatMap((page) => snippets(page).map((code) => ({ page, code })));
  expect(all.length).toBeGreaterThanOrEqual(PAGES.length);
  all.forEach(({ page, code }, index) => {
    writeFileSync(`${folder}/${page.replace(/\W/g, '-')}-${index}.ts`, `${code}\nexport {};\n`);
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
    types: [],
  };
  writeFileSync(`${folder}/tsconfig.json`, JSON.stringify({ compilerOptions: options, include: ['*.ts'] }));
  const { stdout, status } = spawnSync(
    process.execPath,
    [`${root}node_modules/typescript/bin/tsc`, '-p', folder],
    {
      encoding: 'utf8',
    },
  );
  expect(stdout).toBe('');
  expect(status).toBe(0);
}, 60_000);

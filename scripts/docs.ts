/**
 * Brings the generated parts of the docs up to date: `npm run docs`. With `--check` nothing is written and
 * the exit status is 1 when something is stale.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { KIND_NAMES, type Kind } from '@mayday/core';
import { generatedParts, newPage, updatePage } from './fault-pages.ts';

const check = process.argv.includes('--check');
const folder = fileURLToPath(new URL('../docs/faults/', import.meta.url));
const pages: readonly (Kind | 'README')[] = ['README', ...KIND_NAMES];

mkdirSync(folder, { recursive: true });
const stale = pages.filter((page) => {
  const path = `${folder}${page}.md`;
  const before = existsSync(path) ? readFileSync(path, 'utf8') : newPage(page);
  const after = updatePage(before, generatedParts(page));
  if (existsSync(path) && after === before) return false;
  if (!check) writeFileSync(path, after);
  return true;
});

const names = stale.map((page) => `docs/faults/${page}.md`).join(', ');
if (stale.length === 0) console.log('The docs are up to date.');
else if (check) console.error(`Stale: ${names}. Run \`npm run docs\` and commit what it writes.`);
else console.log(`Updated ${names}`);
process.exitCode = check && stale.length > 0 ? 1 : 0;

/**
 * Brings the generated parts of the docs up to date: `npm run docs`. With `--check` nothing is written and
 * the exit status is 1 when something is stale.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { describe } from '../packages/gateway/src/admin/describe.ts';
import { OPERATIONS } from '../packages/gateway/src/admin/operations.ts';
import { settingsSchema } from '../packages/gateway/src/settings/schema.ts';
import { type Parts, updatePage } from './fault-pages.ts';
import { generatedPages } from './generated-pages.ts';

const check = process.argv.includes('--check');
const root = fileURLToPath(new URL('..', import.meta.url));
const pages = await generatedPages();
const stale = [
  ...pages.filter(({ name, parts, fresh }) => update(name, parts, fresh)).map(({ name }) => name),
  ...(updateJson('packages/gateway/schema/config.schema.json', settingsSchema())
    ? ['config.schema.json']
    : []),
  ...(updateJson('packages/gateway/schema/admin.openapi.json', describe(OPERATIONS))
    ? ['admin.openapi.json']
    : []),
];

/** Brings one page up to date; true when it was not. */
function update(name: string, parts: Parts, fresh: string): boolean {
  const path = `${root}${name}`;
  const before = existsSync(path) ? readFileSync(path, 'utf8') : fresh;
  const after = updatePage(before, parts);
  if (existsSync(path) && after === before) return false;
  if (!check) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, after);
  }
  return true;
}

function updateJson(name: string, value: object): boolean {
  const path = `${root}${name}`;
  if (existsSync(path) && isDeepStrictEqual(JSON.parse(readFileSync(path, 'utf8')), value)) return false;
  if (!check) {
    writeFileSync(path, JSON.stringify(value));
    spawnSync('npx', ['biome', 'format', '--write', name], { cwd: root, stdio: 'inherit' });
  }
  return true;
}

const names = stale.join(', ');
if (stale.length === 0) console.log('The docs are up to date.');
else if (check) console.error(`Stale: ${names}. Run \`npm run docs\` and commit what it writes.`);
else console.log(`Updated ${names}`);
process.exitCode = check && stale.length > 0 ? 1 : 0;

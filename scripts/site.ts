/**
 * Builds the documentation site of what is in `docs/`: `npm run site`, and it is in `site/dist`. Links that lead nowhere
 * fail the build; `-- --check` only looks through a site that is built already. What it needs is in `site/`, with a lock
 * of its own, so that nobody else has to install it.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deadLinks } from './site/dead-links.ts';
import { groupsOf } from './site/groups.ts';
import { llmsFull, llmsIndex } from './site/llms.ts';
import { sitePages, withFrontmatter } from './site/pages.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const site = `${root}site`;
const SUMMARY =
  'One error language for the Model Context Protocol. A server throws one kind of fault; every client, agent and operator gets it in the form they understand; and every failure that any MCP server produces is read back into that same fault, with an answer to the only question an agent has: what do I do now?';

/** Installs what the lock names, unless it is installed. */
function install(): void {
  const stamp = `${site}/node_modules/.installed`;
  const lock = createHash('sha256')
    .update(readFileSync(`${site}/package-lock.json`))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  run('npm', ['ci', '--no-audit', '--no-fund']);
  writeFileSync(stamp, lock);
}

/** Writes the pages where the site looks for them; its own page stays. */
function writePages(): void {
  const { repository } = JSON.parse(readFileSync(`${root}packages/core/package.json`, 'utf8')) as {
    readonly repository: { readonly url: string };
  };
  const host = repository.url.replace(/^git\+/, '').replace(/\.git$/, '');
  const pages = sitePages({ docs: `${root}docs`, repository: `${host}/tree/main` });
  const groups = groupsOf(pages);
  const content = `${site}/src/content/docs`;
  for (const old of globSync('*', { cwd: content }))
    if (old !== 'index.mdx') rmSync(`${content}/${old}`, { recursive: true });
  rmSync(`${site}/public`, { recursive: true, force: true });
  for (const page of pages) {
    const name = page.source.replace(/README\.md$/, 'index.md');
    write(`${content}/${name}`, withFrontmatter(page));
    write(`${site}/public/${page.source}`, page.text);
  }
  for (const picture of globSync('**/*.{svg,webp}', { cwd: `${root}docs` }))
    cpSync(`${root}docs/${picture}`, `${site}/public/${picture}`);
  cpSync(`${site}/src/favicon.svg`, `${site}/public/favicon.svg`);
  write(`${site}/public/llms.txt`, llmsIndex(pages, groups, SUMMARY));
  write(`${site}/public/llms-full.txt`, llmsFull(pages, groups, SUMMARY));
  write(`${site}/src/sidebar.json`, JSON.stringify(groups, null, 2));
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function run(command: string, args: readonly string[]): void {
  const env = { ...process.env, ASTRO_TELEMETRY_DISABLED: '1' };
  const { status } = spawnSync(command, args, { cwd: site, stdio: 'inherit', env });
  if (status !== 0) throw new Error(`\`${command} ${args.join(' ')}\` failed in site/ with status ${status}`);
}

if (!process.argv.includes('--check')) {
  install();
  writePages();
  run('npx', ['astro', 'build', '--force']);
}
const wrong = deadLinks(`${site}/dist`);
for (const line of wrong) console.error(line);
console.log(
  wrong.length === 0 ? 'Every link leads somewhere. The site is in site/dist' : `${wrong.length} mistakes`,
);
process.exitCode = wrong.length === 0 ? 0 : 1;

/** Links of the repository's pages lead somewhere: to a file that is there, and to a heading that it has. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../', import.meta.url));
const pages = globSync(
  ['*.md', 'docs/**/*.md', 'packages/*/README.md', 'reference/*/README.md', 'deploy/**/*.md'],
  {
    cwd: root,
  },
);

/** A page without what is shown, where nothing is a link or a heading. */
function prose(page: string): string {
  return readFileSync(join(root, page), 'utf8').replace(/^```[\s\S]*?^```$/gm, '');
}

/** The anchors of a page, as code hosts and the site make them of headings. */
function anchorsOf(page: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of prose(page).matchAll(/^#{1,6} +(.*)$/gm)) {
    const text = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const slug = text.replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-');
    let anchor = slug;
    for (let count = 1; anchors.has(anchor); count += 1) anchor = `${slug}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}

function linksOf(page: string): readonly string[] {
  const text = prose(page).replace(/`[^`\n]*`/g, '');
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] as string);
}

function isDead(page: string, link: string): boolean {
  if (/^[a-z]+:/.test(link)) return false;
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : normalize(join(dirname(page), path));
  if (!existsSync(join(root, target))) return true;
  return anchor !== undefined && !(target.endsWith('.md') && anchorsOf(target).has(anchor));
}

it('every link of every page leads somewhere', () => {
  const links = pages.flatMap((page) => linksOf(page).map((link) => [page, link] as const));
  expect(links.length).toBeGreaterThan(300);
  const dead = links.filter(([page, link]) => isDead(page, link));
  expect(dead.map(([page, link]) => `${page}: ${link}`)).toEqual([]);
});

it.each(['docs/nowhere.md', 'docs/gateway.md#nowhere', '#nowhere', 'packages#nowhere'])(
  'finds that %s is dead',
  (link) => {
    expect(isDead('README.md', link)).toBe(true);
  },
);

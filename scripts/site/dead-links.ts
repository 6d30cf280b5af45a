/** Looks through a built site: links that lead nowhere, and pages that nothing leads to. */
import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** What is wrong, a line each. */
export function deadLinks(dist: string): readonly string[] {
  const files = new Set(
    globSync('**/*', { cwd: dist, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => posix.join('/', entry.parentPath.slice(dist.length).replaceAll('\\', '/'), entry.name)),
  );
  const pages = [...files].filter((file) => file.endsWith('.html')).sort();
  const texts = new Map(pages.map((page) => [page, readFileSync(join(dist, page), 'utf8')]));
  const wrong: string[] = [];
  const reached = new Set(['/index.html', '/404.html']);
  for (const [page, html] of texts) {
    for (const link of linksOf(html)) {
      const { pathname, hash } = new URL(link, `http://site${page}`);
      const target = fileAt(decodeURI(pathname), files);
      if (target === undefined) wrong.push(`${page}: ${link} leads nowhere`);
      else if (hash !== '' && !hasAnchor(texts.get(target) ?? '', decodeURIComponent(hash.slice(1))))
        wrong.push(`${page}: ${link} leads to no heading`);
      else if (target !== page) reached.add(target);
    }
  }
  const orphans = pages.filter((page) => !reached.has(page));
  return [...wrong, ...orphans.map((page) => `${page}: no page leads here`)];
}

function linksOf(html: string): readonly string[] {
  const code = /<script\b[^>]*>[\s\S]*?<\/script>/g;
  const found = html.replace(code, '').matchAll(/\s(?:href|src)="([^"]*)"/g);
  const links = [...found].map(([, link = '']) => link.replaceAll('&amp;', '&').replaceAll('&#38;', '&'));
  return links.filter((link) => !/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(link));
}

function fileAt(path: string, files: ReadonlySet<string>): string | undefined {
  return [path, posix.join(path, 'index.html'), `${path}.html`].find((file) => files.has(file));
}

function hasAnchor(html: string, id: string): boolean {
  return id === 'top' || html.includes(` id="${id}"`);
}

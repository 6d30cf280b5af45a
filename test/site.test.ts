/** What the site makes of the pages, without building it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { deadLinks } from '../scripts/site/dead-links.ts';
import { groupsOf } from '../scripts/site/groups.ts';
import { llmsFull, llmsIndex } from '../scripts/site/llms.ts';
import { sitePage, sitePages, withFrontmatter } from '../scripts/site/pages.ts';

const docs = fileURLToPath(new URL('../docs', import.meta.url));
const places = { docs, repository: 'https://host.example/tree/main' };

const TEXT = `# \`mayday read\`

<!-- generated: a -->
Says [what](../reading.md) went wrong,
and \`_why\`:

See [here](#example), [there](README.md#all), [that](../../packages/core) and ![this](../goodput.svg).
<!-- end: a -->

\`\`\`ts checked
read('[x](y.md)');
\`\`\`
`;

describe('a page', () => {
  const page = sitePage('commands/read.md', TEXT, places);

  it('has a title, an address and a description', () => {
    expect(page).toMatchObject({
      slug: 'commands/read',
      title: 'mayday read',
      description: 'Says what went wrong, and _why.',
    });
  });

  it('has the site’s addresses in place of paths, and its code as it was', () => {
    expect(withFrontmatter(page)).toBe(`---
title: "mayday read"
description: "Says what went wrong, and _why."
---

Says [what](/reading/) went wrong,
and \`_why\`:

See [here](#example), [there](/commands/#all), [that](https://host.example/tree/main/packages/core) and ![this](/goodput.svg).

\`\`\`ts
read('[x](y.md)');
\`\`\`
`);
  });

  it('as Markdown names what is no page where it is, and leaves the rest', () => {
    expect(page.text).toContain('[that](https://host.example/tree/main/packages/core)');
    expect(page.text).toContain('[what](../reading.md)');
  });

  it('without a title is refused', () => {
    expect(() => sitePage('a.md', 'text', places)).toThrow(
      'docs/a.md has no title: its first line has to be "# …"',
    );
  });
});

describe('the pages of docs/', () => {
  const pages = sitePages(places);
  const groups = groupsOf(pages);

  it('are all in the sidebar, and described', () => {
    expect(groups.flatMap(({ slugs }) => slugs).sort()).toEqual(pages.map(({ slug }) => slug).sort());
    expect(pages.filter(({ description }) => description.length < 20).map(({ source }) => source)).toEqual(
      [],
    );
  });

  it('are not without a place, which would be noticed', () => {
    const lost = sitePage('lost.md', '# Lost\n', places);
    expect(() => groupsOf([...pages, lost])).toThrow('In no group of the sidebar: docs/lost.md');
  });

  it('are in llms.txt, and whole in llms-full.txt', () => {
    const index = llmsIndex(pages, groups, 'A summary.');
    expect(index).toMatch(/^# Mayday\n\n> A summary\.\n/);
    expect(index.match(/^- \[/gm)).toHaveLength(pages.length);
    expect(index).toContain('- [timeout](/faults/timeout.md): The time was up before the answer came.');
    const full = llmsFull(pages, groups, 'A summary.');
    expect(full.length).toBeGreaterThan(pages.reduce((sum, { body }) => sum + body.length, 0));
    const prose = full.replace(/^```[\s\S]*?^```$/gm, '').replace(/`[^`\n]*`/g, '');
    const targets = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
    expect(targets.filter((target) => !/^(?:\/|https?:|mailto:)/.test(target))).toEqual([]);
  });
});

describe('a built site', () => {
  const dist = mkdtempSync(join(tmpdir(), 'mayday-dist-'));
  afterAll(() => rmSync(dist, { recursive: true, force: true }));

  it('is searched for links that lead nowhere, and pages that nothing leads to', () => {
    const files = {
      'index.html':
        '<a href="/a/#top">a</a> <a href="a/#here">a</a> <a href="https://x.example/no">x</a> <img src="/a.svg">',
      'a/index.html':
        '<h2 id="here">a</h2> <a href="/b">b</a> <a href="../#there">home</a> <a href="#here">here</a>',
      'lonely/index.html': '<a href="./">me</a>',
      'a.svg': '<svg></svg>',
    };
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(dist, name)), { recursive: true });
      writeFileSync(join(dist, name), text);
    }
    expect(deadLinks(dist)).toEqual([
      '/a/index.html: /b leads nowhere',
      '/a/index.html: ../#there leads to no heading',
      '/lonely/index.html: no page leads here',
    ]);
  });
});

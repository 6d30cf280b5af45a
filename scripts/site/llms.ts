/** `llms.txt` and `llms-full.txt`: the pages for programs that read them (https://llmstxt.org). */
import type { SitePage } from './pages.ts';

/** A group of pages, as the sidebar has them. */
export interface Group {
  readonly label: string;
  readonly slugs: readonly string[];
}

/** The list of pages, each as Markdown. */
export function llmsIndex(pages: readonly SitePage[], groups: readonly Group[], summary: string): string {
  const sections = groups.map(({ label, slugs }) => {
    const lines = slugs.map((slug) => {
      const page = pages.find((candidate) => candidate.slug === slug);
      if (page === undefined)
        throw new Error(`There is no page ${slug}; mend the groups in scripts/site/groups.ts`);
      return `- [${page.title}](/${page.source}): ${page.description}`;
    });
    return [`## ${label}`, lines.join('\n')].join('\n\n');
  });
  return `${['# Mayday', `> ${summary}`, 'All pages in one: [llms-full.txt](/llms-full.txt)', ...sections].join('\n\n')}\n`;
}

/** All pages in one, in the order of the groups; links lead to the site's pages from there, too. */
export function llmsFull(pages: readonly SitePage[], groups: readonly Group[], summary: string): string {
  const texts = groups
    .flatMap(({ slugs }) => slugs)
    .map((slug) => pages.find((page) => page.slug === slug))
    .filter((page) => page !== undefined)
    .map(({ slug, title, body }) => {
      const text = body.trim().replaceAll('](#', `](/${slug}/#`);
      return `<!-- /${slug}/ -->\n\n# ${title}\n\n${text}`;
    });
  return `${['# Mayday', `> ${summary}`, ...texts].join('\n\n')}\n`;
}

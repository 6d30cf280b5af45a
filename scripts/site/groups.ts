/** The order of the pages: in the sidebar, and in `llms.txt`. */
import type { Group } from './llms.ts';
import type { SitePage } from './pages.ts';

const FIRST: readonly Group[] = [
  { label: 'From zero in five minutes', slugs: ['start', 'start/server', 'start/agent', 'start/operator'] },
  {
    label: 'Guides',
    slugs: 'server client gateway eras openapi shaping policy oauth admin console telemetry'.split(' '),
  },
  { label: 'The language', slugs: ['executed', 'reading', 'redaction', 'dialects', 'bundles', 'figures'] },
];

const FOLDERS: readonly (readonly [folder: string, label: string])[] = [
  ['faults', 'Faults, a page each'],
  ['dialects', 'Dialects, a page each'],
  ['commands', 'Commands, a page each'],
];

/** All groups; a page that is in none is a mistake. */
export function groupsOf(pages: readonly SitePage[]): readonly Group[] {
  const named = FIRST.flatMap(({ slugs }) => slugs);
  const folders = FOLDERS.map(([folder, label]) => ({
    label,
    slugs: pages
      .map(({ slug }) => slug)
      .filter((slug) => !named.includes(slug) && (slug === folder || slug.startsWith(`${folder}/`))),
  }));
  const groups = [...FIRST, ...folders];
  const known = groups.flatMap(({ slugs }) => slugs);
  const lost = pages.filter(({ slug }) => !known.includes(slug)).map(({ source }) => `docs/${source}`);
  if (lost.length > 0)
    throw new Error(`In no group of the sidebar: ${lost.join(', ')}; add them in scripts/site/groups.ts`);
  return groups;
}

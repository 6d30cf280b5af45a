/** The pages of `docs/` as the site has them: a title, a description, addresses of the site in place of paths. */
import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** One page. */
export interface SitePage {
  /** Where it comes from: `faults/README.md`. */
  readonly source: string;
  /** Its address, without slashes around it: `faults`, `faults/not_found`. */
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  /** The text as it stands in the repository; what it names outside of the pages is named where it is. */
  readonly text: string;
  /** What stands below the title, with the site's addresses. */
  readonly body: string;
}

/** Where files are that are no pages. */
interface Places {
  /** The folder of the pages. */
  readonly docs: string;
  /** The folder of the repository on a code host, to which paths are added. */
  readonly repository: string;
}

/** Every page, sorted by where it comes from. */
export function sitePages(places: Places): readonly SitePage[] {
  const sources = globSync('**/*.md', { cwd: places.docs }).map((path) => path.replaceAll('\\', '/'));
  return sources
    .sort()
    .map((source) => sitePage(source, readFileSync(join(places.docs, source), 'utf8'), places));
}

/** One page, from its text. */
export function sitePage(source: string, text: string, { repository }: Pick<Places, 'repository'>): SitePage {
  const [, heading] = /^# (.+)\n/.exec(text) ?? [];
  if (heading === undefined) throw new Error(`docs/${source} has no title: its first line has to be "# …"`);
  const below = text.slice(text.indexOf('\n') + 1);
  return {
    source,
    slug: slugOf(source),
    title: heading.replaceAll('`', ''),
    description: descriptionOf(below),
    text: outsideFences(text, (prose) => withTargets(prose, (target) => outward(target, source, repository))),
    body: outsideFences(below, (prose) => linked(prose, source, repository)).replace(FENCE_MARK, '$1'),
  };
}

/** The page as Starlight reads it. */
export function withFrontmatter({ title, description, source, body }: SitePage): string {
  const index = /(?:^|\/)README\.md$/.test(source) ? 'sidebar: { order: 0 }\n' : '';
  const head = `title: ${JSON.stringify(title)}\ndescription: ${JSON.stringify(description)}\n${index}`;
  return `---\n${head}---\n${body}`;
}

/** Marks for the tests that run the code: "```ts checked". */
const FENCE_MARK = /^(```\w+) (?:checked|sketch)$/gm;

function slugOf(source: string): string {
  return source.replace(/(?:^|\/)README\.md$/, '').replace(/\.md$/, '');
}

/** The first paragraph, without its marks. */
function descriptionOf(below: string): string {
  const paragraphs = outsideFences(below, (prose) => prose, '')
    .replace(/<!--.*?-->\n?/g, '')
    .split(/\n\n+/)
    .map((paragraph) => paragraph.trim());
  const first = paragraphs.find((paragraph) => /^[\p{L}`[]/u.test(paragraph)) ?? '';
  const plain = first.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/`|\*\*/g, '');
  return plain.replace(/\s+/g, ' ').replace(/:$/, '.');
}

/** The text with what is outside of code changed, and code kept or exchanged. */
function outsideFences(text: string, change: (prose: string) => string, code?: string): string {
  return text
    .split(/(^```[\s\S]*?^```$)/m)
    .map((part, index) => (index % 2 === 0 ? change(part) : (code ?? part)))
    .join('');
}

/** Prose with addresses in place of paths, and without the marks of the generator. */
function linked(prose: string, source: string, repository: string): string {
  const plain = prose.replace(/^<!-- (?:generated|end): \w+ -->\n/gm, '');
  return withTargets(plain, (target) => addressOf(target, source, repository));
}

function withTargets(prose: string, change: (target: string) => string): string {
  return prose.replace(/\]\(([^)\s]+)\)/g, (_, target: string) => `](${change(target)})`);
}

/** A path as it is, unless it leads out of the pages. */
function outward(target: string, source: string, repository: string): string {
  const address = addressOf(target, source, repository);
  return address.startsWith(repository) ? address : target;
}

function addressOf(target: string, source: string, repository: string): string {
  if (/^(?:[a-z]+:|#)/.test(target)) return target;
  const [path = '', anchor] = target.split('#');
  const there = posix.join('docs', posix.dirname(source), path);
  const hash = anchor === undefined ? '' : `#${anchor}`;
  if (!there.startsWith('docs/')) return `${repository}/${there}${hash}`;
  const inside = there.slice('docs/'.length);
  return inside.endsWith('.md') ? `/${slugOf(inside)}/${hash}` : `/${inside}${hash}`;
}

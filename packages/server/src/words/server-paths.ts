/**
 * Paths of the machine in plain words. One that no argument names is the operator's; of one that ends with what the
 * caller wrote, only that end is said, and of one that only leads through it, nothing beyond.
 */
import { namedBy, stemOf, stepsOf } from './files.ts';
import { textsIn } from './sent.ts';

/** Where the files of a machine are, and not the pages of a site. */
const ROOTS =
  'etc|opt|usr|root|proc|run|var|sys|app|boot|srv|home|mnt|media|tmp|private|Users|Volumes|Library|lib|bin|sbin';
const PATH = new RegExp(
  `(?<=(["'\`]))(?:/(?:${ROOTS})/|[A-Za-z]:\\\\)[^"'\`\\n]{1,500}(?=\\1)|(?<![\\w.~:/\\\\-])(?:/(?:${ROOTS})/|[A-Za-z]:\\\\)[^\\s"'\`,;:()<>|]{1,500}`,
  'g',
);

/** Longer texts are listings, and are cut before they are said. */
const LONGEST = 8000;
const MOST = 20;

/** Whoever keeps to certain folders speaks of what it was given. */
const KEPT_OUT = /\boutside\b|\bnot (?:within|inside)\b|\ballowed (?:director|folder|path|root)/i;

/** Are there paths, and did the caller name none of them, nor where it was to go? */
export function namesForeignPath(words: string, dest: unknown, sent: unknown): boolean {
  if (KEPT_OUT.test(words)) return false;
  const paths = [...pathsIn(words), ...(typeof dest === 'string' ? [dest] : [])];
  if (paths.length === 0) return false;
  const isNamed = namedBy(textsIn(sent));
  return !paths.some((path) => isNamed({ path, code: 'ENOENT' }));
}

function pathsIn(words: string): readonly string[] {
  return (words.slice(0, LONGEST).match(PATH) ?? []).slice(0, MOST).map(withoutStop);
}

/** The stop of a sentence is no part of a path. */
function withoutStop(path: string): string {
  return path.replace(/\.{1,3}$/, '');
}

/** The same words; of each path that ends with what the caller wrote, only that. */
export function withoutRoots(
  words: string,
  sent: { readonly arguments?: unknown; readonly uri?: unknown },
): string {
  const said = words.slice(0, LONGEST);
  if (said.search(PATH) < 0) return words;
  const own = ownPaths(textsIn([sent.arguments, sent.uri]));
  const shown = said.replace(PATH, (found) => {
    const path = withoutStop(found);
    return callersPart(path, own) + found.slice(path.length);
  });
  return shown + words.slice(LONGEST);
}

/** What the caller sent, taken apart once for all the paths of a text. */
interface OwnPaths {
  /** All of it, line by line. */
  readonly all: string;
  /** The steps of each, by the stem of the last. */
  readonly byStem: ReadonlyMap<string, readonly (readonly string[])[]>;
  /** The same, joined. */
  readonly folders: ReadonlySet<string>;
  /** Absolute ones of more than one step. */
  readonly roots: ReadonlySet<string>;
}

/** Longer than any path: somebody's document. */
const LONGEST_PATH = 1000;

function ownPaths(texts: readonly string[]): OwnPaths {
  const byStem = new Map<string, (readonly string[])[]>();
  const folders = new Set<string>();
  const roots = new Set<string>();
  for (const text of texts) {
    const steps = text.length > LONGEST_PATH ? [] : stepsOf(text);
    const last = steps[steps.length - 1];
    if (last === undefined) continue;
    const stem = stemOf(last);
    byStem.set(stem, [...(byStem.get(stem) ?? []), steps]);
    folders.add(steps.join('/'));
    if (steps.length > 1 && /^(?:[/\\]|[A-Za-z]:[/\\])/.test(text)) roots.add(steps.join('/'));
  }
  return { all: texts.join('\n'), byStem, folders, roots };
}

function callersPart(path: string, own: OwnPaths): string {
  if (own.all.includes(path)) return path;
  const steps = stepsOf(path);
  const ends = own.byStem.get(stemOf(steps[steps.length - 1] ?? '')) ?? [];
  const longest = ends.reduce((most, sent) => (isEnd(sent, steps) ? Math.max(most, sent.length) : most), 0);
  const isWhole = longest === steps.length || steps.some((_, at) => own.roots.has(joined(steps, 0, at)));
  if (isWhole) return path;
  const line = path.includes('\\') ? '\\' : '/';
  if (longest > 0) return steps.slice(-longest).join(line);
  const folder = folderIn(steps, own.folders);
  return folder === undefined ? path : `${folder.replaceAll('/', line)}${line}…`;
}

function joined(steps: readonly string[], from: number, to: number): string {
  return steps.slice(from, to).join('/');
}

/** Does a path end with what the caller wrote? Its last step may lack its extension. */
function isEnd(own: readonly string[], steps: readonly string[]): boolean {
  const start = steps.length - own.length;
  return start >= 0 && own.every((step, at) => at === own.length - 1 || step === steps[start + at]);
}

/** Steps near the file; deeper trees are not searched. */
const NEAREST = 20;

/** The longest part of the way to a file that the caller wrote. */
function folderIn(steps: readonly string[], folders: ReadonlySet<string>): string | undefined {
  const way = steps.slice(-NEAREST);
  for (let length = way.length; length > 0; length -= 1)
    for (let at = 0; at + length <= way.length; at += 1) {
      const folder = joined(way, at, at + length);
      if (folders.has(folder)) return folder;
    }
  return undefined;
}

/**
 * Paths of the machine in plain words. One that no argument names is the operator's; of one that ends with what the
 * caller wrote, only that end is said.
 */
import { isSent, stemOf, stepsOf, textsIn } from './files.ts';

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
  return paths.length > 0 && !paths.some((path) => isSent({ path, code: 'ENOENT' }, sent));
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
  const texts = textsIn([sent.arguments, sent.uri]);
  const shown = words.slice(0, LONGEST).replace(PATH, (found) => {
    const path = withoutStop(found);
    return callersPart(path, texts) + found.slice(path.length);
  });
  return shown + words.slice(LONGEST);
}

function callersPart(path: string, texts: readonly string[]): string {
  if (texts.some((text) => text.includes(path))) return path;
  const steps = stepsOf(path);
  const starts = texts.map((text) => startOf(stepsOf(text), steps)).filter((at) => at >= 0);
  const start = Math.min(...starts, steps.length);
  if (start === 0 || start === steps.length) return path;
  return steps.slice(start).join(path.includes('\\') ? '\\' : '/');
}

/** From which step on a path is what the caller wrote; -1 when it is not. The end may lack its extension. */
function startOf(own: readonly string[], steps: readonly string[]): number {
  if (own.length === 0) return -1;
  for (let start = steps.length - own.length; start >= 0; start -= 1) {
    const isSame = own.every((step, at) => {
      const other = steps[start + at] as string;
      return step === other || (start + at === steps.length - 1 && stemOf(step) === stemOf(other));
    });
    if (isSame) return start;
  }
  return -1;
}

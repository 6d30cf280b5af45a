/**
 * Did you mean, where several servers are behind one endpoint. What a name begins with says where something is to be done;
 * that is no slip of the keys, and nobody is led to the same tool of another server.
 */
import { nearest } from '../nearest.ts';

/** The known name that a wrong one was probably meant to be. */
export type Meant = (wrong: string, known: Iterable<string>) => string | undefined;

/** No name is longer, and comparing what is would only cost time. */
const LONGEST = 64;

/** Among names at an endpoint of these servers: of the same server, or of none where the wrong one begins with none. */
export function meantAmong(upstreams: Iterable<string>): Meant {
  const longestFirst = [...upstreams].sort((a, b) => b.length - a.length);
  const partsOf = (name: string): readonly [server: string | undefined, tool: string] => {
    const server =
      longestFirst.find((each) => isServerOf(each, name)) ??
      longestFirst.find((each) => isServerOf(each.toLowerCase(), lowerAt(name, each.length)));
    return [server, server === undefined ? name : name.slice(server.length).replace(SEPARATORS, '')];
  };
  return (wrong, known) => {
    if (wrong.length > LONGEST) return undefined;
    const [server, tool] = partsOf(wrong);
    const alike = new Map<string, string>();
    for (const name of known) {
      if (name === wrong) return undefined; // it is there, and was not mistyped
      const [owner, own] = partsOf(name);
      if (owner === server && isAlike(tool, own)) alike.set(own, name);
    }
    return alike.get(nearest(tool, alike.keys()) ?? '');
  };
}

const SEPARATORS = /^[-_./ ]+/;

/** `files_read`, `files.read` and `filesRead` are of `files`; `filesystem_read` is not. */
function isServerOf(server: string, name: string): boolean {
  return name.startsWith(server) && /^[-_./ A-Z]/.test(name.slice(server.length));
}

function lowerAt(name: string, length: number): string {
  return name.slice(0, length).toLowerCase() + name.slice(length);
}

/** May one be a slip of the other? Numbers and the beginnings of words tell things apart: `eu_write` is not `us_write`. */
export function isAlike(wrong: string, name: string): boolean {
  if (!beginsAlike(wrong, name) || digitsOf(wrong) !== digitsOf(name)) return false;
  const [words, others] = [wordsOf(wrong), wordsOf(name)];
  return words.length !== others.length || words.every((word, at) => beginsAlike(word, others[at] ?? ''));
}

function beginsAlike(one: string, other: string): boolean {
  return one.charAt(0).toLowerCase() === other.charAt(0).toLowerCase();
}

function digitsOf(name: string): string {
  return name.replace(/\D+/g, '');
}

function wordsOf(name: string): readonly string[] {
  return name.split(/[-_./ ]+/);
}

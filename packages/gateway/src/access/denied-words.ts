/** Finds in words what their reader may not use: names and URIs that rules deny, and documents, which nobody has looked through. */
import type { Reader } from './trim-lists.ts';

/** Words that may be told name nothing that is denied to whoever reads them. */
export type MayName = (words: string) => boolean;

/** Longer words are no sentence. */
const LONGEST = 4000;
const MOST = 400;

/** Begins a list or an object of JSON, be it inside of a text of JSON. */
const DOCUMENT = /[[{]\s*\\*["'[{]/;
const BETWEEN = /[\s"'`“”‘’«»,;!?()[\]{}<>|=\\]+/;
const AROUND = /^[.:*#]+|[.:*#]+$/g;
const QUOTED = /(["'`])((?:(?!\1)[^\n]){1,200})\1|“([^”\n]{1,200})”|‘([^’\n]{1,200})’/g;

/** What a name may look like and a word of a sentence does not. */
const NAME = /[_/:.\d-]|[a-z][A-Z]/;
const LETTER = /\p{L}/u;

/** No server has this: whoever may not use it may use next to nothing. */
const UNHEARD_OF = 'f3b1c7d2e9a84605';

/** Where all is denied that is not allowed, a plain word is none of it; where some names are, any word may be one of those. */
export function deniedWords(reader: Reader): MayName {
  const { upstream } = reader;
  const { isDenied, areMost } = denials(reader);
  const isFound = (name: string, isQuoted: boolean): boolean => {
    const looks = isQuoted || NAME.test(name);
    if ((looks || !areMost.tool) && isDenied('tool', name)) return true;
    return (name.includes(':') || (looks && !areMost.resource)) && isDenied('resource', name);
  };
  return (words) => {
    if (words.length > LONGEST || DOCUMENT.test(words)) return true;
    const quoted = [...words.matchAll(QUOTED)].map(
      ([, , plain, double, single]) => plain ?? double ?? single ?? '',
    );
    const plain = wordsOf(words);
    const told = (name: string): boolean => LETTER.test(name) && name !== upstream;
    const [names, others] = [new Set(quoted.filter(told)), new Set(plain.filter(told))];
    if (names.size + others.size > MOST) return true;
    return [...names].some((name) => isFound(name, true)) || [...others].some((name) => isFound(name, false));
  };
}

/**
 * The same for what stands beside a list, of which anything may be a name: only what is on that list, `listed`, and denied, and
 * where names are denied one by one, those. However long its words are.
 */
export function deniedBeside(reader: Reader, listed: Pick<ReadonlySet<string>, 'has'>): MayName {
  const { isDenied, areMost } = denials(reader);
  const isFound = (word: string): boolean => {
    if (listed.has(word)) return true;
    if (!LETTER.test(word) || word === reader.upstream) return false;
    return (!areMost.tool && isDenied('tool', word)) || (!areMost.resource && isDenied('resource', word));
  };
  return (words) => {
    const found = wholeWords(words);
    return found.size > MOST_BESIDE || [...found].some(isFound);
  };
}

const MOST_BESIDE = 4000;

function wordsOf(words: string): readonly string[] {
  return words.split(BETWEEN).map((word) => word.replace(AROUND, ''));
}

/** With all that a name may have in it, and without. */
function wholeWords(words: string): ReadonlySet<string> {
  const parts = [/[^\p{L}\p{N}_.-]+/u, /[^\p{L}\p{N}_-]+/u].flatMap((between) => words.split(between));
  return new Set([words, ...wordsOf(words), ...parts.map((part) => part.replace(AROUND, ''))]);
}

function denials({ rules, by, upstream }: Reader) {
  const isDenied = (type: 'tool' | 'resource', name: string): boolean =>
    !rules.verdict(by, upstream, { type, name }).isAllowed;
  const areMost = { tool: isDenied('tool', UNHEARD_OF), resource: isDenied('resource', UNHEARD_OF) };
  return { isDenied, areMost };
}

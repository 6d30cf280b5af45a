/** Things in codes of one word: `channel_not_found`, `USER_NOT_FOUND`, `RepositoryNotFoundError`. */
import type { Subject } from '../fault.ts';
import type { Kind } from '../kinds.ts';
import { idBehind, keptId, typeOf } from './noun-phrase.ts';
import { CLAUSES, QUALIFIERS } from './thing-words.ts';

/** Words that are joined by a sign or by their capitals; no part of a path or an address. */
const CODE =
  /(?<![\w/\\@-])[A-Za-z]+(?:[_-][A-Za-z]+)+(?![\w/\\@-]|\.\w)|(?<![\w/\\@-])[A-Za-z]*[a-z][A-Z][A-Za-z]+(?![\w/\\@-]|\.\w)/g;
/** A glance. */
const JOINED = /[_-]|[a-z][A-Z]/;
const MOST = 4;
/** Around what a code says. */
const FRAME = /^(?:e|err|error|exception) | (?:error|err|exception|failure|fault)$/g;

/** What a code says of a thing, and where the thing stands. */
const SAYS: { readonly [K in Kind]?: RegExp } = {
  not_found:
    /^(?:(.+?) (?:not (?:found|exists?|known)|(?:does not|doesnt|no longer) exists?|(?:is )?unknown|missing|deleted|removed)|(?:no such|unknown) (.+))$/,
  conflict:
    /^(.+?) (?:(?:already )?exists|already [a-z]+(?: by you)?|(?:is )?(?:locked|archived|in use|not empty|taken|conflict))$/,
  expired: /^(.+?) (?:has |is )?expired$/,
  too_large: /^(.+?) (?:is )?too (?:large|big|long)$/,
  forbidden:
    /^(?:not in (.+)|(.+?) (?:is )?(?:access denied|denied|forbidden|private|protected|restricted))$/,
  not_ready: /^(.+?) (?:is )?(?:not (?:yet )?ready|loading|pending|starting)$/,
};

/** The thing that a code of one word in a text is about; whatever a program calls by a code's word is one. */
export function codedThing(kind: Kind, text: string): Subject | undefined {
  const says = SAYS[kind];
  if (says === undefined || !JOINED.test(text)) return undefined;
  CODE.lastIndex = 0;
  for (let count = 0; count < MOST; count++) {
    const found = CODE.exec(text);
    if (found === null) return undefined;
    const said = says.exec(wordsOf(found[0]));
    const nouns = (said?.[1] ?? said?.[2] ?? '').split(' ');
    const type = nouns.every(isNoun) ? typeOf(nouns, false) : undefined;
    // In code, an element is one of a list.
    if (type === undefined || type === 'element') continue;
    const id = idBehind(text.slice(found.index + found[0].length));
    const kept = id === undefined ? undefined : keptId(id, nouns);
    return kept === undefined ? { type } : { type, id: kept };
  }
  return undefined;
}

function wordsOf(code: string): string {
  return code
    .replace(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, ' ')
    .replace(/[_-]/g, ' ')
    .toLowerCase()
    .replace(FRAME, '');
}

function isNoun(word: string): boolean {
  return word.length > 1 && !CLAUSES.has(word) && !QUALIFIERS.has(word);
}

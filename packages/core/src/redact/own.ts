/** What the reader of a text has written himself is nothing to hide from him, unless it is a secret. */
import type { Span } from './page.ts';

/** What is personal or of a machine; all other classes are secrets, or whole stack traces. */
const PERSONAL = /^(?:email|phone|iban|id-number|birth-date|host|ip|user|sql)$/;
/** What opens nothing. Cards do. */
export const NO_SECRETS: RegExp = /^(?:email|phone|iban|id-number|birth-date|host|ip|user|sql|stack)$/;
/** What is only guessed from its looks. */
export const GUESSED: RegExp = /^(?:entropy|token-shape|near-name|weak-name)$/;
/** A part as long as this does not stand in a text by chance. */
const TELLING = 16;
const LETTER = /[\p{L}\p{N}_]/u;

/** So much of what he wrote is searched, short texts first. Whoever sends more of it is not spared, and nobody waits. */
const MOST_LETTERS = 64 * 1024;
/** The same for what is short and may be a secret: it has to be just that, as a part of other words may be a guess. */
const MOST_LETTERS_OF_GUESSES = 512;
/** So many parts of one text are looked for. What is beyond them is hidden. */
const MOST_PARTS = 100;

/** Which parts of a text are the reader's own; `undefined` when none ever is. */
export type OwnParts = (text: string, spans: readonly Span[]) => ReadonlySet<Span>;

/** Finds in a text what is the reader's own; `undefined` when there is nothing of his. */
export function ownParts(texts: readonly string[]): OwnParts | undefined {
  const searched = shortest(texts, MOST_LETTERS);
  if (searched.length === 0) {
    return undefined;
  }
  const guesses = shortest(texts, MOST_LETTERS_OF_GUESSES);
  return (text, spans) => {
    const known = new Map<string, boolean>();
    return new Set(
      spans.filter(({ start, end, rule, class: cls }) => {
        const value = text.slice(start, end);
        if (!(PERSONAL.test(cls) || GUESSED.test(rule))) {
          const isNamed =
            isNamedSession(text, start, { rule, class: cls }) || isNamedThing(text, start, rule, cls);
          return isNamed && searched.includes(value);
        }
        const isGuessable = value.length < TELLING && !PERSONAL.test(cls);
        const part = `${isGuessable} ${value}`;
        const isOwn =
          known.get(part) ??
          (known.size < MOST_PARTS &&
            (isGuessable
              ? guesses.includes(value)
              : isHeld(searched, value) || (IN_GROUPS.test(cls) && isHeldInGroups(searched, value))));
        known.set(part, isOwn);
        return isOwn;
      }),
    );
  };
}

/** What somebody comes in with, whatever it is called. */
const HEADER = /authori[sz]ation\W{1,5}\w{0,20}\W{0,3}$/i;
const NEAR = 50;

/** A browser, a terminal: whoever names a session has begun it. It has to be just that, as a part of other words may be anybody's. */
function isNamedSession(
  text: string,
  start: number,
  { rule, class: cls }: Pick<Span, 'rule' | 'class'>,
): boolean {
  return (
    cls === 'session' && rule === 'assignment' && !HEADER.test(text.slice(Math.max(0, start - NEAR), start))
  );
}

/** `Token 0x6b… not found`: many tokens and keys are only looked up, and a sentence that names one names what was asked for. */
function isNamedThing(text: string, start: number, rule: string, cls: string): boolean {
  if (rule !== 'assignment' || !/^(?:token|api-key)$/.test(cls)) return false;
  const before = text.slice(Math.max(0, start - NEAR), start);
  return !HEADER.test(before) && /[A-Za-z] ["'`]?$/.test(before);
}

/** What people write with blanks and dashes in it, and programs without. */
const IN_GROUPS = /^(?:phone|iban|id-number)$/;
const LONGEST_IN_GROUPS = 60;

function isHeldInGroups(texts: readonly string[], value: string): boolean {
  const plain = ungrouped(value);
  return plain !== '' && texts.some((text) => text.length <= LONGEST_IN_GROUPS && ungrouped(text) === plain);
}

function ungrouped(text: string): string {
  return text.replace(/[\s()./-]/g, '').toLowerCase();
}

function shortest(texts: readonly string[], mostLetters: number): readonly string[] {
  let left = mostLetters;
  return [...texts]
    .sort((a, b) => a.length - b.length)
    .filter((text) => {
      left -= text.length;
      return left >= 0;
    });
}

function isHeld(texts: readonly string[], value: string): boolean {
  const plain = unescaped(value);
  return texts.some((text) => holds(text, value) || (plain !== value && holds(text, plain)));
}

/** A value as it was before it was put into an address. */
function unescaped(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** Whether a text holds a value as a word of its own. */
function holds(text: string, value: string): boolean {
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) {
    const after = text.charAt(at + value.length);
    if (value.length >= TELLING || !(LETTER.test(text.charAt(at - 1)) || LETTER.test(after))) {
      return true;
    }
  }
  return false;
}

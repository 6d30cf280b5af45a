/** What a caller may do, as databases and tokens say it. A text is never searched: `a.readonly` has `a` in it. */
import { Misused } from '../answers.ts';
import { shown } from '../check.ts';

/** The scopes of a list, a list as JSON, or texts with blanks or commas between them. Throws for anything else. */
export function scopesIn(given: unknown): readonly string[] {
  if (given === undefined || given === null) return [];
  const listed = typeof given === 'string' ? written(given.trim()) : given;
  if (isTexts(listed)) return listed;
  throw new Misused(`Expected \`scopes\` to be a list of texts, or one text of them, got ${shown(given)}`);
}

/** Of these characters OAuth makes no scope: what has them is written in some other way. */
const OF_NO_SCOPE = /["\\\p{Cc}]/u;

function written(text: string): unknown {
  if (text.startsWith('[')) return parsed(text);
  // `{a,b}` is a list of PostgreSQL's, with rules of its own.
  if (text.startsWith('{')) return undefined;
  const words = text.split(/[\s,]+/).filter((word) => word !== '');
  return words.some((word) => OF_NO_SCOPE.test(word)) ? undefined : words;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Is it a list of texts? */
export function isTexts(given: unknown): given is readonly string[] {
  return Array.isArray(given) && given.every((one) => typeof one === 'string');
}

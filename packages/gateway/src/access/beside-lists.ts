/** An answer without what stands beside its lists and tells of the same things. */
import { decodeExact, encodeExact, isMembers, type Members, withNumbersOf } from '@mayday/relay';
import { holdsList, isInside, isNameOfList, LISTS } from './names-of-lists.ts';

/** May its reader use what has these members, if it is an item of some list? */
export type MayUseItem = (item: Members) => boolean;

const LISTED: ReadonlySet<string> = new Set(Object.keys(LISTS));
const NOTHING: ReadonlySet<string> = new Set();
const RESULT: ReadonlySet<string> = new Set(['result']);

/** The same bytes where nothing of that is there; else its numbers, at least, as they came. */
export function withoutOthers(message: Buffer, said: Members, mayUseItem: MayUseItem): Buffer {
  if (cleaned(said, mayUseItem) === said) return message;
  const exact = decodeExact(message);
  return isMembers(exact) ? encodeExact(cleaned(exact, mayUseItem)) : message;
}

function cleaned(said: Members, mayUseItem: MayUseItem): Members {
  const whole = without(said, RESULT, mayUseItem);
  const result = whole['result'];
  if (!isMembers(result)) return whole;
  const meta = result['_meta'];
  const cleanMeta = isMembers(meta) ? without(meta, NOTHING, mayUseItem) : meta;
  const withMeta = cleanMeta === meta ? result : copyOf(result, { ...result, _meta: cleanMeta });
  const clean = without(withMeta, LISTED, mayUseItem);
  return clean === result ? whole : copyOf(whole, { ...whole, result: clean });
}

/** The members that tell of no items, and those that are looked through by others. */
function without(members: Members, known: ReadonlySet<string>, mayUseItem: MayUseItem): Members {
  const tells = ([key, value]: readonly [string, unknown]): boolean =>
    !known.has(key) &&
    (isSpeltLike(key, known) || holdsList({ [key]: value }) || hasDenied(value, mayUseItem));
  const entries = Object.entries(members);
  const kept = entries.filter((entry) => !tells(entry));
  return kept.length === entries.length ? members : copyOf(members, Object.fromEntries(kept));
}

/** Does a parser that does not look at capitals take it for one that is known? */
function isSpeltLike(key: string, known: ReadonlySet<string>): boolean {
  return isNameOfList(key) || (known === RESULT && key.toLowerCase() === 'result');
}

/** Is there something in it that looks like an item which its reader may not use? */
function hasDenied(value: unknown, mayUseItem: MayUseItem): boolean {
  return isInside([value], (member, key) => key === undefined && isMembers(member) && !mayUseItem(member));
}

function copyOf(original: Members, copy: Members): Members {
  return withNumbersOf(copy, original);
}

/** An answer without what stands beside its lists and tells of the same things. */
import { decodeExact, encodeExact, isMembers, type Members, withNumbersOf } from '@mayday/relay';
import type { MayName } from './denied-words.ts';
import { holdsList, isInside, isNameOfList, LISTS } from './names-of-lists.ts';

/** Who reads it, and what of. */
export interface BesideLists {
  /** May its reader use what has these members, if it is an item of some list? */
  readonly mayUseItem: (item: Members) => boolean;
  /** Are there names in these words of what its reader may not use? */
  readonly mayName: MayName;
}

const LISTED: ReadonlySet<string> = new Set(Object.keys(LISTS));
const NOTHING: ReadonlySet<string> = new Set();
const RESULT: ReadonlySet<string> = new Set(['result']);

/** By these its client knows what the answer is, whose it is, and how it goes on. */
const OF_PROTOCOL: ReadonlySet<string> = new Set(
  'jsonrpc id _meta nextCursor cacheScope ttlMs resultType'.split(' '),
);
const META_OF_PROTOCOL = 'io.modelcontextprotocol/';

/** The same bytes where nothing of that is there; else its numbers, at least, as they came. */
export function withoutOthers(message: Buffer, said: Members, reader: BesideLists): Buffer {
  if (cleaned(said, reader) === said) return message;
  const exact = decodeExact(message);
  return isMembers(exact) ? encodeExact(cleaned(exact, reader)) : message;
}

function cleaned(said: Members, reader: BesideLists): Members {
  const whole = without(said, RESULT, reader);
  const result = whole['result'];
  if (!isMembers(result)) return whole;
  const meta = result['_meta'];
  const cleanMeta = isMembers(meta) ? without(meta, NOTHING, reader) : meta;
  const withMeta = cleanMeta === meta ? result : copyOf(result, { ...result, _meta: cleanMeta });
  const clean = without(withMeta, LISTED, reader);
  return clean === result ? whole : copyOf(whole, { ...whole, result: clean });
}

/** The members that tell of no items, and those that are looked through by others. */
function without(
  members: Members,
  known: ReadonlySet<string>,
  { mayUseItem, mayName }: BesideLists,
): Members {
  const tells = ([key, value]: readonly [string, unknown]): boolean =>
    !known.has(key) &&
    (isSpeltLike(key, known) ||
      holdsList({ [key]: value }) ||
      hasDenied(value, mayUseItem) ||
      (!isOfProtocol(key) && names({ [key]: value }, mayName)));
  const entries = Object.entries(members);
  const kept = entries.filter((entry) => !tells(entry));
  return kept.length === entries.length ? members : copyOf(members, Object.fromEntries(kept));
}

function isOfProtocol(key: string): boolean {
  return OF_PROTOCOL.has(key) || key.startsWith(META_OF_PROTOCOL);
}

/** Does a parser that does not look at capitals take it for one that is known? */
function isSpeltLike(key: string, known: ReadonlySet<string>): boolean {
  return isNameOfList(key) || (known === RESULT && key.toLowerCase() === 'result');
}

/** Is there something in it that looks like an item which its reader may not use? */
function hasDenied(value: unknown, mayUseItem: BesideLists['mayUseItem']): boolean {
  return isInside([value], (member, key) => key === undefined && isMembers(member) && !mayUseItem(member));
}

/** Is there a text or a name of a member in it that names something? */
function names(value: unknown, mayName: MayName): boolean {
  return isInside(
    value,
    (member, key) => (key !== undefined && mayName(key)) || (typeof member === 'string' && mayName(member)),
  );
}

function copyOf(original: Members, copy: Members): Members {
  return withNumbersOf(copy, original);
}

/** Lists without what a caller may not use. What is left stays as the bytes that came. */
import {
  type Caller,
  decode,
  elementsOf,
  encode,
  isMembers,
  locate,
  type Members,
  resultOf,
  skipSpace,
  splice,
  type WireCall,
} from '@mayday/relay';
import { errorAlone, failingInstead, isSound } from '../call/sound-list.ts';
import { withoutOthers } from './beside-lists.ts';
import { deniedBeside, type MayName } from './denied-words.ts';
import { holdsList, LISTS } from './names-of-lists.ts';
import type { Access, Rules } from './rules.ts';
import type { Use } from './uses.ts';

const LISTING: ReadonlySet<string> = new Set([
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
]);

/** Does this method list what there is? */
export function isListing(method: string): boolean {
  return LISTING.has(method);
}

/** Who reads a list, and by which rules. */
export interface Reader {
  readonly rules: Rules;
  readonly by: Caller;
  readonly upstream: string;
}

/** The list of this upstream as this caller may see it; other answers as they are; `undefined`: one that hides something. */
export function trimmed(message: Buffer, reader: Reader): Buffer | undefined {
  if (!isSound(message, Object.keys(LISTS))) return undefined;
  const said = decode(message);
  const result = resultOf(said);
  if (!isMembers(said) || result === undefined) return message;
  let mayName: MayName | undefined; // most have nothing beside their lists
  const alone = withoutOthers(message, said, {
    mayUseItem: (item) => mayUseItem(item, reader),
    mayName: (words) => {
      mayName ??= deniedBeside(reader, deniedNames(result, reader));
      return mayName(words);
    },
  });
  return trim(alone, result, reader); // nothing of its lists is gone
}

/** What is used by its name or its URI, if it is an item at all. */
function mayUseItem({ name, uri, uriTemplate }: Members, reader: Reader): boolean {
  const isDenied = (type: Use['type'], used: unknown): boolean =>
    typeof used === 'string' && !mayUse(type, used, reader);
  return !isDenied('tool', name) && !isDenied('resource', uri) && !isDenied('resource', uriTemplate);
}

function trim(message: Buffer, result: Members, reader: Reader): Buffer {
  let kept = message;
  let isList = false;
  for (const [key, [type, naming]] of Object.entries(LISTS)) {
    const items = result[key];
    if (!Array.isArray(items)) continue;
    isList = true;
    const isVisible = items.map((item: unknown) =>
      mayUse(type, isMembers(item) && isNamedOnce(item, naming) ? item[naming] : undefined, reader),
    );
    if (isVisible.includes(false)) kept = without(kept, key, isVisible);
  }
  return isList ? forOne(kept, result) : kept;
}

/** What is on its lists, and not shown. */
function deniedNames(result: Members, reader: Reader): ReadonlySet<string> {
  const denied = new Set<string>();
  for (const [key, [type, naming]] of Object.entries(LISTS)) {
    const items = result[key];
    for (const item of Array.isArray(items) ? items : []) {
      const name: unknown = isMembers(item) ? item[naming] : undefined;
      if (typeof name === 'string' && name !== '' && !mayUse(type, name, reader)) denied.add(name);
    }
  }
  return denied;
}

/** Not so in other capitals too: who reads those would be told another name. */
function isNamedOnce(item: Members, naming: string): boolean {
  const lower = naming.toLowerCase();
  return Object.keys(item).every((key) => key === naming || key.toLowerCase() !== lower);
}

/** A list that arrives outside of its call, where nobody knows any more what was asked. */
export function strayTrimmer(
  access: Access | undefined,
  upstream: string,
): (call: WireCall, message: Buffer) => Buffer {
  return ({ by }, message) => {
    const rules = access?.rules;
    if (rules === undefined) return message;
    const kept = trimmed(message, { rules, by, upstream });
    return kept === undefined ? failingInstead(message) : withoutListInError(kept);
  };
}

/** It may stand in place of a list: nobody has looked through one in it. */
function withoutListInError(message: Buffer): Buffer {
  const said = decode(message);
  if (!isMembers(said) || !isMembers(said['error']) || !holdsList(said['error'])) return message;
  const alone = errorAlone(message);
  return alone === undefined ? message : encode(alone);
}

/** What has no name cannot be used by anybody. */
function mayUse(type: Use['type'], name: unknown, { rules, by, upstream }: Reader): boolean {
  return typeof name === 'string' && rules.verdict(by, upstream, { type, name }).isAllowed;
}

/** A message whose result keeps those items of a list that are wanted. */
export function keeping(message: Buffer, key: string, isWanted: (item: unknown) => boolean): Buffer {
  const items = resultOf(decode(message))?.[key];
  const isVisible = Array.isArray(items) ? items.map(isWanted) : [];
  return isVisible.includes(false) ? without(message, key, isVisible) : message;
}

function without(message: Buffer, key: string, isVisible: readonly boolean[]): Buffer {
  const list = locate(message, skipSpace(message, 0), 'result', key);
  if (list === undefined) return message;
  const left = elementsOf(message, list.start)
    .filter((_, i) => isVisible[i] === true)
    .map(({ start, end }) => message.toString('utf8', start, end));
  return splice(message, [list], Buffer.from(`[${left.join(',')}]`));
}

/** What one caller sees must not be kept for another. */
function forOne(message: Buffer, { cacheScope }: Members): Buffer {
  if (cacheScope !== 'public') return message;
  const range = locate(message, skipSpace(message, 0), 'result', 'cacheScope');
  return range === undefined ? message : splice(message, [range], PRIVATE);
}

const PRIVATE: Buffer = encode('private');

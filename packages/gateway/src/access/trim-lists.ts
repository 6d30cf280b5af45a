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
import { failingInstead, isSound } from '../call/sound-list.ts';
import type { Access, Rules } from './rules.ts';
import type { Use } from './uses.ts';

/** Which member of a result holds the items, of which type they are, and by which member an item is used. */
const LISTS: { readonly [key: string]: readonly [type: Use['type'], naming: string] } = {
  tools: ['tool', 'name'],
  prompts: ['prompt', 'name'],
  resources: ['resource', 'uri'],
  resourceTemplates: ['resource', 'uriTemplate'],
};

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
interface Reader {
  readonly rules: Rules;
  readonly by: Caller;
  readonly upstream: string;
}

/** The list of this upstream as this caller may see it; other answers as they are; `undefined`: one that hides something. */
export function trimmed(message: Buffer, reader: Reader): Buffer | undefined {
  if (!isSound(message, Object.keys(LISTS))) return undefined;
  const result = resultOf(decode(message));
  return result === undefined ? message : trim(message, result, reader);
}

function trim(message: Buffer, result: Members, reader: Reader): Buffer {
  let kept = message;
  let isList = false;
  for (const [key, [type, naming]] of Object.entries(LISTS)) {
    const items = result[key];
    if (!Array.isArray(items)) continue;
    isList = true;
    const isVisible = items.map((item: unknown) =>
      mayUse(type, isMembers(item) ? item[naming] : undefined, reader),
    );
    if (isVisible.includes(false)) kept = without(kept, key, isVisible);
  }
  return isList ? forOne(kept, result) : kept;
}

/** A list that arrives outside of its call, where nobody knows any more what was asked. */
export function strayTrimmer(
  access: Access | undefined,
  upstream: string,
): (call: WireCall, message: Buffer) => Buffer {
  return ({ by }, message) => {
    const rules = access?.rules;
    if (rules === undefined) return message;
    return trimmed(message, { rules, by, upstream }) ?? failingInstead(message);
  };
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

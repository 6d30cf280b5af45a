/** Whose the names of tools and prompts are, and which ones there are. */
import { isMembers, type WireCall, type WireOutcome } from '@mayday/relay';
import { protocolMeta } from '../call/ask-for-list.ts';
import type { Called } from './called-as.ts';
import { type JoinedContext, partsFor } from './context.ts';
import { recordFailure } from './forward.ts';
import type { JoinedLink, Known } from './joined-link.ts';
import type { Owned } from './learned-names.ts';
import { listPart, type PartList } from './lists.ts';
import type { Part } from './part.ts';
import { askTogether, type Patience, patienceWith } from './patience.ts';
import { asUnasked, hasNone, mostTelling } from './telling.ts';

/** What is known about names. */
export interface NamesContext extends JoinedContext, Pick<Known, 'listed'> {}

/** Whose a name is. */
interface Owner {
  /** Nobody is known to own it, if absent. */
  readonly owned?: Owned | undefined;
  /** What kept one from saying whether it is its own. */
  readonly unasked?: WireOutcome | undefined;
}

/**
 * Whose it is. A name that does not say so itself is known when it was listed: whoever has it from somewhere else has all
 * of them asked first. Where one of those could not say, that is what the caller hears.
 */
export async function ownerOf(
  name: string,
  type: Called['type'],
  call: WireCall,
  link: JoinedLink,
  context: NamesContext,
): Promise<Owner> {
  const { arePrefixed, [type]: names } = context.view;
  if (!names.isToBeListed(name)) return { owned: names.split(name) };
  const lists = await askTogether({
    parts: partsFor(call, link, context),
    method: listOf(type),
    wholeMs: context.partTimeoutMs,
    since: 'the first answer',
    ask: (part, patience) => listAs(part, call, type, patience),
    isAnswer: ({ failed }) => failed === undefined || hasNone(failed.outcome),
  });
  learn(lists, type, context);
  const owned = names.split(name);
  if (owned !== undefined || arePrefixed) return { owned };
  const failures = lists.flatMap(({ failed }) =>
    failed === undefined || hasNone(failed.outcome) ? [] : [failed],
  );
  const told = mostTelling(failures);
  // The one that goes out is recorded with the call.
  for (const failure of failures) if (failure !== told) await recordFailure(call, failure, context.recording);
  return { unasked: told && asUnasked(told.outcome) };
}

/** Is it on the caller's list? `undefined` where that cannot be found out, or is answered elsewhere. */
export async function isListed(
  part: Part,
  owned: Owned,
  name: string,
  call: WireCall,
  context: NamesContext,
): Promise<boolean | undefined> {
  if (part.knows(call, owned.name) || !context.isVisible(call.by, part.name, owned.name)) return undefined;
  const { names, isWhole } = await listNames(part, call, 'tool', context);
  return isWhole ? names.includes(name) : undefined;
}

/** The names of one upstream's tools or prompts, asked for where nobody has listed them. */
export async function namesOf(
  part: Part,
  call: WireCall,
  type: Called['type'],
  context: NamesContext,
): Promise<readonly string[]> {
  const { listed } = context;
  const known = visible(call, type, context).filter((each) => listed[type].of(each) === part.name);
  return known.length > 0 ? known : (await listNames(part, call, type, context)).names;
}

/** Names that a wrong one may have been meant to be. */
export async function knownNames(
  call: WireCall,
  type: Called['type'],
  link: JoinedLink,
  context: NamesContext,
): Promise<readonly string[]> {
  const all = await Promise.all(
    partsFor(call, link, context).map((part) => namesOf(part, call, type, context)),
  );
  return all.flat();
}

/** Names that were listed, also to others: of them those that this caller may know. */
function visible(
  { by }: WireCall,
  type: Called['type'],
  { view, listed, isVisible }: NamesContext,
): readonly string[] {
  return [...listed[type].names()].filter((each) => {
    const owned = view[type].split(each);
    return owned !== undefined && isVisible(by, owned.upstream, owned.name);
  });
}

/** Names that callers know. */
interface ListedNames {
  readonly names: readonly string[];
  /** Are these all? */
  readonly isWhole: boolean;
}

/** Asks an upstream for the names of its tools or prompts. */
async function listNames(
  part: Part,
  call: WireCall,
  type: Called['type'],
  context: NamesContext,
): Promise<ListedNames> {
  const patience = patienceWith({ isSlow: part.isSlowWith(listOf(type)) }, context.partTimeoutMs);
  const list = await listAs(part, call, type, patience);
  const { items, cut, failed } = list;
  const isWhole = items.length > 0 && cut === undefined && failed === undefined;
  return { names: learn([list], type, context), isWhole };
}

function listAs(part: Part, call: WireCall, type: Called['type'], patience: Patience): Promise<PartList> {
  const _meta = protocolMeta(call.meta);
  const params = _meta === undefined ? {} : { _meta };
  const question = { ...call, method: listOf(type), params: () => params };
  return listPart(part, question, `${type}s`, patience);
}

function listOf(type: Called['type']): string {
  return `${type}s/list`;
}

/** Of a name that two of them have, the first in the file is the owner, whichever of them was quicker. */
function learn(
  lists: readonly PartList[],
  type: Called['type'],
  { view, listed }: NamesContext,
): readonly string[] {
  const joined = (): readonly (readonly [name: string, upstream: string])[] =>
    lists.flatMap(({ part, items }) =>
      items.flatMap((item) => {
        const own = isMembers(item) ? item['name'] : undefined;
        const name = typeof own === 'string' ? view[type].join(part.name, own) : undefined;
        return name === undefined ? [] : [[name, part.name] as const];
      }),
    );
  joined(); // a name that was made for one of them is none of another
  const names = joined();
  for (const [name, upstream] of names) listed[type].set(name, upstream);
  return names.map(([name]) => name);
}

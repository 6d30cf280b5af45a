/** The lists of all upstreams, as one. */
import type { Json, JsonObject } from '@mayday/core';
import { isMembers, type WireCall } from '@mayday/relay';
import { withoutList } from '../call/sound-list.ts';
import { isCutIn, missingIn } from '../upstreams/listed-tasks.ts';
import { askPart, type PartAnswer, useless } from './derive.ts';
import type { Part } from './part.ts';
import type { Patience } from './patience.ts';
import { overlap } from './templates.ts';

/** What one upstream has listed. */
export interface PartList {
  readonly part: Part;
  readonly items: readonly Json[];
  /** Why there would have been more; `undefined` when these are all. */
  readonly cut: string | undefined;
  /** Items that no client could take, and that are not among these. */
  readonly unusable: number;
  /** Of tasks: the workers that could not list theirs, by name, and itself where that is so in other sessions. */
  readonly unlisted?: readonly string[] | undefined;
  /** Did it come as a stream? */
  readonly isStream: boolean;
  /** The last failure, if the list did not come to its end. */
  readonly failed: Extract<PartAnswer, { ok: false }> | undefined;
}

/** A list without what another server has. */
export interface OwnList extends PartList {
  /** How many of its resources somebody else has. */
  readonly taken: number;
  /** Whose templates of resources take URIs that its own do, too: those before it in the file. */
  readonly after: readonly string[];
}

/** A URI says nothing about its server: it is the first one's in the file, and nobody is shown what cannot be read. */
export function withoutTaken(lists: readonly PartList[]): readonly OwnList[] {
  const owners = new Map<string, string>();
  return lists.map((list) => {
    const items = list.items.filter((item) => {
      const uri = isMembers(item) ? item['uri'] : undefined;
      if (typeof uri !== 'string') return true;
      const owner = owners.get(uri) ?? list.part.name;
      owners.set(uri, owner);
      return owner === list.part.name;
    });
    return { ...list, items, taken: list.items.length - items.length, after: before(list, lists) };
  });
}

/** A template is shown all the same: what those before it do not have is read at its own server. */
function before(list: PartList, lists: readonly PartList[]): readonly string[] {
  const own = templatesIn(list);
  if (own.length === 0) return [];
  return lists
    .slice(0, lists.indexOf(list))
    .filter((other) => templatesIn(other).some((theirs) => own.some((one) => overlap(one, theirs))))
    .map(({ part }) => part.name);
}

/** Many overlap if any do. */
const MAX_COMPARED = 200;

function templatesIn({ items }: PartList): readonly string[] {
  return items.slice(0, MAX_COMPARED).flatMap((item) => {
    const template = isMembers(item) ? item['uriTemplate'] : undefined;
    return typeof template === 'string' ? [template] : [];
  });
}

/** What a client takes an item by. One without it would make the whole list unreadable, those of others included. */
const NAMES: { readonly [key: string]: readonly string[] } = {
  tools: ['name'],
  prompts: ['name'],
  resources: ['uri', 'name'],
  resourceTemplates: ['uriTemplate', 'name'],
  tasks: ['taskId'],
};

function isNamed(item: Json, key: string): boolean {
  if (!isMembers(item) || !(NAMES[key] ?? []).every((name) => typeof item[name] === 'string')) return false;
  const schema = item['inputSchema'];
  return key !== 'tools' || (isMembers(schema) && schema['type'] === 'object');
}

/** Servers that page without end list the same again and again. */
function isNew(seen: Set<unknown>): (task: Json) => boolean {
  return (task) => {
    const { taskId } = task as JsonObject;
    return !seen.has(taskId) && seen.add(taskId) !== undefined;
  };
}

const MAX_PAGES = 1000;
const MAX_ITEMS = 20_000;

/** All items of one upstream, page by page. A list that goes in circles or does not end is cut, and says so. */
export async function listPart(
  part: Part,
  call: WireCall,
  key: string,
  patience: Patience,
): Promise<PartList> {
  const { cursor: _theirs, ...params } = call.params() ?? {};
  const items: Json[] = [];
  const seen = new Set<string>();
  const tasks = new Set<unknown>();
  const { isSlow } = part;
  const wasLate = part.isSlowWith(call.method) && !isSlow;
  let cursor: string | undefined;
  let isStream = false;
  let unusable = 0;
  let unlisted: readonly string[] = [];
  const done = (cut?: string, failed?: PartList['failed']): PartList => {
    return { part, items, cut, unusable, unlisted, isStream, failed };
  };
  for (let page = 0; page < MAX_PAGES; page++) {
    const asked = cursor === undefined ? params : { ...params, cursor };
    const answer = await askPart(part, call, call.method, asked, patience);
    if (!answer.ok) return done(undefined, { ...answer, outcome: withoutList(answer.outcome) });
    isStream ||= answer.isStream;
    const { _meta } = answer.result;
    if (key === 'tasks') unlisted = missingIn(_meta, part.name);
    const { [key]: listed = [] } = answer.result;
    if (!Array.isArray(listed)) return done(undefined, useless(part, call, call.method));
    const usable = listed.filter((item: Json) => isNamed(item, key));
    unusable += listed.length - usable.length;
    const named = key === 'tasks' ? usable.filter(isNew(tasks)) : usable;
    const room = MAX_ITEMS - items.length;
    for (const item of named.slice(0, room)) items.push(item);
    const next: unknown = (answer.result as JsonObject)['nextCursor'] ?? undefined;
    if (named.length > room || (named.length === room && typeof next === 'string'))
      return done(`after ${MAX_ITEMS} items`);
    if (next === undefined) return done(isCutIn(_meta, part.name) ? 'in another session' : undefined);
    if (typeof next !== 'string') return done('where a cursor was no text');
    if (seen.has(next)) return done('where a cursor came again');
    seen.add(next);
    cursor = next;
    part.isSlow ||= isSlow; // a page that comes does not say that the whole list would
    if (wasLate) part.noteLate(call.method, true);
  }
  return done(`after ${MAX_PAGES} pages`);
}

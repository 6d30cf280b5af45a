/** Where lists stand in what a server says: under their names, in capitals or not, since some parsers do not look at those. */
import type { Use } from './uses.ts';

/** Which member of a result holds the items, of which type they are, and by which member an item is used. */
export const LISTS: { readonly [key: string]: readonly [type: Use['type'], naming: string] } = {
  tools: ['tool', 'name'],
  prompts: ['prompt', 'name'],
  resources: ['resource', 'uri'],
  resourceTemplates: ['resource', 'uriTemplate'],
};

const NAMES: ReadonlySet<string> = new Set(Object.keys(LISTS).map((key) => key.toLowerCase()));

/** Does some parser take a member of this name for a list? */
export function isNameOfList(key: string): boolean {
  return NAMES.has(key.toLowerCase());
}

/** Is there a member of such a name in it, however deep, with something in it? */
export function holdsList(value: unknown): boolean {
  return isInside(
    value,
    (member, key) => key !== undefined && isNameOfList(key) && typeof member === 'object' && member !== null,
  );
}

/** Is there a member in it that is such a one, however deep? Elements of a list have the name of none. */
export function isInside(
  whole: unknown,
  isOne: (member: unknown, key: string | undefined) => boolean,
): boolean {
  const left: unknown[] = [whole];
  while (left.length > 0) {
    const at = left.pop();
    if (typeof at !== 'object' || at === null) continue;
    const isList = Array.isArray(at);
    for (const [key, member] of Object.entries(at)) {
      if (isOne(member, isList ? undefined : key)) return true;
      left.push(member);
    }
  }
  return false;
}

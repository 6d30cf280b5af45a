/** The lists by which clients take tools of a server away → the gateway’s own. */

/** Only these tools are there; several such lists all have to name a tool. */
const ALLOWED = ['includeTools', 'enabledTools', 'tools'];
/** These are not there. */
const DENIED = ['excludeTools', 'disabledTools'];

type Fields = { readonly [field: string]: unknown };

/** What became of the lists. */
export interface ToolLists {
  /** `tools` of an upstream; nothing where every tool is there. */
  readonly tools: { readonly allow?: readonly string[]; readonly deny?: readonly string[] } | undefined;
  /** The fields that are no such lists. */
  readonly others: Fields;
  /** A field that should be a list and cannot be read: what it takes away is not known. */
  readonly unclear: string | undefined;
}

/** Reads them out of the fields of an entry; `only` are the tools that are named elsewhere in the client’s file. */
export function toolLists(fields: Fields, only: readonly string[] | undefined): ToolLists {
  const others = Object.fromEntries(
    Object.entries(fields).filter(([field]) => !ALLOWED.includes(field) && !DENIED.includes(field)),
  );
  const allowed = listsIn(fields, ALLOWED);
  const denied = listsIn(fields, DENIED);
  const unclear = [...allowed, ...denied].find(([, names]) => names === undefined)?.[0];
  const narrowing = [
    ...allowed.map(([, names]) => names ?? []),
    ...(only === undefined ? [] : [only]),
  ].filter((names) => !names.includes('*'));
  const deny = [...new Set(denied.flatMap(([, names]) => names ?? []))];
  const allow = narrowing.length === 0 ? undefined : narrowing.reduce(both);
  return { tools: written(allow, deny), others, unclear };
}

function listsIn(
  fields: Fields,
  names: readonly string[],
): readonly (readonly [field: string, names: readonly string[] | undefined])[] {
  return names.flatMap((field) =>
    Object.hasOwn(fields, field) && fields[field] !== null ? [[field, namesIn(fields[field])] as const] : [],
  );
}

/** A list, or names with commas between them. Gemini CLI lets arguments follow a name, and looks at the name alone. */
function namesIn(value: unknown): readonly string[] | undefined {
  const items: unknown = typeof value === 'string' ? value.split(',') : value;
  if (!Array.isArray(items) || !items.every((item) => typeof item === 'string')) return undefined;
  const names = items.map((item) => item.replace(/\(.*$/s, '').trim()).filter((name) => name !== '');
  return [...new Set(names)];
}

function both(some: readonly string[], others: readonly string[]): readonly string[] {
  return some.filter((name) => others.includes(name));
}

/** Where no tool is left, all are denied: an empty list would be a mistake. */
function written(allow: readonly string[] | undefined, deny: readonly string[]): ToolLists['tools'] {
  if (allow?.length === 0) return { deny: ['*'] };
  if (allow === undefined && deny.length === 0) return undefined;
  return { ...(allow === undefined ? {} : { allow }), ...(deny.length === 0 ? {} : { deny }) };
}

/** Places beside the entries where a client names the servers that it starts, or whose tools it uses. */
import type { ClientDocument, Path } from './document.ts';
import { isObject } from './sections.ts';

/** A list as it is to be. */
export interface ListChange {
  readonly path: Path;
  readonly value: readonly unknown[];
}

/** A list that is told of and left alone. */
interface LeftAlone {
  readonly line: number;
  readonly message: string;
}

/** The gateway under its name, in the place of these servers. */
interface Exchange {
  readonly taken: ReadonlySet<string>;
  readonly name: string;
}

/** The lists that would keep the client from using the gateway, with its name in the place of the servers that it serves. */
export function exchangedLists(value: unknown, exchange: Exchange): readonly ListChange[] {
  const lists: readonly (readonly [path: readonly string[], (list: readonly unknown[]) => unknown[]])[] = [
    [['mcp', 'allowed'], (list) => exchanged(list, exchange.name, (each) => exchange.taken.has(each))],
    [['mcp', 'excluded'], (list) => list.filter((each) => each !== exchange.name)],
    [['tools'], (list) => exchangedTools(list, exchange)],
  ];
  return lists.flatMap(([path, change]) => {
    const list = at(value, path);
    if (!Array.isArray(list)) return [];
    const now = change(list);
    return now.length === list.length && now.every((each, i) => each === list[i])
      ? []
      : [{ path, value: now }];
  });
}

/** Agents of Amazon Q: `@server`, `@server/tool`, or `*`. Which tools of a server these are, its settings say now. */
function exchangedTools(list: readonly unknown[], { taken, name }: Exchange): unknown[] {
  const isOf = (each: unknown, server: string): boolean =>
    each === `@${server}` || String(each).startsWith(`@${server}/`);
  if (list.includes('*') || list.some((each) => isOf(each, name))) return [...list];
  return exchanged(list, `@${name}`, (each) => [...taken].some((server) => isOf(each, server)));
}

/** The list with this name in the place of the first that goes. */
function exchanged(list: readonly unknown[], name: string, goes: (each: string) => boolean): unknown[] {
  const isGoing = (each: unknown): boolean => typeof each === 'string' && goes(each);
  const first = list.findIndex(isGoing);
  if (first < 0) return [...list];
  const named = list.map((each, i) => (i === first ? name : each));
  return named.filter((each, i) => i === first || (!isGoing(each) && each !== name));
}

/** Lists of single tools: what their old names stand for is for the user to say again. */
export function oldNames({ value, lineOf }: ClientDocument, { taken, name }: Exchange): readonly LeftAlone[] {
  const told = (path: readonly string[], message: string): LeftAlone => ({
    line: lineOf(path),
    message: `${path.join('.')} has old names; ${message}`,
  });
  const approved = at(value, ['allowedTools']);
  const isApproved =
    Array.isArray(approved) &&
    approved.some((each) => String(each).startsWith('@')) &&
    !approved.some((each) => each === '*' || each === `@${name}` || String(each).startsWith(`@${name}/`));
  return [
    // What stands there runs unasked: whoever named the gateway alone would have approved of everything behind it.
    ...(isApproved ? [told(['allowedTools'], approvedAnew(name))] : []),
    ...profilesWith(value, taken).map((path) =>
      told(path, `name the tools again under ${name}, such as server_tool`),
    ),
    ...toolsOfOpencode(value, taken).map((path) =>
      told(path, `name the tools again, such as ${name}_server_tool`),
    ),
  ];
}

function approvedAnew(name: string): string {
  return `name what may run without a question again, such as @${name}/server_tool (@${name} would be all of it)`;
}

/** Profiles of Zed's agent that name tools by their server. */
function profilesWith(value: unknown, taken: ReadonlySet<string>): readonly (readonly string[])[] {
  const base = ['agent', 'profiles'];
  return Object.keys(objectAt(value, base)).flatMap((profile) => {
    const path = [...base, profile, 'context_servers'];
    return Object.keys(objectAt(value, path)).some((server) => taken.has(server)) ? [path] : [];
  });
}

/** opencode switches tools on and off by their names, which begin with that of the server: for all, and for an agent. */
function toolsOfOpencode(value: unknown, taken: ReadonlySet<string>): readonly (readonly string[])[] {
  const agents = Object.keys(objectAt(value, ['agent'])).map((agent) => ['agent', agent, 'tools']);
  return [['tools'], ...agents].filter((path) =>
    Object.keys(objectAt(value, path)).some((tool) =>
      [...taken].some((server) => tool.startsWith(`${server}_`)),
    ),
  );
}

function objectAt(value: unknown, path: readonly string[]): { readonly [name: string]: unknown } {
  const found = at(value, path);
  return isObject(found) ? found : {};
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (found, step) => (isObject(found) && Object.hasOwn(found, step) ? found[step] : undefined),
    value,
  );
}

/** Where in a client’s file the servers are. */
import type { SettingsProblem } from '@mayday/gateway';
import type { Path } from './document.ts';
import { fromOpencode, isOpencode } from './opencode.ts';

/** A server as it was found. */
export interface FoundServer {
  readonly name: string;
  readonly path: Path;
  readonly value: unknown;
  /** The file says elsewhere that it is not in use. */
  readonly isOff: boolean;
  /** The file says elsewhere that only these tools of it are to be used. */
  readonly onlyTools?: readonly string[] | undefined;
}

/** A part of a file that holds servers. */
export interface Section {
  readonly path: Path;
  /** A list of servers that have their names inside, not names with servers. */
  readonly isList: boolean;
  /** Its entries are written in the form of opencode. */
  readonly isOpencode?: boolean | undefined;
  readonly servers: readonly FoundServer[];
}

/** The parts that hold servers, the one to import first. */
const PLACES: readonly Path[] = [
  ['mcpServers'],
  ['servers'],
  ['context_servers'],
  ['mcp', 'servers'],
  ['mcp.servers'],
  ['mcp'],
  ['experimental', 'modelContextProtocolServers'],
];

/** All parts of a file that hold servers; of its projects, that of the current folder comes first. */
export function sectionsOf(value: unknown, cwd: string): readonly Section[] {
  const projects = member(value, 'projects');
  const others = isObject(projects) ? Object.keys(projects) : [];
  const ordered = [...others.filter((path) => path === cwd), ...others.filter((path) => path !== cwd)];
  const places = [...PLACES, ...ordered.map((path) => ['projects', path, 'mcpServers'])];
  return places.flatMap((path) => {
    const held = path.reduce<unknown>((found, step) => member(found, String(step)), value);
    const section = sectionAt(path, held, offIn(value), agentTools(value));
    return section === undefined || section.servers.length === 0 ? [] : [section];
  });
}

/** More than anybody has: names that must differ are compared with each other. */
const MAX_SERVERS = 1000;

/** What is wrong with a part that holds more servers than anybody has. */
export function tooMany(
  { path, servers }: Section,
  lineOf: (path: Path) => number,
): SettingsProblem | undefined {
  if (servers.length <= MAX_SERVERS) return undefined;
  return { line: lineOf(path), path: path.join('.'), message: `There are more than ${MAX_SERVERS} servers` };
}

/**
 * Gemini CLI names in a second place which servers it starts, or which it does not. Of a server that an agent of Amazon Q
 * does not name, it uses nothing.
 */
function offIn(value: unknown): (name: string) => boolean {
  const mcp = member(value, 'mcp');
  const [allowed, excluded] = [member(mcp, 'allowed'), member(mcp, 'excluded')];
  const used = member(value, 'tools');
  const isUsed = (name: string): boolean =>
    !Array.isArray(used) ||
    used.some((each) => each === '*' || each === `@${name}` || String(each).startsWith(`@${name}/`));
  return (name) =>
    (Array.isArray(excluded) && excluded.includes(name)) ||
    (Array.isArray(allowed) && !allowed.includes(name)) ||
    !isUsed(name);
}

/** Agents of Amazon Q name all that they use: `@server`, `@server/tool`, or `*`. */
function agentTools(value: unknown): (name: string) => readonly string[] | undefined {
  const list = member(value, 'tools');
  const names = Array.isArray(list) ? list.map(String) : [];
  return (server) => {
    const own = names.filter((name) => name.startsWith(`@${server}/`));
    const isWhole = names.includes('*') || names.includes(`@${server}`);
    return own.length === 0 || isWhole ? undefined : own.map((name) => name.slice(server.length + 2));
  };
}

/** Where opencode has its servers, which are written otherwise. */
const OPENCODES = 'mcp';

function sectionAt(
  path: Path,
  held: unknown,
  isOff: (name: string) => boolean,
  onlyTools: (name: string) => readonly string[] | undefined,
): Section | undefined {
  const isList = Array.isArray(held);
  if (!isList && !isObject(held)) return undefined;
  const isOther = path.length === 1 && path[0] === OPENCODES;
  if (isOther && !isOpencode(held)) return undefined;
  const named: readonly (readonly [string, string | number, unknown])[] = isList
    ? held.map((value: unknown, i) => [nameIn(value), i, value])
    : Object.entries(held).map(([name, value]) => [name, name, value]);
  const servers = named.map(([name, step, value]) => ({
    name,
    path: [...path, step],
    value: isOther ? fromOpencode(value) : value,
    isOff: isOff(name),
    onlyTools: onlyTools(name),
  }));
  return { path, isList, isOpencode: isOther, servers };
}

function nameIn(value: unknown): string {
  const name = member(value, 'name');
  return typeof name === 'string' && name !== '' ? name : 'server';
}

/** Is it a mapping of the file? */
export function isObject(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function member(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

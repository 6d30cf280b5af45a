/** Where in a client’s file the servers are. */
import type { SettingsProblem } from '@mayday/gateway';
import type { Path } from './document.ts';

/** A server as it was found. */
export interface FoundServer {
  readonly name: string;
  readonly path: Path;
  readonly value: unknown;
}

/** A part of a file that holds servers. */
export interface Section {
  readonly path: Path;
  /** A list of servers that have their names inside, not names with servers. */
  readonly isList: boolean;
  readonly servers: readonly FoundServer[];
}

/** The parts that hold servers, the one to import first. */
const PLACES: readonly Path[] = [
  ['mcpServers'],
  ['servers'],
  ['context_servers'],
  ['mcp', 'servers'],
  ['mcp.servers'],
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
    const section = sectionAt(path, held);
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

function sectionAt(path: Path, held: unknown): Section | undefined {
  if (Array.isArray(held)) {
    const servers = held.map((value: unknown, i) => ({ name: nameIn(value), path: [...path, i], value }));
    return { path, isList: true, servers };
  }
  if (!isObject(held)) return undefined;
  const servers = Object.entries(held).map(([name, value]) => ({ name, path: [...path, name], value }));
  return { path, isList: false, servers };
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

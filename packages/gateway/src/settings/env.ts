/** `${NAME}` and `${NAME:-otherwise}` in strings, so that secrets stay out of the file. */
import type { Path } from './problems.ts';
import { isMapping } from './values.ts';

/** Deeper than any setting. */
const MAX_DEPTH = 32;

/** No system hands a longer text to a process. */
const MAX_TEXT = 131_072;

const REFERENCE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/** The variables of an environment. */
export interface Variables {
  readonly [name: string]: string | undefined;
}

/** Takes what is wrong with a setting; `unset`: the variable that is not set. */
type ReportEnv = (path: Path, message: string, unset?: string) => void;

/**
 * The same value with all references resolved. A variable that is not set is reported. What the settings of a process
 * give it as its own wins there over the environment: one server's secret is none of another's.
 */
export function expandEnv(
  value: unknown,
  env: Variables,
  report: ReportEnv,
  path: Path = [],
  process: GivenProcess = NOTHING_GIVEN,
): unknown {
  if (typeof value === 'string') return expandText(value, env, report, path, process);
  if (typeof value !== 'object' || value === null) return value;
  if (path.length > MAX_DEPTH) {
    report(path.slice(0, 1), 'It is nested too deeply');
    return undefined;
  }
  if (Array.isArray(value))
    return value.map((item, i) => expandEnv(item, env, report, [...path, i], process));
  if (!isMapping(value)) return value;
  const inside = processIn(value, path) ?? process;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, expandEnv(item, env, report, [...path, key], inside)]),
  );
}

function expandText(
  text: string,
  env: Variables,
  report: ReportEnv,
  path: Path,
  process: GivenProcess,
): string {
  let room = MAX_TEXT;
  return text.replace(REFERENCE, (all: string, name: string, otherwise: string | undefined) => {
    if (otherwise === undefined && isForTheServer(name, path, process)) return all;
    const found =
      ownValue(name, env, path, process) ?? (Object.hasOwn(env, name) ? env[name] : undefined) ?? otherwise;
    if (found === undefined) report(path, notSet(name), name);
    room -= found?.length ?? 0;
    return room < 0 ? '' : (found ?? '');
  });
}

/** A process that the settings describe. */
interface GivenProcess {
  /** Where they do. */
  readonly at: Path;
  /** The variables that they give it, as they are written. */
  readonly written: ReadonlyMap<string, string>;
  /** The same without references, as far as it was needed; where they lead back, one is still `undefined`. */
  readonly resolved: Map<string, string | undefined>;
}

const NOTHING_GIVEN: GivenProcess = { at: [], written: new Map(), resolved: new Map() };

function processIn(
  { command, env }: { readonly [name: string]: unknown },
  at: Path,
): GivenProcess | undefined {
  if (command === undefined || !isMapping(env)) return undefined;
  const written = Object.entries(env).map(([name, value]) => [name, String(value)] as const);
  return { at, written: new Map(written), resolved: new Map() };
}

/** What a process is given under this name; where that itself is written, the name is the environment’s. */
function ownValue(name: string, env: Variables, path: Path, process: GivenProcess): string | undefined {
  const { at, written, resolved } = process;
  const own = written.get(name);
  if (own === undefined || isWhereItIsGiven(name, path, process)) return undefined;
  if (resolved.has(name)) return resolved.get(name);
  resolved.set(name, undefined);
  // What it lacks itself is reported where it is given.
  const value = expandText(own, env, () => {}, [...at, 'env', name], process);
  resolved.set(name, value);
  return value;
}

function isWhereItIsGiven(name: string, path: Path, { at }: GivenProcess): boolean {
  return path[at.length] === 'env' && path[at.length + 1] === name;
}

/**
 * Among its arguments, a process looks up itself what it was given, as `mcp-remote` and shells do: a shell would take
 * the value apart. What is only passed on to it under its name is the environment’s, and resolved.
 */
function isForTheServer(name: string, path: Path, { at, written }: GivenProcess): boolean {
  const own = written.get(name);
  if (own === undefined || path[at.length] !== 'args') return false;
  return own !== `\${${name}}` && !own.startsWith(`\${${name}:-`);
}

/** What is wrong with a setting that needs it. */
export function notSet(name: string): string {
  return `The environment variable ${name} is not set`;
}

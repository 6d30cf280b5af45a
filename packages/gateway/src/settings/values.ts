/** One value of the file → the value the code works with, or a sentence about what was expected. */
import { isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OF_THE_CONNECTION } from '../header-names.ts';
import { nearest } from '../nearest.ts';
import { isToolName } from '../shape/tool-name.ts';
import { toUrl } from '../to-url.ts';
import { type Knocking, readHost, readWebOrigin } from './knocking.ts';
import type { Path, Report } from './problems.ts';
import type { Row } from './rows.ts';

/** What a value is seen from. */
export interface ValueContext {
  readonly report: Report;
  /** Relative paths start here. */
  readonly baseDir: string;
  /** The names of dialects that there are. */
  readonly dialects: readonly string[];
}

type Reader = (value: unknown, row: Row, path: Path, context: ValueContext) => unknown;

/** The longest time a timer can take: more than this, and it would fire at once. */
export const MAX_MS = 2_147_483_647;
export const MIN_BYTES = 1024;
/** Half of what fits into a string. */
export const MAX_BYTES = 268_435_456;
const MIN_KEY_LENGTH = 8;

/** Reads a value as its row says. What cannot be read is reported, and `undefined`. */
export function readValue(value: unknown, row: Row, path: Path, context: ValueContext): unknown {
  return READERS[row.type](value, row, path, context);
}

const READERS: { readonly [type in Row['type']]: Reader } = {
  flag: (value, _row, path, { report }) =>
    typeof value === 'boolean' ? value : no(report, path, 'Expected true or false'),
  count: (value, { min = 0, max = Number.MAX_SAFE_INTEGER }, path, { report }) =>
    whole(value, min, max, 'a whole number', path, report),
  ms: (value, { min = 0 }, path, { report }) => whole(value, min, MAX_MS, 'milliseconds', path, report),
  share: (value, _row, path, { report }) =>
    typeof value === 'number' && value >= 0 && value <= 1
      ? value
      : no(report, path, 'Expected a number from 0 to 1'),
  bytes: (value, _row, path, { report }) => whole(value, MIN_BYTES, MAX_BYTES, 'bytes', path, report),
  text: (value, _row, path, { report }) => text(value, path, report),
  secret,
  choice: (value, { of = [] }, path, { report }) => choice(value, of, path, report),
  choices(value, { of = [] }, path, { report }) {
    if (!Array.isArray(value)) return no(report, path, `Expected a list of ${listed(of)}`);
    return value.map((item, i) => choice(item, of, [...path, i], report));
  },
  counts,
  dialect: (value, _row, path, { report, dialects }) => choice(value, dialects, path, report),
  names,
  strings: (value, _row, path, context) => strings(value, path, context, variable),
  renames: (value, _row, path, context) => strings(value, path, context, toolName),
  texts: (value, _row, path, context) => strings(value, path, context, () => undefined),
  headers: (value, _row, path, context) => strings(value, path, context, header),
  header_name: (value, _row, path, { report }) =>
    typeof value === 'string' && new RegExp(HEADER_NAME).test(value)
      ? value
      : no(report, path, 'Expected the name of a header'),
  origins,
  hosts: (value, row, path, context) => knocking(value, row, path, context, readHost),
  web_origins: (value, row, path, context) => knocking(value, row, path, context, readWebOrigin),
  url: (value, _row, path, { report }) => url(value, path, report),
  path(value, _row, path, { report, baseDir }) {
    const said = text(value, path, report);
    return said === undefined ? undefined : resolve(baseDir, said);
  },
  document(value, _row, path, { report, baseDir }) {
    const said = text(value, path, report);
    if (said === undefined || isAbsolute(said)) return said;
    if (/^https?:/i.test(said)) return url(said, path, report)?.href;
    if (/^file:/i.test(said)) return file(said, path, report);
    return resolve(baseDir, said);
  },
  store(value, _row, path, { report, baseDir }) {
    const said = text(value, path, report);
    if (said === undefined) return undefined;
    if (/^(?:memory|rediss?|valkeys?):/.test(said)) return said;
    if (said.startsWith('file://')) return file(said, path, report);
    const named = said.replace(/^file:/, '');
    return isStorePath(named) ? resolve(baseDir, named) : no(report, path, NO_STORE);
  },
};

/** From the root, or without `:` and `@`: whatever else has them was meant to be a URL. */
export const STORE_PATH = '(?:/(?!/|.*//)|[A-Za-z]:[\\\\/][^:@]*$|[^:@]*$)';

function isStorePath(said: string): boolean {
  return new RegExp(`^${STORE_PATH}`, 's').test(said);
}

/** What was written may hold a password. */
const NO_STORE =
  'Expected redis://…, rediss://…, valkey://…, valkeys://…, memory:, file:./mayday.db or a path (from the root, if it has : or @)';

function no(report: Report, path: Path, message: string): undefined {
  report(path, message);
}

function whole(
  value: unknown,
  min: number,
  max: number,
  what: string,
  path: Path,
  report: Report,
): number | undefined {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max) return value;
  return no(report, path, `Expected ${what}, from ${min} to ${max}`);
}

function text(value: unknown, path: Path, report: Report, canBeEmpty = false): string | undefined {
  if (typeof value !== 'string') {
    const isPlain = typeof value === 'number' || typeof value === 'boolean';
    return no(report, path, isPlain ? 'Expected text; put it in quotes' : 'Expected text');
  }
  if (value === '' && !canBeEmpty) return no(report, path, 'Expected text that is not empty');
  // Halves look alike once they are bytes: two names that differ in them would be one.
  if (!value.isWellFormed()) return no(report, path, 'Expected text; this holds half a character');
  return value.includes('\0') ? no(report, path, 'Expected text without NUL characters') : value;
}

/** A header carries it, so nothing else would ever match. */
function secret(
  value: unknown,
  { min = MIN_KEY_LENGTH }: Row,
  path: Path,
  { report }: ValueContext,
): string | undefined {
  if (typeof value === 'string' && value.length >= min && /^[!-~]+$/.test(value)) return value;
  return no(
    report,
    path,
    `Expected ${min} or more visible characters of ASCII, in quotes and without spaces`,
  );
}

function choice(value: unknown, of: readonly string[], path: Path, report: Report): string | undefined {
  if (typeof value !== 'string') return no(report, path, `Expected one of ${listed(of)}`);
  if (of.includes(value)) return value;
  const close = nearest(value, of);
  return no(
    report,
    path,
    close === undefined ? `Expected one of ${listed(of)}` : `Unknown value; did you mean ${close}?`,
  );
}

function listed(values: readonly string[]): string {
  return values.map((value) => (value === '' ? '""' : value)).join(', ');
}

function names(
  value: unknown,
  _row: Row,
  path: Path,
  { report }: ValueContext,
): readonly string[] | undefined {
  if (!Array.isArray(value)) return no(report, path, 'Expected a list of texts');
  return value.map((item, i) => text(item, [...path, i], report, true) ?? '');
}

/** What a name of a header is made of. */
export const HEADER_NAME = "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$";
/** With two names below the star at least: `https://*.com` is everybody. */
export const ORIGIN =
  '^[Hh][Tt][Tt][Pp][Ss]?://(?:\\*\\.[\\w-]+(?:\\.[\\w-]+)+|[\\w-][\\w.-]*|\\[[\\da-fA-F:.]+\\])(?::\\d{1,5})?/?$';

function origins(value: unknown, row: Row, path: Path, context: ValueContext): readonly string[] | undefined {
  const said = names(value, row, path, context);
  for (const [i, origin] of (said ?? []).entries())
    if (!new RegExp(ORIGIN).test(origin))
      no(
        context.report,
        [...path, i],
        'Expected an origin, such as https://files.example.com or https://*.example.com',
      );
  return said;
}

/** Each as it is compared. */
function knocking(
  value: unknown,
  row: Row,
  path: Path,
  context: ValueContext,
  read: (said: string) => Knocking,
): readonly string[] | undefined {
  return names(value, row, path, context)?.map((said, i) => {
    const found = read(said);
    if ('kept' in found) return found.kept;
    if (typeof (value as readonly unknown[])[i] === 'string') context.report([...path, i], found.wrong);
    return '';
  });
}

function counts(
  value: unknown,
  { min = 0, max = Number.MAX_SAFE_INTEGER }: Row,
  path: Path,
  { report }: ValueContext,
): { readonly [name: string]: number } | undefined {
  if (!isMapping(value)) return no(report, path, 'Expected names with a whole number each');
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      whole(item, min, max, 'a whole number', [...path, name], report) ?? min,
    ]),
  );
}

type Check = (name: string, value: string) => string | undefined;

/** Names and texts; a name that the check turns away is reported. */
function strings(
  value: unknown,
  path: Path,
  { report }: ValueContext,
  check: Check,
): { readonly [name: string]: string } | undefined {
  if (!isMapping(value)) return no(report, path, 'Expected names with a text each');
  const found = new Map<string, string>();
  for (const [name, item] of Object.entries(value)) {
    const said = text(item, [...path, name], report, true);
    if (said === undefined) continue;
    const key = check === header ? name.toLowerCase() : name;
    const wrong = found.has(key) ? 'It is here twice' : check(key, said);
    if (wrong === undefined) found.set(key, said);
    else report([...path, name], wrong);
  }
  return Object.fromEntries(found);
}

function variable(name: string): string | undefined {
  return /^[^=\0]+$/.test(name) ? undefined : 'Expected the name of an environment variable';
}

function toolName(_own: string, shown: string): string | undefined {
  return isToolName(shown)
    ? undefined
    : 'Expected a name of at most 64 letters, digits, underscores and hyphens';
}

function header(name: string, value: string): string | undefined {
  if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name)) return 'Expected the name of a header';
  if (OF_THE_CONNECTION.has(name)) return 'This header belongs to the connection and cannot be set';
  if (/[^\t\u0020-\u007e\u0080-\u00ff]/.test(value))
    return 'Expected the value of a header: one line of Latin-1';
  return undefined;
}

function url(value: unknown, path: Path, report: Report): URL | undefined {
  const parsed = typeof value === 'string' && /^https?:\/\//i.test(value) ? toUrl(value) : undefined;
  if (parsed === undefined) return no(report, path, 'Expected a URL that begins with http:// or https://');
  if (parsed.username !== '' || parsed.password !== '')
    return no(report, path, 'A user and password in a URL are not sent; put them into headers');
  return parsed;
}

function file(said: string, path: Path, report: Report): string | undefined {
  try {
    return fileURLToPath(said);
  } catch {
    return no(report, path, 'Expected a path or a URL of a file on this machine');
  }
}

/** Is it a mapping of the file? YAML can make other objects too. */
export function isMapping(value: unknown): value is { readonly [name: string]: unknown } {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

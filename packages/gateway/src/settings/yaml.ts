/** YAML → plain values and the lines they stand on. Hostile text costs no more than its size. */
import { createRequire } from 'node:module';
import type { Document, ErrorCode, LineCounter } from 'yaml';
import type { Path, SettingsProblem } from './problems.ts';

/** Loaded when it is first needed: who names one server has no file. */
const require = createRequire(import.meta.url);
const yaml = (): typeof import('yaml') => require('#yaml');

/** A file, taken apart. */
export interface ParsedSettings {
  readonly value: unknown;
  readonly lineOf: (path: Path) => number;
  /** What is wrong with it as YAML; then there is no value. */
  readonly problems: readonly SettingsProblem[];
  /** What is no mistake and should be known. */
  readonly warnings?: readonly SettingsProblem[] | undefined;
}

/** Far above any real file. */
const MAX_FILE_BYTES = 262_144;

/** Aliases that are written out: a few lines of them can stand for gigabytes. */
const MAX_ALIASES = 100;

const MAX_TOLD = 20;

/** Takes the text of a file apart. Total: whatever is wrong with it is a problem. */
export function parseYaml(text: string): ParsedSettings {
  if (Buffer.byteLength(text) > MAX_FILE_BYTES)
    return broken([{ line: 1, path: '', message: `The file is larger than ${MAX_FILE_BYTES} bytes` }]);
  const { LineCounter, parseDocument } = yaml();
  const lines = new LineCounter();
  try {
    // Its own check of the keys and its own marks in the text take quadratic time.
    const options = {
      lineCounter: lines,
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: 'error',
    } as const;
    const document = parseDocument(text, options);
    const problems = [
      ...document.errors.map(({ pos, code, message }) => ({
        line: lines.linePos(pos[0]).line,
        path: '',
        message: QUOTES_NOTHING.has(code) ? message : (INSTEAD.get(code) ?? NO_YAML),
      })),
      ...wrongKeys(document, lines),
    ];
    if (problems.length > 0) return broken(eachOnce(problems).slice(0, MAX_TOLD));
    const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES });
    return { value, lineOf: (path) => lineOf(document, lines, path), problems: [] };
  } catch (error) {
    return broken([{ line: 1, path: '', message: explain(error) }]);
  }
}

/** The parser's messages about these are the same whatever stands in the file; all others may quote keys and passwords. */
const QUOTES_NOTHING: ReadonlySet<ErrorCode> = new Set([
  'ALIAS_PROPS',
  'BAD_ALIAS',
  'BAD_INDENT',
  'BAD_SCALAR_START',
  'BLOCK_AS_IMPLICIT_KEY',
  'BLOCK_IN_FLOW',
  'KEY_OVER_1024_CHARS',
  'MISSING_CHAR',
  'MULTILINE_IMPLICIT_KEY',
  'MULTIPLE_ANCHORS',
  'MULTIPLE_DOCS',
  'MULTIPLE_TAGS',
  'TAB_AS_INDENT',
]);

const NO_YAML = 'It cannot be read as YAML';
const INSTEAD: ReadonlyMap<ErrorCode, string> = new Map([
  [
    'UNEXPECTED_TOKEN',
    'Something stands where YAML does not expect it; check indentation and quotes (within braces, a variable needs them)',
  ],
  ['BAD_DQ_ESCAPE', 'A backslash in double quotes begins nothing known; use single quotes'],
  ['TAG_RESOLVE_FAILED', 'A word that begins with ! is a tag, and this one is not known; put it in quotes'],
]);

/** What is wrong with one line, the parser finds wrong with all that follows on it. */
function eachOnce(problems: readonly SettingsProblem[]): readonly SettingsProblem[] {
  return [...new Map(problems.map((one) => [`${one.line} ${one.message}`, one])).values()];
}

function broken(problems: readonly SettingsProblem[]): ParsedSettings {
  return { value: undefined, lineOf: () => 1, problems };
}

/** The parser throws where it cannot go on at all. */
function explain(error: unknown): string {
  if (error instanceof ReferenceError)
    return 'Its aliases lead nowhere or stand for too much; write them out';
  return error instanceof RangeError ? 'It is nested too deeply' : NO_YAML;
}

/** Keys that are no names, are there already, or have no value. */
function wrongKeys(document: Document, lines: LineCounter): SettingsProblem[] {
  const problems: SettingsProblem[] = [];
  const { isScalar, visit } = yaml();
  visit(document, {
    Map(_key, map) {
      const seen = new Set<string>();
      for (const { key, value } of map.items) {
        const start = (key as { range?: readonly number[] | null } | null)?.range?.[0] ?? map.range?.[0] ?? 0;
        const name = isScalar(key) ? String(key.value) : undefined;
        const { line } = lines.linePos(start);
        // It may be a value that lost its name.
        if (value === null)
          problems.push({ line, path: '', message: 'Expected `name: value`, with a blank after the colon' });
        else if (name === undefined)
          problems.push({ line, path: '', message: 'Expected a name, not a list or a mapping' });
        else if (seen.has(name)) problems.push({ line, path: '', message: `${name} is here twice` });
        else seen.add(name);
      }
    },
  });
  return problems;
}

/** The line of a setting; of the nearest one around it when it is not there itself. */
function lineOf(document: Document, lines: LineCounter, path: Path): number {
  const { isMap } = yaml();
  for (let length = path.length; length > 0; length--) {
    const parent = length === 1 ? document.contents : document.getIn(path.slice(0, length - 1), true);
    const last = path[length - 1];
    const pair = isMap(parent) ? parent.items.find((item) => String(item.key) === String(last)) : undefined;
    const key = pair?.key as { range?: readonly number[] } | undefined;
    const node =
      key?.range === undefined
        ? (document.getIn(path.slice(0, length), true) as { range?: readonly number[] } | undefined)
        : key;
    const start = node?.range?.[0];
    if (start !== undefined) return lines.linePos(start).line;
  }
  return 1;
}

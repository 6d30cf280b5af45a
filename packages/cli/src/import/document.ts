/** The text of a client’s file, JSON with comments or YAML → values, and the lines they stand on. */
import { createRequire } from 'node:module';
import { parseYaml, type SettingsProblem } from '@mayday/gateway';
import type { Node, ParseError } from 'jsonc-parser';

/** Loaded when it is first needed: most gateways have no file of a client. */
const require = createRequire(import.meta.url);
const jsonc = (): typeof import('jsonc-parser') => require('jsonc-parser');

/** Steps that lead to a value. */
export type Path = readonly (string | number)[];

/** A file, taken apart. */
export interface ClientDocument {
  readonly format: 'json' | 'yaml';
  readonly value: unknown;
  readonly lineOf: (path: Path) => number;
  /** What is wrong with it; then the value is not to be used. */
  readonly problems: readonly SettingsProblem[];
}

/** Deeper than any file of a client, and far from the end of the stack. */
const MAX_DEPTH = 100;
const MAX_TOLD = 20;

/** Is it JSON? YAML of a client never begins with a brace, or with a comment of JavaScript. */
export function isJson(text: string): boolean {
  return /^\uFEFF?\s*(?:\{|\[|\/\/|\/\*)/.test(text);
}

/** Takes the text apart. Total: whatever is wrong with it is a problem. */
export function parseDocument(text: string): ClientDocument {
  return isJson(text) || text.trim() === '' ? parseJson(text) : { format: 'yaml', ...parseYaml(text) };
}

function parseJson(text: string): ClientDocument {
  const { parseTree, printParseErrorCode } = jsonc();
  const lineAt = lineCounter(text);
  const errors: ParseError[] = [];
  let root: Node | undefined;
  try {
    // A byte order mark would be an error; a space in its place moves nothing.
    root = parseTree(text.replace(/^\uFEFF/, ' '), errors, { allowTrailingComma: true });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return broken([{ line: 1, path: '', message: TOO_DEEP }]);
  }
  if (root === undefined && errors.length === 0)
    return broken([{ line: 1, path: '', message: 'The file is empty' }]);
  const problems = errors.map(({ error, offset }) => ({
    line: lineAt(offset),
    path: '',
    message: sentence(printParseErrorCode(error)),
  }));
  if (problems.length > 0 || root === undefined) return broken(firstOfLines(problems).slice(0, MAX_TOLD));
  const found: SettingsProblem[] = [];
  const value = plainValue(root, 0, (node, message) =>
    found.push({ line: lineAt(node.offset), path: '', message }),
  );
  if (found.length > 0) return broken(found.slice(0, MAX_TOLD));
  return { format: 'json', value, lineOf: (path) => lineAt(nearestNode(root, path).offset), problems: [] };
}

const TOO_DEEP = 'It is nested too deeply';

function broken(problems: readonly SettingsProblem[]): ClientDocument {
  return { format: 'json', value: undefined, lineOf: () => 1, problems };
}

/** One mistake makes several errors of a parser. */
function firstOfLines(problems: readonly SettingsProblem[]): readonly SettingsProblem[] {
  return problems.filter(({ line }, i) => line !== problems[i - 1]?.line);
}

/** `CommaExpected` → `Comma expected`. */
function sentence(code: string): string {
  const words = code.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words === 'Invalid symbol' ? 'Something that is not JSON' : words;
}

/** The value of a node. A name that is there twice would be read as one of them and changed as the other. */
function plainValue(node: Node, depth: number, report: (node: Node, message: string) => void): unknown {
  if (node.type !== 'object' && node.type !== 'array') return node.value;
  const children = node.children ?? [];
  if (depth > MAX_DEPTH) {
    report(node, TOO_DEEP);
    return undefined;
  }
  if (node.type === 'array') return children.map((child) => plainValue(child, depth + 1, report));
  const members = new Map<string, unknown>();
  for (const { children: [key, value] = [] } of children) {
    if (key === undefined || value === undefined) continue;
    const name = String(key.value);
    if (members.has(name)) report(key, `${JSON.stringify(name.slice(0, 80))} is here twice`);
    members.set(name, plainValue(value, depth + 1, report));
  }
  return Object.fromEntries(members);
}

/** The node at a path, or the nearest one around it. */
function nearestNode(root: Node, path: Path): Node {
  for (let length = path.length; length > 0; length--) {
    const node = jsonc().findNodeAtLocation(root, path.slice(0, length));
    if (node !== undefined) return node.parent?.type === 'property' ? node.parent : node;
  }
  return root;
}

/** Finds the line of an offset, from 1. */
function lineCounter(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] as number) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}

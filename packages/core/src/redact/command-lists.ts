import type { Entry, Node } from './nodes.ts';
import type { Span } from './page.ts';

const MOST_ITEMS = 64;
const LONGEST_ITEM = 400;
const ARGUMENTS = /^(?:args?|argv|arguments|spawnargs|params)$/i;
const PROGRAM = /^(?:cmd|command|program|file|executable|exe|bin|spawnfile|path)$/i;

/** A part of a list's item that a command line gives away. */
export interface CommandPart {
  readonly entry: Entry;
  readonly start: number;
  readonly end: number;
  readonly class: string;
}

/** What is secret in a list of arguments, read as the command line that it is: `['curl', '-u', 'jo:…']`. */
export function commandParts(node: Node, detect: (line: string) => readonly Span[]): CommandPart[] {
  const items = Array.isArray(node.source) ? node.entries : [];
  if (items.length < 2 || items.length > MOST_ITEMS || !items.some(isFlag)) {
    return [];
  }
  let line = ARGUMENTS.test(String(node.key)) ? programOf(node) : '';
  const starts = items.map(({ leaf }) => {
    const start = line.length;
    line += typeof leaf === 'string' && leaf.length <= LONGEST_ITEM ? `${leaf} ` : '';
    return start;
  });
  return detect(line)
    .filter(({ rule }) => rule === 'command-line')
    .flatMap(({ start, end, class: cls }) => {
      const index = starts.findLastIndex((from) => from <= start);
      const entry = items[index];
      const from = start - (starts[index] ?? 0);
      const isWhole = typeof entry?.leaf === 'string' && end - (starts[index] ?? 0) <= entry.leaf.length;
      return entry && isWhole ? [{ entry, start: from, end: from + end - start, class: cls }] : [];
    });
}

function isFlag({ leaf }: Entry): boolean {
  return typeof leaf === 'string' && /^[-/][A-Za-z]/.test(leaf);
}

/** The program that stands beside its arguments. */
function programOf(node: Node): string {
  const program = node.parent?.entries.find(({ key }) => typeof key === 'string' && PROGRAM.test(key))?.leaf;
  return typeof program === 'string' && program.length <= LONGEST_ITEM ? `${program} ` : '';
}

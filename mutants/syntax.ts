/** A syntax tree, as far as mutators look at it. */
import { parseSync } from 'rolldown/utils';

/** A node: its kind, where it stands, and whatever else it has. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  // biome-ignore lint/suspicious/noExplicitAny: a node of any kind; each mutator knows its own
  readonly [member: string]: any;
}

/** Parses TypeScript, and throws where it is none. */
export function parse(file: string, source: string): Node {
  const { program, errors } = parseSync(file, source, { lang: 'ts' });
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  return program as unknown as Node;
}

/** Types and names vanish before anything runs; the misuse of a function is told to its programmer, in any words. */
const WITHOUT_BEHAVIOUR: readonly string[] = ['ImportDeclaration', 'ExportAllDeclaration', 'TemplateElement'];
const WRAPPERS: readonly string[] = ['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression'];

/** Calls back for every node that behaves, from the outside in, with the nodes around it, the nearest first. */
export function visit(node: Node, onNode: (node: Node, around: readonly Node[]) => void): void {
  walk(node, []);

  function walk(one: Node, around: readonly Node[]): void {
    if (WRAPPERS.includes(one.type)) {
      walk(one['expression'], around);
      return;
    }
    if (one.type.startsWith('TS') || WITHOUT_BEHAVIOUR.includes(one.type) || isMisuse(one)) return;
    onNode(one, around);
    const outer = [one, ...around];
    for (const child of childrenOf(one)) walk(child, outer);
  }
}

function childrenOf(node: Node): readonly Node[] {
  return Object.entries(node)
    .filter(
      ([name]) =>
        !(name === 'key' && node['computed'] === false) && !(name === 'source' && 'specifiers' in node),
    )
    .flatMap(([, value]) => (Array.isArray(value) ? value : [value]))
    .filter((value): value is Node => typeof value?.type === 'string');
}

function isMisuse({ type, callee }: Node): boolean {
  return type === 'NewExpression' && ['TypeError', 'RangeError'].includes(callee.name);
}

/** A node without what only tells its type. */
export function bare(node: Node): Node {
  return WRAPPERS.includes(node.type) ? bare(node['expression']) : node;
}

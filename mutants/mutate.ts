/** Everything that can be changed in a file, one change at a time. */
import { type Change, short } from './change.ts';
import { bare, type Node, parse, visit } from './syntax.ts';
import { tableChanges } from './tables.ts';

/** One change of one file. */
export interface Mutant extends Change {
  /** The path from the root. */
  readonly file: string;
  readonly line: number;
  /** The whole file as it was when it was looked at. */
  readonly source: string;
  /** The line that it begins in. */
  readonly code: string;
}

/** Gives every mutant of a file, in the order of its text. */
export function mutantsOf(file: string, source: string): Mutant[] {
  const found = new Map<string, Mutant>();
  visit(parse(file, source), (node, around) => {
    for (const change of [...changesOf(node, around, source), ...tableChanges(node, around, source)]) {
      const line = source.slice(0, change.start).split('\n').length;
      const code = (source.split('\n')[line - 1] ?? '').trim();
      const key = `${change.start} ${change.end} ${change.text}`;
      if (!found.has(key)) found.set(key, { file, source, line, code, ...change });
    }
  });
  return [...found.values()].sort((a, b) => a.start - b.start || a.end - b.end);
}

function changesOf(node: Node, around: readonly Node[], source: string): Change[] {
  const { start, end } = node;
  const was = (text: string, what: string): Change => ({ start, end, text, what });
  const own = source.slice(start, end);
  switch (node.type) {
    case 'Literal':
      return literalChanges(node, around, own);
    case 'TemplateLiteral':
      return node['quasis'].some((part: Node) => /\w/.test(part['value'].raw)) &&
        around[0]?.type !== 'TaggedTemplateExpression'
        ? [was(`'mutant'`, `${short(own)} → 'mutant'`)]
        : [];
    case 'IfStatement':
      return [...negated(node['test'], source), ...droppedCheck(node, source)];
    case 'ConditionalExpression':
      return negated(node['test'], source);
    case 'LogicalExpression':
    case 'BinaryExpression':
      return operatorChanges(node, source);
    case 'ExpressionStatement':
      return /^(?:await )?(?:check|expect|require|assert|refuse|enforce)\w*\(/.test(own)
        ? [was(';', `drops ${short(own)}`)]
        : [];
    case 'SwitchCase':
      return node['test'] === null ? [] : [was('', `drops ${short(own)}`)];
    default:
      return [];
  }
}

function literalChanges(node: Node, around: readonly Node[], own: string): Change[] {
  const { start, end, value } = node;
  const to = (text: string): Change[] => [{ start, end, text, what: `${short(own)} → ${text}` }];
  if ('regex' in node) return to('/(?!)/');
  if (typeof value === 'boolean') return isOptionName(around) ? [] : to(String(!value));
  if (typeof value === 'number') return to(value === 1 ? '0' : String(value + 1));
  if (typeof value !== 'string' || around[0]?.type === 'ExpressionStatement') return [];
  return to(value === '' ? `'mutant'` : /^\w*$/.test(value) ? `'mutant'` : `''`);
}

/** The members of `OptionNames` are `true` by their type, and nobody reads more than their names. */
function isOptionName(around: readonly Node[]): boolean {
  return around[2]?.['id']?.typeAnnotation?.typeAnnotation?.typeName?.name === 'OptionNames';
}

const OTHER: { readonly [operator: string]: string } = {
  '&&': '||',
  '||': '&&',
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
};

function operatorChanges(node: Node, source: string): Change[] {
  const to = OTHER[node['operator']];
  if (to === undefined) return [];
  const from = bare(node['left']).end;
  const at = source.indexOf(node['operator'], Math.max(from, node['left'].end));
  const end = at + node['operator'].length;
  return [{ start: at, end, text: to, what: `${short(source.slice(node.start, node.end))} with ${to}` }];
}

/** A comparison is negated by its operator. */
function negated(test: Node, source: string): Change[] {
  const own = source.slice(test.start, test.end);
  if (test.type === 'BinaryExpression' && ['===', '!=='].includes(test['operator'])) return [];
  return [{ start: test.start, end: test.end, text: `!(${own})`, what: `not (${short(own)})` }];
}

/** `if (…) return` or `throw`, without an else. */
function droppedCheck(node: Node, source: string): Change[] {
  const { consequent, alternate, start, end } = node;
  const last = consequent.type === 'BlockStatement' ? consequent.body.at(-1) : consequent;
  if (alternate !== null || !['ReturnStatement', 'ThrowStatement', 'ContinueStatement'].includes(last?.type))
    return [];
  return [{ start, end, text: ';', what: `drops ${short(source.slice(start, end))}` }];
}

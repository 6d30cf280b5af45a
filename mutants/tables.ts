/** What can be wrong in a table: a row that is missing, codes that changed places, a flag of the wrong side. */
import { type Change, short } from './change.ts';
import { bare, type Node } from './syntax.ts';

/** The changes of a table; none for a node that is no table. */
export function tableChanges(node: Node, around: readonly Node[], source: string): Change[] {
  const text = (one: Node): string => source.slice(one.start, one.end);
  if (node.type === 'ArrayExpression') {
    const elements: Node[] = node['elements'].filter((one: Node | null) => one !== null);
    const rows = elements
      .map(bare)
      .filter((one) => ['ArrayExpression', 'ObjectExpression'].includes(one.type));
    const isTable = rows.length === elements.length && rows.length > 1;
    const isList = elements.length > 1 && elements.every((one) => one.type === 'Literal') && !isRow(around);
    if (!isTable && !isList) return [];
    const dropped = elements.map((one, i) => drop(one, elements[i + 1], elements[i - 1], text(one)));
    return isTable ? [...dropped, ...swaps(rows, text), ...flags(rows, text)] : dropped;
  }
  if (node.type !== 'ObjectExpression' || isRow(around)) return [];
  const members: Node[] = node['properties'];
  const isTable =
    members.length > 2 && members.every((one) => one.type === 'Property' && isConstant(bare(one['value'])));
  if (!isTable) return [];
  const values = members.map((one) => bare(one['value']));
  return [
    ...members.map((one, i) => drop(one, members[i + 1], members[i - 1], text(one))),
    ...pairs(values).flatMap(([a, b]) => swap(a, b, text)),
    ...flags(values, text),
  ];
}

/** A row of a bigger table is changed cell by cell. */
function isRow(around: readonly Node[]): boolean {
  const outer = around.find((one) => one.type !== 'Property');
  return outer?.type === 'ArrayExpression' || outer?.type === 'ObjectExpression';
}

function isConstant(node: Node): boolean {
  return (
    node.type === 'Literal' ||
    (node.type === 'ArrayExpression' && node['elements'].every((one: Node) => isConstant(bare(one)))) ||
    (node.type === 'UnaryExpression' && isConstant(node['argument']))
  );
}

/** Takes the comma too. */
function drop(one: Node, next: Node | undefined, previous: Node | undefined, own: string): Change {
  const what = `drops ${short(own)}`;
  if (next !== undefined) return { start: one.start, end: next.start, text: '', what };
  return { start: previous?.end ?? one.start, end: one.end, text: '', what };
}

function pairs(nodes: readonly Node[]): (readonly [Node, Node])[] {
  return nodes.slice(1).map((one, i) => [nodes[i] as Node, one] as const);
}

function swap(a: Node, b: Node, text: (one: Node) => string): Change[] {
  if (text(a) === text(b)) return [];
  const between = text({ type: '', start: a.end, end: b.start });
  const what = `swaps ${short(text(a))} and ${short(text(b))}`;
  return [{ start: a.start, end: b.end, text: text(b) + between + text(a), what }];
}

/** The first cells of neighbouring rows: what a row is found by. */
function swaps(rows: readonly Node[], text: (one: Node) => string): Change[] {
  return pairs(rows).flatMap(([a, b]) => {
    const [x, y] = [cells(a)[0], cells(b)[0]];
    return x === undefined || y === undefined ? [] : swap(x, y, text);
  });
}

function cells(row: Node): Node[] {
  if (row.type === 'ArrayExpression') return row['elements'].map(bare);
  if (row.type !== 'ObjectExpression') return [];
  return row['properties']
    .filter((one: Node) => one.type === 'Property')
    .map((one: Node) => bare(one['value']));
}

/** A cell that is a name becomes another name of its column: `WRITTEN` in a row that is only read. */
function flags(rows: readonly Node[], text: (one: Node) => string): Change[] {
  const lines = rows.map(cells);
  const names = (column: number): string[] => [
    ...new Set(
      lines
        .map((line) => line[column])
        .filter((one) => one?.type === 'Identifier')
        .map((one) => text(one as Node)),
    ),
  ];
  return lines.flatMap((line) =>
    line.flatMap((cell, column) => {
      if (cell.type !== 'Identifier') return [];
      const other = names(column).find((name) => name !== text(cell));
      if (other === undefined) return [];
      return [
        {
          start: cell.start,
          end: cell.end,
          text: other,
          what: `${text(cell)} → ${other} in ${short(text(line[0] as Node))}`,
        },
      ];
    }),
  );
}

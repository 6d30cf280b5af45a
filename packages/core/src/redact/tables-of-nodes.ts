import { isPlain } from './looks.ts';
import type { Node } from './nodes.ts';
import { meaningOfKey } from './rules/keys.ts';

const ROWS = /^(?:rows?|values|vals|data|records|cells)$/i;
const COLUMNS = /^(?:columns|cols|fields|headers?|names|keys)$/i;
const HEAD = /^[\p{L}\d_ .#/()-]{1,40}$/u;
const PARAMETERS = /^(?:variables|parameters|params|bindings|binds|values|args|replacements)$/i;
const STATEMENT = /^(?:sql|query|statement|text|queryText)$/i;
const SQL =
  /^\s{0,20}(?:select|insert|update|delete|merge|alter|create|with|call|exec|replace|match|optional match|unwind)\s/i;
/** Queries whose variables stand beside them. */
const GRAPHQL = /^\s{0,20}(?:query|mutation|subscription)[\s({]/;

const VARIABLE = /\b(\w{1,60})\s{0,4}:\s{0,4}\$(\w{1,40})/g;
const MOST_COLUMNS = 200;
const LONGEST_QUERY = 4000;

/** The head of a column; whether a table names it, or only the row that comes first. */
export interface Column {
  readonly name: string;
  readonly isSure: boolean;
}

/** The head of the column that a cell is in: `{columns: […], rows: [[…]]}`, `{keys: […], values: […]}`, `[[heads], [cells]]`. */
export function columnOf(node: Node, index: number, labelOf: (node: Node) => string): Column | undefined {
  const rows = node.parent;
  if (!rows) {
    return undefined;
  }
  const [table, list] = Array.isArray(rows.source) ? [rows.parent, rows] : [rows, node];
  const heads = table && ROWS.test(String(list.key)) ? headsOf(table, list) : undefined;
  const head = heads?.entries[index];
  if (head) {
    const name = head.child ? labelOf(head.child) : head.leaf;
    return typeof name === 'string' ? { name, isSure: true } : undefined;
  }
  return list === rows ? firstRow(node, rows, index) : undefined;
}

function headsOf(table: Node, list: Node): Node | undefined {
  list.says.heads ??=
    table.entries.find(({ key, child }) => child && child !== list && COLUMNS.test(String(key)))?.child ??
    null;
  return list.says.heads ?? undefined;
}

/** The first of several lists of the same length names the columns of the others. */
function firstRow(node: Node, rows: Node, index: number): Column | undefined {
  const heads = rows.entries[0]?.child;
  const name = heads?.entries[index]?.leaf;
  if (
    !heads ||
    heads === node ||
    typeof name !== 'string' ||
    (meaningOfKey(name)?.strength ?? 0) < 2 ||
    heads.entries.length !== node.entries.length ||
    heads.entries.length > MOST_COLUMNS ||
    !heads.entries.every(({ leaf }) => typeof leaf === 'string' && HEAD.test(leaf))
  ) {
    return undefined;
  }
  return { name, isSure: heads.entries.length > 2 || !arePairs(rows) };
}

/** Two columns may be pairs of a name and a value as well: then a name stands first in each. */
function arePairs(rows: Node): boolean {
  rows.says.arePairs ??= rows.entries.slice(1).some(({ child }) => {
    const first = child?.entries[0]?.leaf;
    return typeof first === 'string' && (isPlain(first) || meaningOfKey(first) !== undefined);
  });
  return rows.says.arePairs;
}

/** Whether a list or map holds what the statement beside it was run with. */
export function isBound(node: Node): boolean {
  node.says.isBound ??=
    PARAMETERS.test(String(node.key)) &&
    (node.parent?.entries.some(
      ({ key, leaf }) =>
        STATEMENT.test(String(key)) &&
        typeof leaf === 'string' &&
        (node.key === 'variables' ? GRAPHQL : SQL).test(leaf),
    ) ??
      false);
  return node.says.isBound;
}

/** What a query calls the variable that it is sent with: `login(password: $p)`. */
export function variableName(node: Node, key: string): string | undefined {
  if (node.key !== 'variables') {
    return undefined;
  }
  node.says.variables ??= new Map(
    [...queryOf(node).matchAll(VARIABLE)].map(([, name = '', variable = '']) => [variable, name]),
  );
  return node.says.variables.get(key);
}

function queryOf(node: Node): string {
  const query = node.parent?.entries.find(({ key }) => key === 'query')?.leaf;
  return typeof query === 'string' ? query.slice(0, LONGEST_QUERY) : '';
}

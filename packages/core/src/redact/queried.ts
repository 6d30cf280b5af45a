/** What a database was asked with, by the names around it: filters and pipelines of MongoDB, bodies of Elasticsearch, … */
import type { Entry, Node } from './nodes.ts';

/** How far above a value the name stands that tells it. */
const HIGHEST = 7;

/** Operators and stages of MongoDB. */
const OPERATOR = /^\$[a-z][A-Za-z]{1,24}$/;
/** What of schemas and references starts with a dollar too. */
const NO_OPERATOR = /^\$(?:ref|schema|id|defs|comment|anchor|schema)$/;
const FILTERS = /^(?:filter|query|q|u|update|pipeline|documents|document|doc|selector)$/;
const COMMANDS = /^(?:find|aggregate|findAndModify|update|delete|insert|count|distinct|getMore|ns)$/;

const BODIES = /^(?:query|post_filter|filter)$/;
const CLAUSES =
  /^(?:match|match_phrase|match_phrase_prefix|match_bool_prefix|terms?|wildcard|prefix|regexp|fuzzy|query_string|simple_query_string|multi_match|more_like_this)$/;
const OPTIONS =
  /^(?:fields?|operator|type|analy[sz]er|minimum_should_match|fuzziness|boost|format|lenient|default_field|default_operator|rewrite)$/;

/** What a rule of the database was held against. */
const HELD = 'consideredValue';

/** What a unique index held already, and the document that was written against it. */
const KEYED = /^(?:keyValue|op)$/;
/** Sequelize says which fields were wrong, and what they held. */
const OF_SEQUELIZE = /^Sequelize/;
const VIOLATION = /violation$/i;

const DYNAMO_VALUES = 'ExpressionAttributeValues';
const DYNAMO_KEYS = /^(?:Item|Key|Keys|ExclusiveStartKey|LastEvaluatedKey|AttributeValueList)$/;
const DYNAMO_TYPES = /^(?:S|SS|N|NS|B|BS)$/;

/** Commands of Redis that write. */
export const REDIS_WRITES: readonly string[] =
  'set setex psetex setnx getset hset hmset hsetnx lpush rpush lpushx rpushx lset lrem sadd srem zadd xadd publish append mset msetnx json.set'.split(
    ' ',
  );

/** May what stands under this name be what a database was asked with? */
export function isOfQuery(key: string): boolean {
  return (
    OPERATOR.test(key) ||
    FILTERS.test(key) ||
    CLAUSES.test(key) ||
    DYNAMO_TYPES.test(key) ||
    KEYED.test(key) ||
    key === 'fields' ||
    key === HELD ||
    key === DYNAMO_VALUES
  );
}

/** Whether a leaf is what a database was asked with. */
export function isQueried(node: Node, { key, leaf }: Entry): boolean {
  if (typeof leaf !== 'string') {
    return false;
  }
  node.says.isQueried ??= findQueried(node);
  const isOperand =
    typeof key === 'string' && (key === HELD || (OPERATOR.test(key) && !NO_OPERATOR.test(key)));
  const isValue = isOperand || (node.says.isQueried && !(typeof key === 'string' && OPTIONS.test(key)));
  // What starts with a dollar is the name of a field.
  return (isValue && /^[^$]*\w/.test(leaf)) || isRedis(node, key) || isOfSequelize(node, key);
}

/** `{type: 'unique violation', path: 'name', value: '…'}`, or in the errors of what calls itself so. */
function isOfSequelize(node: Node, key: string | number): boolean {
  if (key === 'value') {
    const of = (name: string): unknown => node.entries.find((entry) => entry.key === name)?.leaf;
    return (
      typeof of('path') === 'string' &&
      (VIOLATION.test(String(of('type'))) || isNamed(node.parent?.parent, OF_SEQUELIZE))
    );
  }
  return node.key === 'fields' && isNamed(node.parent, OF_SEQUELIZE);
}

function isNamed(node: Node | undefined, name: RegExp): boolean {
  return node?.entries.some(({ key, leaf }) => key === 'name' && name.test(String(leaf))) ?? false;
}

/** Whether a container is what a unique index holds: a document's, beside the code of the failure. */
function isKeyed(node: Node): boolean {
  return (
    KEYED.test(String(node.key)) &&
    (node.parent?.entries.some(({ key }) => /^(?:errmsg|keyPattern)$/.test(String(key))) ?? false)
  );
}

function findQueried(node: Node): boolean {
  let hasClause = false;
  let isTyped = node.entries.length === 1 && DYNAMO_TYPES.test(String(node.entries[0]?.key));
  let at: Node | undefined = node;
  if (isKeyed(node)) {
    return true;
  }
  for (let height = 0; at && height < HIGHEST; height++, at = at.parent) {
    const key = String(at.key);
    isTyped ||= height < 2 && DYNAMO_TYPES.test(key);
    if (
      (OPERATOR.test(key) && !NO_OPERATOR.test(key)) ||
      key === DYNAMO_VALUES ||
      (isTyped && DYNAMO_KEYS.test(key)) ||
      (hasClause && BODIES.test(key)) ||
      (FILTERS.test(key) && isCommand(at.parent, key))
    ) {
      return true;
    }
    if (OPTIONS.test(key)) {
      return false;
    }
    hasClause ||= CLAUSES.test(key) && typeof at.key === 'string';
  }
  return false;
}

/** `{find: 'people', filter: …}`: the name of a collection under that of a command. */
function isCommand(node: Node | undefined, own: string): boolean {
  return (
    node?.entries.some(
      ({ key, leaf }) =>
        key !== own && COMMANDS.test(String(key)) && typeof leaf === 'string' && !/\s/.test(leaf),
    ) ?? false
  );
}

/** `{name: 'set', args: ['person:1', '…']}`: all but the key. */
function isRedis({ key: list, parent }: Node, index: string | number): boolean {
  if (list !== 'args' || typeof index !== 'number' || index === 0) {
    return false;
  }
  const name = parent?.entries.find(({ key }) => key === 'name')?.leaf;
  return typeof name === 'string' && REDIS_WRITES.includes(name.toLowerCase());
}

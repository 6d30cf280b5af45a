/**
 * Under which members errors name the field that they are about, and say what is wrong with it. Reading makes issues of
 * them, and redaction knows by them what the words may repeat: what one understands the other must.
 */

/** Members that hold a path. */
export const PATH_KEYS: readonly string[] = ['path', 'loc', 'instancePath', 'dataPath', 'propertyPath'];

/** Members that hold a name. */
export const NAME_KEYS: readonly string[] = [
  'field',
  'param',
  'property',
  'parameter',
  'location',
  'target',
  'name',
  'key',
  'attribute',
];

/** What an error tells of its source, beside its words: `{source: {pointer: '/data/attributes/email'}}`. */
export const SOURCE_KEYS: readonly string[] = ['pointer', 'parameter'];

/** Members that say what is wrong. */
export const WORD_KEYS: readonly string[] = [
  'message',
  'msg',
  'detail',
  'description',
  'defaultMessage',
  'reason',
  'error',
  'title',
];

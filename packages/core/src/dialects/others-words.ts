/** Which words a closed document lets cross that were not written for its callers: a provider's, a server's, a handler's. */
import type { Fault } from '../fault.ts';

/** What names a table, a row, a place or somebody's object, and what was taken out of such a name. */
const NAMES =
  /[_/\\]|\[[a-z-]{1,40}:\d|\p{L}-?\d|\d-?\p{L}|\d{3}|\b(?:tables?|columns?|rows?|relations?|collections?|constraints?|buckets?|brokers?|clusters?|partitions?|replicas?|shards?)\b/iu;

/** A statement of SQL: it names its table, also where nothing else does. */
const STATEMENT = /\bselect\b.{1,200}\bfrom\b|\binsert into\b|\bdelete from\b|\bupdate \S{1,100} set\b/i;

/** What stands around a value or behind a name, and a name in the middle of a sentence. */
const VALUES = /[:()=<>{}"`“”«»]|(?:^|\s)['‘’]|[^.!?\s]\s+(?!I\b)\p{Lu}/u;

/**
 * May others' words be repeated? Only a plain sentence that names nothing, and that a caller can do something with: what
 * reads as nothing known may be about anything, people among it.
 */
export function maySay({ kind, reaction, message }: Pick<Fault, 'kind' | 'reaction' | 'message'>): boolean {
  const isForCallers =
    reaction === 'validation' || reaction === 'permission' || kind === 'not_found' || kind === 'conflict';
  return isForCallers && ![NAMES, STATEMENT, VALUES].some((sign) => sign.test(message));
}

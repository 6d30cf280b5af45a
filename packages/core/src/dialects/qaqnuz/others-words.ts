/** Which words may cross that were not written for callers of this platform: a provider's, a server's, a handler's. */
import type { Fault } from '../../fault.ts';

/** What names a table, a row, a place or somebody's object, and what was taken out of such a name. */
const NAMES =
  /[_/\\]|\[[a-z-]{1,40}:\d|\p{L}-?\d|\d-?\p{L}|\d{3}|\b(?:tables?|columns?|rows?|relations?|collections?|constraints?)\b/iu;

/** What stands around a value or behind a name, and a name in the middle of a sentence. */
const VALUES = /[:()=<>{}"`“”«»]|(?:^|\s)['‘’]|[^.!?\s]\s+(?!I\b)\p{Lu}/u;

/** The platform's own sentences that name something: the caller's arguments, and what somebody has to grant. */
const PLATFORM =
  /^Invalid arguments\. |^\S{1,200} requires approval \(request |^The call to \S{1,200} was denied \(request /;

/**
 * May others' words be repeated? Where the kind says what happened, only a plain sentence; where it does not, whatever
 * names nothing. A schema's issues are about what the caller has sent.
 */
export function maySay({ kind, message, issues }: Fault): boolean {
  if (issues.length > 0 || PLATFORM.test(message)) return true;
  return !NAMES.test(message) && (kind === 'unknown' || !VALUES.test(message));
}

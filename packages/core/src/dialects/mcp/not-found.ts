/** Sentences that the specification and its SDKs use for things that do not exist. */
import type { Subject } from '../../fault.ts';
import type { Kind } from '../../kinds.ts';

/** What `data` or a sentence adds to a code that has several meanings. */
export interface Refined {
  readonly kind: Kind;
  readonly subject?: Subject;
}

const THING = '(tool|prompt|resource template|resource|task|session|completion|subscription)';
const ID = `["'\`]?([^"'\`\\s]{1,200})`;

/** "Unknown tool: x", "Invalid tool name: x"; "invalid tool arguments" is something else. */
const UNKNOWN_FIRST = new RegExp(
  `^(?:unknown|no such|invalid(?= \\w{1,20} name\\b)) ${THING}(?: name)?(?:[:\\s]+${ID})?`,
  'i',
);

/** "Tool not found: x", "Tool x not found". */
const THING_FIRST = new RegExp(
  `^${THING} (?:not found(?:[:\\s]+${ID})?|${ID}["'\`]? (?:was |is |does )?not (?:be )?(?:found|exist|registered|known))`,
  'i',
);

const U = 117;
const N = 110;
const I = 105;

/** What a sentence says does not exist; bad and expired cursors count, since the same code covers them. */
export function refineNotFound(message: string): Refined | undefined {
  const plain = readPlain(message);
  if (plain !== undefined) return plain;
  const first = message.charCodeAt(0) | 32;
  const match = (first === U || first === N || first === I ? UNKNOWN_FIRST : THING_FIRST).exec(message);
  if (match !== null) {
    const type = (match[1] as string).toLowerCase().replace(' ', '_');
    const id = trimmed(match[2] ?? match[3] ?? '');
    return { kind: 'not_found', subject: id === '' ? { type } : { type, id } };
  }
  if (!/\bcursor\b/i.test(message)) return undefined;
  return { kind: /expired/i.test(message) ? 'expired' : 'invalid_arguments', subject: { type: 'cursor' } };
}

/** Without the punctuation that ends a sentence or closes a quotation. */
function trimmed(id: string): string {
  let end = id.length;
  while (end > 0 && PUNCTUATION.includes(id.charAt(end - 1))) end -= 1;
  return end === id.length ? id : id.slice(0, end);
}

const PUNCTUATION = '"\'`.,;';

const PLAIN_END = ' not found';
const THINGS: ReadonlySet<string> = new Set(['tool', 'prompt', 'resource', 'task', 'session', 'completion']);

/** "Tool x not found", the SDK's own sentence and the most common of all, without an expression. */
function readPlain(message: string): Refined | undefined {
  const end = message.length - PLAIN_END.length;
  const space = message.indexOf(' ');
  if (space < 0 || space >= end || !message.endsWith(PLAIN_END) || message.indexOf(' ', space + 1) !== end)
    return undefined;
  const type = message.slice(0, space).toLowerCase();
  const id = unquoted(message.slice(space + 1, end));
  return THINGS.has(type) && id !== '' ? { kind: 'not_found', subject: { type, id } } : undefined;
}

function unquoted(id: string): string {
  const quoted = id.length > 2 && PUNCTUATION.includes(id.charAt(0));
  return trimmed(quoted ? id.slice(1) : id);
}

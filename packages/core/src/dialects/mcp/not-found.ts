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

/** What a sentence says does not exist; bad and expired cursors count, since the same code covers them. */
export function refineNotFound(message: string): Refined | undefined {
  // The first letter tells which of them it may be.
  const form = 'UuNnIi'.includes(message.charAt(0) || ' ') ? UNKNOWN_FIRST : THING_FIRST;
  const match = form.exec(message);
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
  return id.slice(0, end);
}

const PUNCTUATION = '"\'`.,;';

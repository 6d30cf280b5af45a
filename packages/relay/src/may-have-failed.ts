/**
 * The cheap question that decides whether an answer is opened at all. It may say yes to a success (then the
 * answer is parsed once and passed on as it came); it never says no to a failure.
 */
import { DIALECTS, failureMarks } from '@mayday/core/dialects';
import { TOOL_FAILURE_KEY } from '@mayday/core/protocol';

const IS_ERROR: Buffer = Buffer.from('"isError"');
const OTHERS: readonly Buffer[] = failureMarks(DIALECTS)
  .map((mark) => Buffer.from(mark))
  .filter((mark) => !mark.equals(IS_ERROR));

/** Could these bytes hold a failing answer? */
export function mayHaveFailed(bytes: Buffer): boolean {
  return saysIsError(bytes) || OTHERS.some((mark) => bytes.includes(mark));
}

/** Servers that write `"isError":false` into every success are common: that one is answered here. */
function saysIsError(bytes: Buffer): boolean {
  for (let at = bytes.indexOf(IS_ERROR); at >= 0; at = bytes.indexOf(IS_ERROR, at + IS_ERROR.length)) {
    let next = at + IS_ERROR.length;
    while (bytes[next] === 0x3a || bytes[next] === 0x20) next++;
    if (bytes[next] !== 0x66) return true;
  }
  return false;
}

/**
 * Is this parsed message a failing answer? `input_required` is not: it is the protocol asking a question, and
 * whoever rewrites it breaks the conversation.
 */
export function hasFailed(message: unknown): boolean {
  if (!isObject(message)) return false;
  if (isObject(message['error'])) return true;
  const result = message['result'];
  if (!isObject(result)) return false;
  if (result['isError'] === true) return true;
  const inner = result['error'];
  if (isObject(inner) && typeof inner['code'] === 'number') return true;
  const meta = result['_meta'];
  return isObject(meta) && meta[TOOL_FAILURE_KEY] !== undefined;
}

function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

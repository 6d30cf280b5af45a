/** Lists that everybody reads alike. What is no such list may show what it should not, and is shown to nobody. */
import type { FaultInit } from '@mayday/core';
import type { Failed } from '@mayday/policy';
import {
  decode,
  encode,
  idOf,
  isMembers,
  type Members,
  peek,
  type Said,
  skipSpace,
  valuesOf,
  type Wire,
} from '@mayday/relay';

/**
 * Can whoever reads this message only read the same under `keys`? Members that are there twice, and lists that are none,
 * hide something. What is no answer holds no list.
 */
export function isSound(message: Buffer, keys: readonly string[]): boolean {
  const said = decode(message);
  if (!isMembers(said)) return !Array.isArray(said);
  const [range, another] = valuesOf(message, skipSpace(message, 0), 'result');
  if (range === undefined) return true;
  const { result } = said;
  if (another !== undefined || !isMembers(result)) return false;
  return keys.every(
    (key) =>
      (result[key] === undefined || Array.isArray(result[key])) &&
      valuesOf(message, range.start, key).length <= 1,
  );
}

/** In place of an unsound answer that arrives outside of its call, where nobody can say more about it. */
export function failingInstead(message: Buffer): Buffer {
  const id = idOf(message, peek(message)) ?? null;
  return encode({ jsonrpc: '2.0', id, error: { code: -32603, message: String(NO_LIST.message) } });
}

/**
 * What came in place of a list may hold one, which nobody has looked through: then only what is understood of it is told,
 * with the code, the words, the status and the headers that it came with.
 */
export function withoutList(failed: Failed<Wire>): Failed<Wire> {
  const { value } = failed;
  if (value === undefined || value.type === 'answer') return failed;
  const bytes = bytesOf(value) ?? NOTHING;
  return mayHoldList(bytes) ? { ...failed, value: withErrorAlone(value, errorAlone(bytes)) } : failed;
}

/** Is there a result in it? */
export function hasResult(said: Members): boolean {
  return Object.hasOwn(said, 'result');
}

const NOTHING: Buffer = Buffer.alloc(0);

/** JSON that may hold one, be it cut off. */
function mayHoldList(bytes: Buffer): boolean {
  const said = decode(bytes);
  if (said === undefined) return beginsLikeOne(bytes);
  return isMembers(said) ? hasResult(said) : Array.isArray(said);
}

/** What cannot be read and begins like a structure may hold anything. */
export function beginsLikeOne(bytes: Buffer): boolean {
  return /^\s*[{[]/.test(bytes.toString('latin1', 0, 100));
}

/** The bytes that failed, where they are known. */
export function bytesOf(value: Said): Buffer | undefined {
  if (value.type === 'nothing') return value.original;
  return value.type === 'message' ? value.bytes : value.body;
}

/**
 * What was said, with this message in its place, or none. Under which status something was said, and with which headers, is what
 * clients sign in by, wait, and open new sessions.
 */
export function withErrorAlone(value: Said, message: Members | undefined): Said {
  if (value.type === 'nothing') return { ...value, original: undefined };
  if (value.type === 'http') return { ...value, body: message === undefined ? NOTHING : encode(message) };
  return message === undefined ? { type: 'nothing' } : { ...value, message, bytes: encode(message) };
}

/** The error of a message, without its data. */
export function errorAlone(bytes: Buffer): Members | undefined {
  const said = decode(bytes);
  if (!isMembers(said) || !isMembers(said['error'])) return undefined;
  const { jsonrpc, id, error } = said;
  return { jsonrpc, id, error: { code: error['code'], message: error['message'] } };
}

/** What is told in place of an answer that nobody can make anything of. */
export function unreadable(who: string, what: string): FaultInit {
  return {
    kind: 'invalid_output',
    origin: 'server',
    executed: 'no',
    message: `${who} answered ${what} in a form that MCP does not have`,
  };
}

/** In place of a list. */
export const NO_LIST: FaultInit = unreadable('The server', 'with a list');

/** Lists that everybody reads alike. What is no such list may show what it should not, and is shown to nobody. */
import type { FaultInit } from '@mayday/core';
import type { Failed } from '@mayday/policy';
import { decode, encode, idOf, isMembers, peek, skipSpace, valuesOf, type Wire } from '@mayday/relay';

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

/** What came in place of a list may hold one, which nobody has looked through: then only what is understood of it is told. */
export function withoutList(failed: Failed<Wire>): Failed<Wire> {
  const { value } = failed;
  if (value === undefined || value.type === 'answer') return failed;
  const bytes =
    value.type === 'message' ? value.bytes : value.type === 'http' ? value.body : (value.original ?? NOTHING);
  return mayHoldList(bytes) ? { ...failed, value: { type: 'nothing' } } : failed;
}

const NOTHING: Buffer = Buffer.alloc(0);

/** JSON that is no error alone, be it cut off. */
function mayHoldList(bytes: Buffer): boolean {
  const said = decode(bytes);
  if (said === undefined) return /^\s*[{[]/.test(bytes.toString('latin1', 0, 100));
  return isMembers(said) ? Object.hasOwn(said, 'result') : Array.isArray(said);
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

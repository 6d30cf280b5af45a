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
import { isCodeOfNegotiation } from './negotiation.ts';

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
export function withoutList(
  failed: Failed<Wire>,
  mayHold: (said: Members) => boolean = hasResult,
): Failed<Wire> {
  const { value } = failed;
  if (value === undefined || value.type === 'answer') return failed;
  const bytes =
    value.type === 'message' ? value.bytes : value.type === 'http' ? value.body : (value.original ?? NOTHING);
  return mayHoldList(bytes, mayHold) ? { ...failed, value: withErrorAlone(value, bytes) } : failed;
}

/**
 * The same for whoever may not see all that is listed: of an error nothing is left that has a list in it anywhere. What the
 * two sides agree on a revision by is none of these, and has to arrive.
 */
export function withoutItems(failed: Failed<Wire>): Failed<Wire> {
  return withoutList(failed, (said) => hasResult(said) || (!isAgreed(said) && hasItems(said)));
}

function hasResult(said: Members): boolean {
  return Object.hasOwn(said, 'result');
}

function isAgreed({ error }: Members): boolean {
  return isMembers(error) && typeof error['code'] === 'number' && isCodeOfNegotiation(error['code']);
}

const LISTED: ReadonlySet<string> = new Set(['tools', 'prompts', 'resources', 'resourceTemplates']);

/** Is there a list in it, however deep, or something in the place of one? */
function hasItems(said: Members): boolean {
  const left: unknown[] = [said];
  while (left.length > 0) {
    const at = left.pop();
    if (Array.isArray(at) && at.length > 0) return true;
    if (!isMembers(at)) continue;
    for (const [key, member] of Object.entries(at)) {
      if (LISTED.has(key)) return true;
      left.push(member);
    }
  }
  return false;
}

const NOTHING: Buffer = Buffer.alloc(0);

/** JSON that may hold one, be it cut off. */
function mayHoldList(bytes: Buffer, mayHold: (said: Members) => boolean): boolean {
  const said = decode(bytes);
  if (said === undefined) return /^\s*[{[]/.test(bytes.toString('latin1', 0, 100));
  return isMembers(said) ? mayHold(said) : Array.isArray(said);
}

/** Under which status something was said, and with which headers, is what clients sign in by, wait, and open new sessions. */
function withErrorAlone(value: Said, bytes: Buffer): Said {
  if (value.type === 'nothing') return { ...value, original: undefined };
  const message = errorAlone(bytes);
  if (value.type === 'http') return { ...value, body: message === undefined ? NOTHING : encode(message) };
  return message === undefined ? { type: 'nothing' } : { ...value, message, bytes: encode(message) };
}

/** The error of a message, without its data. */
function errorAlone(bytes: Buffer): Members | undefined {
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

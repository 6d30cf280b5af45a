/** Answers to those who are told by their id which request was meant. */
import { decode, encode, idOf, isMembers, peek } from '@mayday/relay';

/** The same message under this id. */
export function underId(said: Buffer, id: string | number): Buffer {
  const message = decode(said);
  return isMembers(message) ? encode({ ...message, id }) : said;
}

/** Whoever refuses a request at the door has not read which one it is; over HTTP its answer shows that. */
export function underItsId(said: Buffer, id: string | number): Buffer {
  return idOf(said, peek(said)) === undefined ? underId(said, id) : said;
}

/** Over HTTP a connection is cut where an answer cannot be given; here, the request would wait for ever. */
export function noAnswer(id: string | number): Buffer {
  const message = 'The gateway lost the answer; it may have happened. Check before you repeat a change.';
  return encode({ jsonrpc: '2.0', id, error: { code: -32603, message } });
}

/** Is this what was asked for, and no failure? */
export function hasResult(said: Buffer): boolean {
  const message = decode(said);
  return isMembers(message) && message['result'] !== undefined;
}

/** What a server says before its answer. */
export function isAside(said: Buffer): boolean {
  const { kind } = peek(said);
  return kind === 'request' || kind === 'notification';
}

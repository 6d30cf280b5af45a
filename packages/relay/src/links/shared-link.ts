/** What nobody does over a link that many share: it has no conversation that one of them could open, steer or end. */
import type { FaultInit } from '@mayday/core';
import { idBytes, withId } from '../framing/ids.ts';
import { encode } from '../framing/json.ts';
import { type Peek, peek } from '../framing/peek.ts';

/** A link that many share is not opened by one of them. */
export const NOT_OPENED_BY_ONE: FaultInit = {
  kind: 'unsupported',
  origin: 'gateway',
  executed: 'no',
  subject: { type: 'method', id: 'initialize' },
  message: 'There is no conversation to initialize here',
};

const CONVERSATIONAL: ReadonlySet<string> = new Set([
  'notifications/initialized',
  'notifications/progress',
  'notifications/roots/list_changed',
]);

/** Does this only mean something between two? Answers do: on a link that many share no server gets to ask. */
export function isConversational({ kind, method }: Peek): boolean {
  return kind === 'response' || CONVERSATIONAL.has(method);
}

const PONG: Buffer = encode({ jsonrpc: '2.0', result: {} });
const NOBODY: Buffer = encode({
  jsonrpc: '2.0',
  error: { code: -32601, message: 'Nobody here can answer requests of the server' },
});

/** What a server is answered that asks there all the same: it is there, and that is all. */
export function answerOfNobody(question: Buffer): Buffer {
  const seen = peek(question);
  const answer = seen.method === 'ping' ? PONG : NOBODY;
  return withId(answer, peek(answer), idBytes(question, seen));
}

/** What nobody does over a link that many share: it has no conversation that one of them could open, steer or end. */
import type { FaultInit } from '@mayday/core';
import type { Peek } from '../framing/peek.ts';

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

/** The text for the model, as this side writes it. */
import { type Fault, KINDS } from '@mayday/core';
import { forModel } from '@mayday/core/render';

/** What happened, what to do next, and the reference into the server's log where the server kept its words back. */
export function textFor(fault: Fault): string {
  const text = forModel(fault);
  const { correlationId, kind, message } = fault;
  // A kind's bare title is all that a server says of what only its operator can act on.
  if (correlationId === undefined || message !== KINDS[kind].title || !REFERENCE.test(correlationId))
    return text;
  return `${text} Reference: ${correlationId}.`;
}

/** What can be said to somebody on the telephone, and nothing else: it is the server's text, whatever it calls it. */
const REFERENCE = /^[\w-]{1,64}$/;

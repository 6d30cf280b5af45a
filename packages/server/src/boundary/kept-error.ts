/** Errors that a client has to act on as they are: code and structure stay, their texts are redacted. */
import type { Dialect, Fault } from '@mayday/core';
import type { JsonRpcWire } from '@mayday/core/dialects';
import { formOf, negotiated } from '@mayday/core/forms';
import { type RedactOptions, redact } from '@mayday/core/redact';
import type { Message } from '../shapes.ts';
import { safeAddress } from './questions.ts';

type Elicitation = { readonly url?: unknown; readonly elicitationId?: unknown };

/** The same error without secrets. The address that the user is to open stays one that can be opened. */
export function keptError(message: Message, redaction?: RedactOptions): Message {
  const { error } = message;
  if (error === undefined) return message;
  const safe = redact({ message: error.message, data: error.data }, redaction).value;
  const data = withAddresses(safe.data, error.data);
  return { ...message, error: data === undefined ? { ...error, ...safe } : { ...error, ...safe, data } };
}

/** The same as the dialect's document has it, where it has a form of its own. */
export function keptErrorIn(
  dialect: Dialect,
  message: Message,
  { kind }: Fault,
  redaction?: RedactOptions,
): Message {
  const safe = keptError(message, redaction);
  if (safe.error === undefined || formOf(dialect) === undefined) return safe;
  // v1 writes the code into the message; a document has it in its place.
  const error = { ...safe.error, message: safe.error.message.replace(/^(?:MCP error -?\d+: )+/, '') };
  return { ...safe, error: negotiated(error as NonNullable<JsonRpcWire['error']>, kind, dialect) };
}

function withAddresses(safe: unknown, original: unknown): unknown {
  const given = (original as { elicitations?: unknown } | undefined)?.elicitations;
  const kept = (safe as { elicitations?: unknown } | undefined)?.elicitations;
  if (!Array.isArray(given) || !Array.isArray(kept)) return safe;
  const elicitations = kept.map((item: Elicitation, at) => {
    const { url, elicitationId } = given[at] as Elicitation;
    return { ...item, url: typeof url === 'string' ? safeAddress(url) : url, elicitationId };
  });
  return { ...(safe as object), elicitations };
}

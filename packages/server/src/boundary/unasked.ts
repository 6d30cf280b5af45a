/** Answers to lines that are no messages, where no guarded server is there to give them. */
import type { DialectId, Language } from '@mayday/core';
import type { JsonRpcWire } from '@mayday/core/dialects';
import { inForm } from '@mayday/core/forms';
import { redactFault } from '@mayday/core/redact';
import type { BadLine } from '../messages.ts';
import type { ErrorObject, Message } from '../shapes.ts';

const INVALID_REQUEST = -32600;

/** The answer to a malformed line, in a dialect of a language. */
export function badLineAnswer(
  bad: BadLine,
  to: DialectId,
  language: Language,
  now: number = Date.now(),
): Message {
  const fault = redactFault(bad.thrown.fault);
  const dialect = language.dialect(to);
  const { wire } = language.write(fault, to, { id: bad.id, method: 'ping', now, redact: false });
  const said: JsonRpcWire = 'http' in wire ? { jsonrpc: '2.0' } : wire;
  // What a dialect has said already stays as it was said.
  const ours = fault.native === undefined;
  const context = { method: '', ours, ofRequest: true, masked: false, retryableSaid: false, now };
  const message = inForm(said, fault, dialect, language, context) as Message;
  if (message.error !== undefined) return message;
  const error: ErrorObject = { code: bad.code ?? INVALID_REQUEST, message: fault.message };
  return { jsonrpc: '2.0', error };
}

/** Answers to lines that are no messages, where no guarded server is there to give them. */
import { type DialectId, write } from '@mayday/core';
import { redactFault } from '@mayday/core/redact';
import type { ErrorObject, Message } from '../shapes.ts';
import type { BadLine } from '../stdio-lines.ts';
import { idForNobody, inForm } from './forms.ts';

const INVALID_REQUEST = -32600;

/** The answer to a malformed line, in a dialect. */
export function badLineAnswer(bad: BadLine, dialect: DialectId, now: number = Date.now()): Message {
  const fault = redactFault(bad.thrown.fault);
  const id = bad.id ?? idForNobody(dialect);
  const options = { method: 'ping', now, redact: false } as const;
  const { wire } = write(fault, dialect, id === undefined ? options : { ...options, id });
  const said = 'http' in wire ? ({ jsonrpc: '2.0' } as Message) : (wire as Message);
  const context = { method: '', ours: true, ofRequest: true, masked: false, retryableSaid: false, now };
  const message = inForm(said, fault, dialect, context);
  if (message.error !== undefined) return message;
  const error: ErrorObject = { code: bad.code ?? INVALID_REQUEST, message: fault.message };
  return { jsonrpc: '2.0', error };
}

/** The SDK's own wire errors, thrown by authors who speak to the client on purpose. */
import type { Dialect, Fault } from '@mayday/core';
import { look } from '@mayday/core/dialects';
import { formOf } from '@mayday/core/forms';
import type { Settings } from '../options.ts';
import { wireErrorClass } from './handed-on.ts';

/** The retired code by which 2025-era servers ask for input at a URL; the client must get it as it is. */
export const URL_ELICITATION = -32042;

/** What such an error says. */
export interface SpokenError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/**
 * Its sentence, code and data, which stay. Every other exception with an integer `code` speaks of a database
 * or a socket.
 */
export function spokenError(reason: unknown): SpokenError | undefined {
  try {
    if (!(reason instanceof Error) || wireErrorClass(reason) === undefined) return undefined;
    const { code, data } = reason as Error & { code?: unknown; data?: unknown };
    if (!Number.isSafeInteger(code)) return undefined;
    // v1 writes the code into the message, once for each hop.
    const message = reason.message.replace(/^(?:MCP error -?\d+: )+/, '');
    return data === undefined ? { code: code as number, message } : { code: code as number, message, data };
  } catch {
    return undefined; // a hostile getter is no wire error
  }
}

/**
 * What an author has said in the words of the server's own document: one of its codes under its name, or in its form. A number alone is
 * any system's. In a tool, what its clients call again for is said under its name: with words of its own around it, it may be what another
 * server said of another call, and the work would be done twice.
 */
export function saidInDocument(
  spoken: SpokenError,
  { dialect, language }: Pick<Settings, 'dialect' | 'language'>,
  inTool: boolean,
): Fault | undefined {
  if (formOf(dialect) === undefined || dialect.closed === true || isJsonRpcs(spoken.code)) return undefined;
  const wire = { jsonrpc: '2.0', id: 0, error: spoken };
  const named = isNamed(spoken, dialect);
  if (!named && dialect.recognise(look(wire)) < SURE) return undefined;
  const reading = language.read(wire, { from: dialect.id });
  if (!reading.failure || (inTool && !named && reading.fault.retryable)) return undefined;
  return reading.fault;
}

/** By the document's name for the code; a code that is new in the document brings its name along. */
function isNamed({ code, message, data }: SpokenError, { codes }: Dialect): boolean {
  const { title } = codes.find((row) => row.code === code) ?? (Object(data) as { readonly title?: unknown });
  return typeof title === 'string' && title.toLowerCase() === message.toLowerCase();
}

/** What every server may say, whatever its document. */
function isJsonRpcs(code: number): boolean {
  return code >= -32_700 && code <= -32_600;
}

/** From here on nobody else has said it. */
const SURE = 0.9;

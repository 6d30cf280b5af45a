/** The SDK's own wire errors, thrown by authors who speak to the client on purpose. */
import type { Dialect, Fault, Language } from '@mayday/core';
import { look } from '@mayday/core/dialects';
import { formOf } from '@mayday/core/forms';

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
    if (!(reason instanceof Error) || !isWireErrorClass(reason)) return undefined;
    const { code, data } = reason as Error & { code?: unknown; data?: unknown };
    if (!Number.isSafeInteger(code)) return undefined;
    // v1 writes the code into the message, once for each hop.
    const message = reason.message.replace(/^(?:MCP error -?\d+: )+/, '');
    return data === undefined ? { code: code as number, message } : { code: code as number, message, data };
  } catch {
    return undefined; // a hostile getter is no wire error
  }
}

function isWireErrorClass(reason: Error): boolean {
  for (let proto = Object.getPrototypeOf(reason); proto !== null; proto = Object.getPrototypeOf(proto)) {
    const name = proto.constructor?.name;
    if (name === 'ProtocolError' || name === 'McpError') return true;
  }
  return false;
}

/**
 * What an author has said in the words of the server's own document: one of its codes under its name, or in its form. A number alone is
 * any system's.
 */
export function saidInDocument(spoken: SpokenError, dialect: Dialect, language: Language): Fault | undefined {
  if (formOf(dialect) === undefined || dialect.closed === true || isJsonRpcs(spoken.code)) return undefined;
  const row = dialect.codes.find(({ code }) => code === spoken.code);
  const isNamed = row?.title.toLowerCase() === spoken.message.toLowerCase();
  const wire = { jsonrpc: '2.0', id: 0, error: spoken };
  if (!isNamed && dialect.recognise(look(wire)) < SURE) return undefined;
  const reading = language.read(wire, { from: dialect.id });
  return reading.failure ? reading.fault : undefined;
}

/** What every server may say, whatever its document. */
function isJsonRpcs(code: number): boolean {
  return code >= -32_700 && code <= -32_600;
}

/** From here on nobody else has said it. */
const SURE = 0.9;

/** Where the SDKs make an error of what a peer has answered. */
const OF_A_PEER = /^\s*at .*@modelcontextprotocol[\\/](?:client|sdk|server)[\\/]/;

/** What v1 puts in front of the message of every error that is made, and what comes of making it twice. */
const MADE_ANEW = { McpError: /^(?:MCP error -?\d+: ){2}/, ProtocolError: /^MCP error -?\d+: / };

/** How far back an error tells where it came from. */
const MOST_CAUSES = 5;

/**
 * Was it made of another server's answer? Then its words are not the author's, who only called that server: thrown on as
 * it came, made anew of its number and words, or named as the cause.
 */
export function isHandedOn(reason: unknown, causes: number = MOST_CAUSES): boolean {
  try {
    if (!(reason instanceof Error)) return false;
    const first = reason.stack?.split('\n').find((line) => /^\s*at /.test(line));
    if (first !== undefined && OF_A_PEER.test(first)) return true;
    const isV1 = reason.constructor.name === 'McpError';
    if (MADE_ANEW[isV1 ? 'McpError' : 'ProtocolError'].test(reason.message)) return true;
    return causes > 0 && reason.cause !== undefined && isHandedOn(reason.cause, causes - 1);
  } catch {
    return false;
  }
}

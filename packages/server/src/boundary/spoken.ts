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
  return classesOf(reason).some((name) => name === 'ProtocolError' || name === 'McpError');
}

/** The names of its class, and of those that it extends. */
function classesOf(reason: Error): readonly unknown[] {
  const names: unknown[] = [];
  for (let proto = Object.getPrototypeOf(reason); proto !== null; proto = Object.getPrototypeOf(proto))
    names.push(proto.constructor?.name);
  return names;
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

/** What v1 puts in front of the message of every error that it makes: once of its own accord. */
const OWN_NUMBER = /^MCP error -?\d+: /;
/** The same anywhere else: the error that it was made of was another one. */
const ANOTHERS_NUMBER = /\bMCP error -?\d+: /;

/**
 * Was it made of another server's answer? Then its words are not the author's, who only called that server: thrown on as
 * it came, made anew of its number and words, or carried by what was thrown.
 */
export function isHandedOn(reason: unknown): boolean {
  for (const error of carriedBy(reason)) if (isOfPeer(error)) return true;
  return false;
}

function isOfPeer(error: Error): boolean {
  try {
    const first = error.stack?.split('\n').find((line) => /^\s*at /.test(line));
    if (first !== undefined && OF_A_PEER.test(first)) return true;
    const isV1 = classesOf(error).includes('McpError');
    return ANOTHERS_NUMBER.test(isV1 ? error.message.replace(OWN_NUMBER, '') : error.message);
  } catch {
    return false;
  }
}

/** How much of what an error carries is looked at. */
const MOST_CARRIED = 200;

/** The error, and all that it carries: as its cause, among several, in its data, or under a name of the author's. */
function* carriedBy(reason: unknown): Generator<Error> {
  const found = new Set<unknown>([reason]);
  // What is found on the way is looked at as well.
  for (const value of found) {
    if (typeof value !== 'object' || value === null) continue;
    if (value instanceof Error) yield value;
    for (const member of membersOf(value)) if (found.size < MOST_CARRIED) found.add(member);
  }
}

/** What it holds itself; nothing is asked for that would have to be worked out first. */
function membersOf(holder: object): readonly unknown[] {
  try {
    const names = Reflect.ownKeys(holder).slice(0, MOST_CARRIED);
    return names
      .map((name): unknown => Reflect.getOwnPropertyDescriptor(holder, name)?.value)
      .filter((value) => typeof value === 'object' && value !== null);
  } catch {
    return []; // a hostile proxy
  }
}

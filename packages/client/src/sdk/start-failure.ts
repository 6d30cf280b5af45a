/** What keeps a connection from being made, and no agent can mend: a server's program, or the client's own options. */
import { type Fault, FaultError, type FaultInit, makeFault } from '@mayday/core';
import { bounded } from '@mayday/policy';
import { isObject } from '../http/reply.ts';
import { isMisuse } from './misuse.ts';

/** What the system says of a program that it cannot start. */
const WORDS: { readonly [code: string]: string } = {
  ENOENT: 'was not found',
  ENOTDIR: 'was not found',
  EACCES: 'may not be executed',
  EPERM: 'may not be executed',
};

const ADVICE = 'Check the command and the working directory of the server; tell the user, do not retry.';

/** A server whose program could not be started; `undefined` for everything else. */
export function unstartedIn(thrown: unknown): Fault | undefined {
  const error = isObject(thrown) && !isSpawn(thrown) ? thrown['cause'] : thrown;
  if (!isSpawn(error)) return undefined;
  const { code, path, syscall } = error;
  const words = Object.hasOwn(WORDS, String(code)) ? WORDS[String(code)] : undefined;
  if (words === undefined) return undefined;
  const command = typeof path === 'string' ? path : syscall.replace(/^spawn(?:Sync)? ?/, '');
  const message = `The server cannot be started: the command ${command.slice(0, 200)} ${words} (${code})`;
  return unmendable({ message, advice: ADVICE });
}

/** A server without TLS that was asked with it; `undefined` for everything else. */
export function plainIn(thrown: unknown): Fault | undefined {
  const code = causeOf(thrown);
  if (!PLAIN.test(code)) return undefined;
  const message = `The server does not speak TLS (${code}); its address may have to begin with http://`;
  // Where a connection was made before, something may have been sent on it.
  return { ...unmendable({ message, advice: ADDRESS }), executed: 'maybe' };
}

/** What was met when a connection was to be opened: many servers that speak TLS alone end one without it, saying nothing. */
export function unopenedIn(thrown: unknown, fault: Fault): Fault {
  const isEnded = fault.kind === 'disconnected' && ENDED.has(causeOf(thrown));
  // Nothing is asked of a server before it is open.
  return { ...fault, executed: 'no', ...(isEnded && fault.advice === undefined && { advice: MAY_BE_TLS }) };
}

/** What is said of bytes that are no TLS at all. */
const PLAIN = /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|UNKNOWN_PROTOCOL/;
const ENDED: ReadonlySet<string> = new Set(['UND_ERR_SOCKET', 'ECONNRESET']);
const ADDRESS = 'The address of the server is wrong; tell the user, do not retry.';
const MAY_BE_TLS =
  'Check that an MCP server listens there; if it speaks TLS, its address has to begin with https://.';

/** `fetch` says why it failed in its cause. */
function causeOf(thrown: unknown): string {
  const cause = isObject(thrown) ? thrown['cause'] : undefined;
  return isObject(cause) && typeof cause['code'] === 'string' ? cause['code'] : '';
}

/** A mistake of whoever set the client up; `undefined` for everything else. */
export function mistakenIn(thrown: unknown): Fault | undefined {
  if (!isMisuse(thrown)) return undefined;
  const { message } = thrown as TypeError;
  return bounded(unmendable({ message, advice: SET_UP }));
}

/** What no transport could be made of: with what was thrown for whoever wrote the function, and for nobody else. */
export function unmade(cause: unknown): FaultError {
  const message = 'Not connected: the `transport` function of the client threw an error';
  return new FaultError(unmendable({ message, advice: SET_UP }), { cause });
}

const SET_UP = 'The client is set up wrongly; tell the user, do not retry.';

function unmendable(said: Pick<FaultInit, 'message' | 'advice'>): Fault {
  return makeFault({ kind: 'misconfigured', origin: 'local', executed: 'no', ...said });
}

interface SpawnError {
  readonly code?: unknown;
  readonly path?: unknown;
  readonly syscall: string;
}

function isSpawn(error: unknown): error is SpawnError {
  return isObject(error) && typeof error['syscall'] === 'string' && error['syscall'].startsWith('spawn');
}

/** Names that the protocol and we ourselves put on the wire: revisions, and the keys of `_meta`. */

/** The revisions whose errors differ. */
export type Revision = '2025-11-25' | '2026-07-28';

/** The stateless revision, the newest that is final. */
export const STATELESS_REVISION = '2026-07-28';

/** The last revision with sessions and `initialize`. */
export const SESSION_REVISION = '2025-11-25';

/** Every revision that was ever final, newest first. */
export const REVISIONS: readonly string[] = [
  STATELESS_REVISION,
  SESSION_REVISION,
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
];

/** The revisions that the SDKs agree on in a handshake, newest first. */
export const HANDSHAKES: readonly string[] = /* @__PURE__ */ REVISIONS.slice(1).concat('2024-10-07');

/**
 * Is this a revision that no handshake agrees on? One that is later than we know may be offered: later clients know
 * earlier revisions.
 */
export function isUnserved(asked: unknown): asked is string {
  if (typeof asked !== 'string' || HANDSHAKES.includes(asked)) return false;
  return !(/^\d{4}-\d\d-\d\d$/.test(asked) && asked > SESSION_REVISION);
}

/** Where a tool result carries the fault document. */
export const FAULT_KEY = 'dev.mayday/fault';

/** Where a tool result carries a problem document, for callers that asked for one. */
export const PROBLEM_KEY = 'dev.mayday/problem';

/** Until when the caller waits: Unix time in milliseconds. */
export const DEADLINE_KEY = 'dev.mayday/deadline';

/** Which attempt this is: 1 for the first. */
export const ATTEMPT_KEY = 'dev.mayday/attempt';

/** Which call it is an attempt of, by a random name: attempts of another call under the same key are counted anew. */
export const CALL_KEY = 'dev.mayday/call';

/** By which a server recognises a repeated call. */
export const IDEMPOTENCY_KEY = 'dev.mayday/idempotency-key';

/**
 * Of a call with such a key: an earlier one under it may have been executed (`maybe`), or was (`yes`); or none was (`no`), by
 * the word of whoever made the key and knows of all of them.
 */
export const EXECUTED_KEY = 'dev.mayday/executed';

/** In which dialect the caller wants its failures. */
export const DIALECT_KEY = 'dev.mayday/dialect';

/** Which of several servers behind one list could not be asked. */
export const UNAVAILABLE_KEY = 'dev.mayday/unavailable';

/** What an answer was too large to hold: members of a result, or the servers whose part of a list was cut. */
export const LEFT_OUT_KEY = 'dev.mayday/left-out';

/**
 * Where an answer without a fault document carries what it has no other place for: what a server said beyond it, and that it
 * may have happened.
 */
export const ERROR_KEY = 'dev.mayday/error';

/** What an HTTP API said in its headers beside a result: how much there is, and how often it may still be asked. */
export const HTTP_KEY = 'dev.mayday/http';

/** The revision of a request. */
export const PROTOCOL_VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';

/** What the client of a request can do. */
export const CLIENT_CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';

/** Who the client of a request says it is. */
export const CLIENT_INFO_KEY = 'io.modelcontextprotocol/clientInfo';

/** Who the server of a result says it is. */
export const SERVER_INFO_KEY = 'io.modelcontextprotocol/serverInfo';

/** From which level on a request wants to hear log messages. */
export const LOG_LEVEL_KEY = 'io.modelcontextprotocol/logLevel';

/** To which subscription a notification belongs. */
export const SUBSCRIPTION_KEY = 'io.modelcontextprotocol/subscriptionId';

/** To which task a message belongs. */
export const RELATED_TASK_KEY = 'io.modelcontextprotocol/related-task';

/** Where the draft extension puts the classification of a tool failure. */
export const TOOL_FAILURE_KEY = 'io.modelcontextprotocol/toolFailure';

/**
 * Is a message of a server with this method about the connection, or about what is offered there, and not about any work? A new
 * resource may be what the work has made, and whoever takes a question back has asked one.
 */
export function isAboutConnection(method: string): boolean {
  return /^(?:ping|notifications\/(?:initialized|(?:tools|prompts|roots)\/list_changed|subscriptions\/\w+))$/.test(
    method,
  );
}

/** What a server of 2025-11-25 declares before a method may be asked of it. */
const CAPABILITIES: { readonly [method: string]: string } = {
  'completion/complete': 'completions',
  'logging/setLevel': 'logging',
  'prompts/get': 'prompts',
  'prompts/list': 'prompts',
  'resources/list': 'resources',
  'resources/read': 'resources',
  'resources/subscribe': 'resources.subscribe',
  'resources/templates/list': 'resources',
  'resources/unsubscribe': 'resources.subscribe',
  'tasks/cancel': 'tasks.cancel',
  'tasks/get': 'tasks',
  'tasks/list': 'tasks.list',
  'tasks/result': 'tasks',
  'tools/call': 'tools',
  'tools/list': 'tools',
};

/**
 * The capability that nobody declared, where a method is answered with -32601. Undefined for methods that stand on none,
 * and in 2026-07-28, where a status hangs on that code.
 */
export function undeclaredFor(method: string, revision: Revision): string | undefined {
  return revision === SESSION_REVISION && Object.hasOwn(CAPABILITIES, method)
    ? CAPABILITIES[method]
    : undefined;
}

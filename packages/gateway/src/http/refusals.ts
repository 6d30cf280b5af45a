/** What the gateway says to requests that never reach an upstream. */
import { type Dialect, type Fault, type FaultInit, type Language, makeFault } from '@mayday/core';
import type { HttpWire, JsonRpcWire } from '@mayday/core/dialects';
import { redactFault } from '@mayday/core/redact';
import { adviceFor, cautioned } from '@mayday/core/render';
import {
  encode,
  idOf,
  peek,
  type Reply,
  type ReplyHeaders,
  type TurnedAway,
  type Unread,
  type UnreadAnswer,
} from '@mayday/relay';
import { besideIt, hasDocument } from '../call/in-document.ts';
import { say } from '../call/say.ts';
import { underStatus } from '../call/status-for.ts';
import { nearest } from '../nearest.ts';
import { isAlike } from '../shape/meant.ts';
import type { StrangersCall } from './strangers.ts';

/** A fault and the status it goes out with. */
export interface DoorFault {
  readonly status: number;
  readonly fault: FaultInit;
  readonly headers?: ReplyHeaders | undefined;
  /** Of the request, where somebody has read it. */
  readonly id?: string | number | undefined;
}

/** The same, said to a request that was read. */
export function answering(body: Buffer, fault: DoorFault): DoorFault {
  const seen = peek(body);
  return seen.kind === 'request' ? { ...fault, id: idOf(body, seen) } : fault;
}

const OURS = { origin: 'gateway', executed: 'no' } as const;

/** What is said to those who are turned away before anybody looks where they want to go. */
const TURNED_AWAY: { readonly [reason in Exclude<TurnedAway, 'too_large'>]: DoorFault } = {
  host: {
    status: 403,
    fault: {
      ...OURS,
      kind: 'forbidden',
      subject: { type: 'header', id: 'Host' },
      message: 'This Host is not served here',
    },
  },
  no_host: {
    status: 400,
    fault: {
      ...OURS,
      kind: 'invalid_request',
      subject: { type: 'header', id: 'Host' },
      message: 'A request names its Host',
    },
  },
  expectation: {
    status: 417,
    fault: {
      ...OURS,
      kind: 'invalid_request',
      subject: { type: 'header', id: 'Expect' },
      message: 'Nothing but 100-continue can be expected here; send the request without Expect',
    },
  },
  two_hosts: {
    status: 400,
    fault: {
      ...OURS,
      kind: 'invalid_request',
      subject: { type: 'header', id: 'Host' },
      message: 'A request names one Host',
    },
  },
  origin: {
    status: 403,
    fault: {
      ...OURS,
      kind: 'forbidden',
      subject: { type: 'header', id: 'Origin' },
      message: 'Pages of this Origin may not call',
    },
  },
  bug: {
    status: 500,
    fault: {
      kind: 'internal',
      origin: 'gateway',
      executed: 'maybe',
      message: 'The gateway itself failed with this request',
    },
  },
};

/** What is said where nobody could read a request. */
const UNREAD: { readonly [reason in Unread]: DoorFault } = {
  malformed: {
    status: 400,
    fault: {
      ...OURS,
      kind: 'invalid_request',
      message: 'What came is no request of HTTP/1.1 that can be read; send one',
    },
  },
  long_headers: {
    status: 431,
    fault: {
      ...OURS,
      kind: 'too_large',
      message: 'The headers are longer than this server reads; send fewer or shorter ones',
    },
  },
  long_extensions: {
    status: 413,
    fault: {
      ...OURS,
      kind: 'too_large',
      message: 'The extensions of chunks are longer than this server reads; send the body without them',
    },
  },
  slow: {
    status: 408,
    fault: {
      ...OURS,
      kind: 'timeout',
      message: 'The request did not come to its end in time; send it whole, and at once',
    },
  },
  tunnel: {
    status: 405,
    fault: {
      ...OURS,
      kind: 'unsupported',
      message: 'This is no proxy, and opens no tunnels; use POST, GET or DELETE with a path of this server',
    },
    headers: { allow: 'POST, GET, DELETE' },
  },
};

/** The answer to what nobody could read, in a dialect. */
export function unread(reason: Unread, { dialect, language, onBug }: Speech): UnreadAnswer {
  const { status, fault, headers } = UNREAD[reason];
  const said = worded(fault, { ...NO_CALL, id: undefined, status, onBug }, dialect, language);
  return {
    status,
    headers: { 'content-type': 'application/json', ...said.headers, ...headers },
    body: said.body,
  };
}

/** Why somebody was turned away by the listener. */
export function turnedAway(reason: TurnedAway, maxBytes: number, said: string | undefined): DoorFault {
  if (reason !== 'too_large') return TURNED_AWAY[reason];
  const message = 'The request is larger than the gateway allows';
  const length = Number(said ?? Number.NaN);
  const details = Number.isSafeInteger(length)
    ? { actual_bytes: length, max_bytes: maxBytes }
    : { max_bytes: maxBytes };
  return { status: 413, fault: { ...OURS, kind: 'too_large', message, details } };
}

/** Who are you? */
export const NO_KEY: DoorFault = {
  status: 401,
  fault: { ...OURS, kind: 'unauthenticated', message: 'A key of this gateway is needed' },
  headers: { 'www-authenticate': 'Bearer' },
};

/** The same where tokens are good too: nobody is told what was wrong with theirs. */
export function noToken(challenge: string): DoorFault {
  return {
    status: 401,
    fault: {
      ...OURS,
      kind: 'unauthenticated',
      message: 'A valid access token or key of this gateway is needed',
    },
    headers: { 'www-authenticate': challenge },
  };
}

/** Tokens that may do this are needed. */
export function tooFewScopes(missing: readonly string[], challenge: string): DoorFault {
  const scopes = `${missing.length === 1 ? 'the scope' : 'the scopes'} ${missing.join(', ')}`;
  return {
    status: 403,
    fault: {
      ...OURS,
      kind: 'forbidden',
      message: `An access token with ${scopes} is needed`,
      details: { required_scopes: missing },
      advice: 'Ask for access with these scopes, then call again.',
    },
    headers: { 'www-authenticate': challenge },
  };
}

/** Nobody can tell now whether a token is good; a good one and a bad one are told the same. */
export const TOKENS_UNKNOWN: DoorFault = {
  status: 503,
  fault: {
    ...OURS,
    kind: 'unavailable',
    message: 'Access tokens cannot be checked now',
    retry: { afterMs: 1000 },
  },
  headers: { 'retry-after': '1' },
};

/** Whose key it is cannot be found out; a good one and a bad one are told the same. */
export const KEYS_UNKNOWN: DoorFault = {
  status: 503,
  fault: {
    ...OURS,
    kind: 'unavailable',
    message: 'Keys cannot be looked up now',
    retry: { afterMs: 1000 },
  },
  headers: { 'retry-after': '1' },
};

/** Others are served. */
export const HOLDS_TOO_MUCH: DoorFault = {
  status: 429,
  fault: {
    ...OURS,
    kind: 'overloaded',
    message: 'Too many requests of this caller wait for their answer; send the next when one has come',
  },
  headers: { 'retry-after': '1' },
};

/** An answer that is cut, for the log: its caller sees that the connection is closed. */
export const READS_TOO_LITTLE: DoorFault = {
  status: 429,
  fault: {
    kind: 'overloaded',
    origin: 'caller',
    executed: 'maybe',
    message: 'More answers wait for this caller than it may hold; the one that has waited longest was cut',
  },
};

/** Not with this key, and nobody is told whether there is such an endpoint. Where else to look is told to those who may look there. */
export function notYours(paths: readonly string[]): DoorFault {
  const message = `This key is not for this endpoint${insteadOf(paths)}`;
  return { status: 403, fault: { ...OURS, kind: 'forbidden', message } };
}

function insteadOf(paths: readonly string[]): string {
  return paths.length === 0 ? '' : `; try ${paths.join(', ')}`;
}

/** Callers have other things to do. */
export const NOT_OPERATOR: DoorFault = {
  status: 403,
  fault: {
    ...OURS,
    kind: 'forbidden',
    message: 'The admin API is for operators, and this key or token is a caller’s',
    advice: 'Use a key with the role operator.',
  },
};

/** The same of what else operators look at. */
export const FOR_OPERATORS: DoorFault = {
  status: 403,
  fault: {
    ...OURS,
    kind: 'forbidden',
    message:
      'This address is for operators, and this key or token is a caller’s; use a key with the role operator',
  },
};

/** Metrics, where there are none: told to those who might read them. */
export const UNMEASURED: DoorFault = {
  status: 404,
  fault: {
    ...OURS,
    kind: 'not_found',
    subject: { type: 'uri' },
    message: 'Metrics are off; set `telemetry.metrics` to `operators` or `anybody` to have them here',
  },
};

/** A message for nobody: what it belongs to is over, or somebody else's. */
export const NO_CONVERSATION: DoorFault = {
  status: 404,
  fault: {
    kind: 'expired',
    origin: 'caller',
    executed: 'no',
    subject: { type: 'session' },
    message: 'The session is unknown or its stream has ended; open a new stream, and initialize again',
  },
};

/** The gateway is about to stop. */
export const CLOSING: DoorFault = {
  status: 503,
  fault: {
    ...OURS,
    kind: 'unavailable',
    message: 'The gateway is about to stop',
    retry: { afterMs: 1000 },
  },
  headers: { connection: 'close', 'retry-after': '1' },
};

/** This worker is about to stop, by itself or with the gateway: whoever connects anew finds another one, or nobody. */
export const LEAVING: DoorFault = {
  ...CLOSING,
  fault: {
    ...CLOSING.fault,
    message: 'The worker of the gateway that has this connection is about to stop; connect again',
  },
};

/** Not with this method. */
export function wrongMethod(allowed: readonly string[]): DoorFault {
  const names = allowed.join(', ');
  return {
    status: 405,
    fault: { ...OURS, kind: 'unsupported', message: `This method is not served here; use ${names}` },
    headers: { allow: names },
  };
}

/** The server behind the gateway says so of a method, and of which it serves. */
export function notByServer(headers: ReplyHeaders): DoorFault {
  const fault = { ...OURS, kind: 'unsupported', message: 'Method not allowed' } as const;
  return { status: 405, fault, headers };
}

/** An operator's question that cannot be understood. */
export function wrongQuery(message: string): DoorFault {
  return { status: 400, fault: { ...OURS, kind: 'invalid_request', message } };
}

/** Nothing is here. Where else to look is told to those who may look there. */
export function notServed(paths: readonly string[], asked = ''): DoorFault {
  const meant = nearest(
    asked,
    paths.filter((path) => isAlike(asked, path)),
  );
  return {
    status: 404,
    fault: {
      ...OURS,
      kind: 'not_found',
      subject: { type: 'uri' },
      message: `Nothing is served here${insteadOf(paths)}`,
      ...(meant === undefined ? {} : { advice: `Did you mean ${meant}?` }),
    },
  };
}

/** The same of what may repeat a call that was made: nobody has looked at its key. */
export function inDoubt(refusal: DoorFault): DoorFault {
  return { ...refusal, fault: cautioned(makeFault({ ...refusal.fault, executed: 'maybe' })) };
}

/** The same to somebody whose request nobody reads to its end. */
export function hangingUp(refusal: DoorFault): DoorFault {
  return { ...refusal, headers: { ...refusal.headers, connection: 'close' } };
}

/** The same, with what to do about it: a person reads it. */
export function advised(refusal: DoorFault): DoorFault {
  const advice = adviceFor(makeFault(refusal.fault));
  return { ...refusal, fault: { ...refusal.fault, advice } };
}

/** How somebody is spoken to. */
interface Speech {
  readonly dialect: Dialect;
  readonly language: Language;
  /** The dialect threw. */
  readonly onBug: (error: unknown) => void;
}

/** Says no in a dialect, under the status that the door has chosen. */
export function refuse(
  reply: Reply,
  { status, fault, headers, id }: DoorFault,
  { dialect, language, onBug }: Speech,
): void {
  const said = worded(fault, { ...NO_CALL, id, status, onBug }, dialect, language);
  reply.json(status, said.body, { ...said.headers, ...headers });
}

/** A fault in a dialect, with the headers that this has of its own. */
function worded(
  fault: FaultInit,
  context: Parameters<typeof say>[3] & { readonly status: number },
  dialect: Dialect,
  language: Language,
): Pick<UnreadAnswer, 'body' | 'headers'> {
  const said = redactFault(makeFault(fault));
  const wire = withWords(say(said, dialect, language, context), said, dialect);
  if (!('http' in wire)) return { body: encode(wire), headers: {} };
  const { body, headers } = underStatus(wire, context.status);
  return { body: encode(body), headers };
}

/** Says no to a call in a result, where the document of the dialect has it there; false where it does not. */
export function refuseCall(
  reply: Reply,
  { fault }: DoorFault,
  { dialect, language, onBug }: Speech,
  call: StrangersCall,
): boolean {
  const said = redactFault(makeFault(fault));
  const wire = say(said, dialect, language, { ...TOOL_CALL, ...call, onBug });
  if ('http' in wire || wire.result === undefined) return false;
  reply.json(200, encode(wire));
  return true;
}

const TOOL_CALL = { method: 'tools/call', ours: true, ofRequest: false, structuredContent: true } as const;

/** A document without words for access says that the request is wrong, which nobody can mend. Ours stand beside it. */
function withWords(wire: JsonRpcWire | HttpWire, fault: Fault, dialect: Dialect): JsonRpcWire | HttpWire {
  const isAboutAccess = fault.kind === 'forbidden' || fault.kind === 'unauthenticated';
  if ('http' in wire || !isAboutAccess || !hasDocument(dialect) || dialect.closed === true) return wire;
  const { kind, message } = fault;
  return JSON.stringify(wire).includes(message) ? wire : besideIt(wire, { kind, message });
}

const NO_CALL = { method: '', placement: 'protocol', ours: true, ofRequest: true } as const;

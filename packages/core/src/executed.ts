/**
 * Did the work happen? The one place that decides it, for every reader.
 *
 * `no` makes a repetition harmless, so it needs evidence from the call's own boundary: a refusal by the
 * protocol layer or the transport, a connection of ours that was never made, or a declaration in a form that
 * defines it. A kind is no evidence: a tool can do step one and fail at step two with any of them. Prose is
 * none either, wherever it stands. The table for people is `docs/executed.md`.
 */
import type { Heard } from './dialects/dialect.ts';
import type { Fault, Subject } from './fault.ts';
import { kindOfStatus } from './http-status.ts';
import { own, ownArray, ownString } from './json.ts';
import { type Executed, isRetryable, KINDS, type Kind } from './kinds.ts';
import { FAULT_KEY, TOOL_FAILURE_KEY } from './protocol.ts';
import { isOwnLimit, isOwnRefusal } from './refusal-words.ts';
import { CAUTION } from './render/caution.ts';
import type { Wire } from './wire/wire.ts';

/** What is known about a failure beside what it says. */
export interface Circumstances {
  /** The work had begun when this was thrown or said; unknown when absent. */
  readonly began: boolean | undefined;
  /** Is the server's own word believed? */
  readonly trusted: boolean;
  /** The dialect was named by the caller. */
  readonly named: boolean;
  /** The dialect was named by the caller, or told by more than a number. */
  readonly recognised: boolean;
  /** What was called; unknown when absent. */
  readonly called: Subject | undefined;
}

/** Whether the work happened, from what was heard and what the wire proves. */
export function executedOf(heard: Heard, wire: Wire, circumstances: Circumstances): Executed {
  const declared = heard.executed === 'no' ? doubtIn(wire) : (heard.executed ?? doubtIn(wire));
  if (declared !== undefined && declared !== 'no') return declared;
  return isProven(heard, wire, circumstances) ? 'no' : withoutEvidence(heard.kind);
}

/** A declaration that it happened, or may have, is believed in any form and beside any other. */
function doubtIn({ error, http, result, body }: Wire): Executed | undefined {
  const holders = [error?.data, http?.said, body];
  for (const name of ['_meta', 'structuredContent', 'error']) holders.push(own(result, name));
  let found: Executed | undefined;
  for (const holder of holders) {
    const said = doubtAt(holder, MAX_DEPTH);
    if (said === 'yes') return said;
    found ??= said;
  }
  return found;
}

/** Where one document holds another. */
const INNER: readonly string[] = [FAULT_KEY, TOOL_FAILURE_KEY, 'error', 'details', 'data', 'cause'];
const MAX_DEPTH = 3;

function doubtAt(document: unknown, depth: number): Executed | undefined {
  if (typeof document !== 'object' || document === null) return undefined;
  const said = own(document, 'executed');
  if (said === 'yes' || said === true) return 'yes';
  let found: Executed | undefined = said === 'maybe' ? 'maybe' : undefined;
  if (depth === 0) return found;
  for (const name of INNER) {
    const inner = doubtAt(own(document, name), depth - 1);
    if (inner === 'yes') return inner;
    found ??= inner;
  }
  return found;
}

/** What a kind implies once the work may have begun. */
export function withoutEvidence(kind: Kind): Executed {
  const { executed } = KINDS[kind];
  return executed === 'no' ? 'maybe' : executed;
}

/** The same fault, met after the work had begun: what its kind implies no longer holds. */
export function onceBegun(fault: Fault): Fault {
  return fault.executed === 'no' ? { ...fault, executed: withoutEvidence(fault.kind) } : fault;
}

function isProven(heard: Heard, wire: Wire, circumstances: Circumstances): boolean {
  // Nobody can tell whether an exception comes from our own transport or from a handler: the harmless answer is "begun".
  if (circumstances.began ?? wire.thrown !== undefined) return false;
  if (heard.unsent === true) return true;
  // Whoever warns that it may have happened does not say that nothing did, whatever the code means elsewhere.
  if (warns(wire)) return false;
  if (heard.executed === 'no' && circumstances.trusted && isAboutThis(heard, circumstances)) return true;
  return isRefusal(heard, wire, circumstances) || refusesByStatus(heard, wire);
}

/**
 * A declaration that names something else that was called is about that call: somebody hands on what they were told. So
 * is one that arose at the caller's own end, or on the way there: that end is ours, and we said nothing of the kind.
 */
function isAboutThis({ origin, subject }: Heard, { called }: Circumstances): boolean {
  if (called === undefined) return true;
  if (origin === 'local' || origin === 'transport') return false;
  if (subject?.id === undefined || !CALLED.has(subject.type)) return true;
  return subject.type === called.type && isNamed(called.id ?? '', subject.id);
}

/** A server knows its tools without the prefix that somebody between has given them. */
function isNamed(called: string, named: string): boolean {
  return (
    called === named ||
    (named !== '' && called.endsWith(named) && /[^\p{L}\p{N}]/u.test(called.at(-1 - named.length) ?? ''))
  );
}

/** What can be called by name. */
const CALLED: ReadonlySet<string> = new Set(['tool', 'prompt']);

/** Does it carry our own warning, for a model that reads no document? */
function warns({ text, result }: Wire): boolean {
  if (text.includes(CAUTION)) return true;
  return (ownArray(result, 'content') ?? []).some(
    (block) => ownString(block, 'text')?.includes(CAUTION) === true,
  );
}

/** JSON-RPC's own numbers mean the same in every dialect: nobody has to be recognised first. */
const OWN_REFUSALS: ReadonlySet<number> = new Set([-32700, -32600, -32601, -32602]);

function isRefusal(heard: Heard, wire: Wire, circumstances: Circumstances): boolean {
  const { trusted, named, recognised, called } = circumstances;
  if (heard.refusal !== true) return false;
  const code = wire.error?.code;
  // Any handler can throw any number, with any members beside it: only who knows the server knows what it means.
  if (wire.result !== undefined || !OWN_REFUSALS.has(code ?? 0))
    return trusted && (code === undefined ? recognised : named);
  if (code === METHOD_NOT_FOUND && called !== undefined && namesAnother(wire, called.id ?? '')) return false;
  // What is malformed stays malformed: a server that wants to be asked again means something else by the number.
  return heard.retryable !== true && wire.hasMore !== true && isOwnRefusal(wire);
}

const METHOD_NOT_FOUND = -32601;

/** The methods by which something is called. */
const CALLING: ReadonlySet<string> = new Set(['tools/call', 'prompts/get']);

/** How servers name the method that they do not know. */
const METHOD =
  /\bmethod(?: (?:is )?(?:not|un)\s?(?:found|supported|implemented|known|allowed|available))? ?[:'"`(]+ ?([\w$./-]{1,100})|\bmethod (?!not\b|is\b|does\b|name\b|or\b|was\b)([\w$./-]{1,100})/i;

/** Whoever does not know a method that we did not call was asked by somebody else: the server had let the call in. */
function namesAnother({ error }: Wire, called: string): boolean {
  const [, first, second] = METHOD.exec(error?.message ?? '') ?? [];
  const method = ownString(error?.data, 'method') ?? first ?? second?.replace(/\.$/, '');
  return method !== undefined && !CALLING.has(method) && !isNamed(called, method);
}

/**
 * Statuses that turn a request away before anybody works on it. Not 409, 410, 422 and their like, which may
 * tell how the work ended; nor any 5xx, which a proxy says too when it lost the connection after sending.
 */
const REFUSING: ReadonlySet<number> = new Set([
  400, 401, 403, 404, 405, 406, 407, 411, 413, 414, 415, 417, 421, 425, 426, 428, 429, 431,
]);

/** Said by handlers that had begun, whatever the status around them. */
const FROM_WORK: ReadonlySet<number> = new Set([-32603, -32021, -32042]);

/** A refusal by the transport's own status, unless what it carries tells of work. */
function refusesByStatus({ kind, retryable }: Heard, wire: Wire): boolean {
  const { http, result, error } = wire;
  const status = http?.status;
  if (status === undefined || result !== undefined || !REFUSING.has(status)) return false;
  if (FROM_WORK.has(error?.code ?? 0) || KINDS[kind].executed !== 'no') return false;
  // A 400 around "service unavailable" is about somebody further away; a 429 around "busy" is not.
  if (!(retryable ?? passes(kind))) return isOwnRefusal(wire);
  return passes(kindOfStatus(status) ?? 'unknown') && isOwnLimit(wire);
}

function passes(kind: Kind): boolean {
  return isRetryable(KINDS[kind].reaction);
}

/**
 * Did the work happen? The one place that decides it, for every reader.
 *
 * `no` makes a repetition harmless, so it needs evidence from the call's own boundary: a refusal by the
 * protocol layer or the transport, a connection of ours that was never made, or a declaration in a form that
 * defines it. A kind is no evidence: a tool can do step one and fail at step two with any of them. Prose is
 * none either, wherever it stands. The table for people is `docs/executed.md`.
 */
import { documentIn } from './declared.ts';
import type { Dialect, Heard } from './dialects/dialect.ts';
import type { Subject } from './fault.ts';
import { own, ownArray, type Unknown } from './json.ts';
import { type Executed, withoutEvidence } from './kinds.ts';
import { ERROR_KEY, EXECUTED_KEY, FAULT_KEY, TOOL_FAILURE_KEY } from './protocol.ts';
import { CAUTION } from './render/caution.ts';
import { textOfBlock } from './wire/look-by.ts';
import { saysTwice } from './wire/repeating.ts';
import type { Wire } from './wire/wire.ts';

/** What was called. */
export interface Called extends Subject {
  /** Its server lists it: it is there, whatever is said of its name. */
  readonly isListed?: boolean | undefined;
}

/**
 * Does an answer turn the call away before anybody worked on it, by its number, its status and its words? `isDefined`: a
 * document says so of its number; what is said beside that may tell of more.
 */
export type Refusals = (heard: Heard, wire: Wire, called: Called | undefined, isDefined: boolean) => boolean;

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
  readonly called: Called | undefined;
  /** Tells refusals that nobody declares; without it there are none, and what they would prove is in doubt. */
  readonly refusals: Refusals | undefined;
  /** Tells what stands beside a fault document; without it, none is believed to be alone. */
  readonly standsAlone?: Dialect['standsAlone'];
}

/** Whether the work happened, from what was heard and what the wire proves. */
export function executedOf(heard: Heard, wire: Wire, circumstances: Circumstances): Executed {
  const doubt = doubtOf(heard, wire);
  if (doubt !== undefined) return doubt;
  return isProven(heard, wire, circumstances) ? 'no' : withoutEvidence(heard.kind);
}

/** The same of a reader that looks for no evidence: it may have happened, or it has, and is never said not to have. */
export function neverNo(heard: Heard, wire: Wire): Executed {
  return doubtOf(heard, wire) ?? withoutEvidence(heard.kind);
}

/** What is declared, where that is not that it did not happen. */
function doubtOf(heard: Heard, wire: Wire): 'maybe' | 'yes' | undefined {
  const declared = heard.executed === 'no' ? doubtIn(wire) : (heard.executed ?? doubtIn(wire));
  return declared === 'no' ? undefined : declared;
}

/** Does an answer itself say that it happened, or may have? Nobody reads it as one that did not, then. */
export function declaresDoubt(wire: Wire): boolean {
  return doubtIn(wire) !== undefined;
}

/** A declaration that it happened, or may have, is believed in any form and beside any other. */
function doubtIn({ error, http, result, body }: Wire): Executed | undefined {
  let found = doubtAt(error?.data, MAX_DEPTH);
  if (found !== 'yes' && http !== undefined) found = graver(found, doubtAt(http.said, MAX_DEPTH));
  if (found !== 'yes' && body !== undefined) found = graver(found, doubtAt(body, MAX_DEPTH));
  if (result === undefined || !holdsDocument(result)) return found;
  for (const name of OF_RESULTS) {
    if (found === 'yes') return found;
    const said = own(result, name);
    if (said !== undefined && said !== body) found = graver(found, doubtAt(said, MAX_DEPTH, error?.data));
  }
  return found;
}

/** Asked for one by one, which engines make fast: few results have one of these. */
function holdsDocument(result: Unknown): boolean {
  try {
    const { _meta, structuredContent, error } = result;
    return (_meta ?? structuredContent ?? error ?? undefined) !== undefined;
  } catch {
    return true; // a getter or a proxy threw: the other members still count
  }
}

/** That it happened goes before that it may have. */
function graver(a: Executed | undefined, b: Executed | undefined): Executed | undefined {
  return a === undefined || b === 'yes' ? b : a;
}

const OF_RESULTS: readonly string[] = ['_meta', 'structuredContent', 'error'];
/** Where one document holds another. */
const INNER: readonly string[] = [
  FAULT_KEY,
  ERROR_KEY,
  TOOL_FAILURE_KEY,
  'error',
  'details',
  'data',
  'cause',
];
const MAX_DEPTH = 3;

/** What tells of it, and where that may stand. */
const TELLING: ReadonlySet<string> = new Set([...INNER, 'executed', EXECUTED_KEY]);

/** The same of what tells of it: most documents have none of that. */
function mayTell(document: Unknown): boolean {
  try {
    const { executed, error, details, data, cause } = document;
    const said = executed ?? error ?? details ?? data ?? cause ?? document[FAULT_KEY] ?? document[ERROR_KEY];
    return (said ?? document[TOOL_FAILURE_KEY] ?? document[EXECUTED_KEY] ?? undefined) !== undefined;
  } catch {
    return true; // a getter or a proxy threw: the other members still count
  }
}

/** Which members may tell of it: to see which there are takes less than to ask for each, as most documents have none. */
function namesIn(document: object): Iterable<string> {
  try {
    return document.constructor === Object ? Object.keys(document) : TELLING;
  } catch {
    return TELLING; // a proxy that does not tell its members may have them
  }
}

/** `asked`: data that were looked at before. */
function doubtAt(document: unknown, depth: number, asked?: unknown): Executed | undefined {
  if (typeof document !== 'object' || document === null || !mayTell(document as Unknown)) return undefined;
  let found: Executed | undefined;
  for (const name of namesIn(document)) {
    if (!TELLING.has(name)) continue;
    const said = own(document, name);
    if (name === 'data' && said === asked) continue;
    if (name === 'executed' || name === EXECUTED_KEY) found = graver(found, saidOf(said));
    // In a document of somebody else's our word is not a member of ours: see `doubt.ts`.
    if (name === ERROR_KEY) found = graver(found, saidOf(own(said, 'happened')));
    if (depth > 0 && name !== 'executed' && name !== EXECUTED_KEY)
      found = graver(found, doubtAt(said, depth - 1));
    if (found === 'yes') return found;
  }
  return found;
}

function saidOf(value: unknown): Executed | undefined {
  return value === 'yes' || value === true ? 'yes' : value === 'maybe' ? 'maybe' : undefined;
}

function isProven(heard: Heard, wire: Wire, circumstances: Circumstances): boolean {
  // Nobody can tell whether an exception comes from our own transport or from a handler: the harmless answer is "begun".
  if (circumstances.began ?? wire.thrown !== undefined) return false;
  if (heard.unsent === true) return true;
  if (isAccepted(wire)) return false;
  // Whoever warns that it may have happened does not say that nothing did, whatever the code means elsewhere.
  if (warns(wire)) return false;
  const isDeclared = heard.executed === 'no' && circumstances.trusted && isAboutThis(heard, circumstances);
  const { refusals, called } = circumstances;
  // What stands beside it in the message, a result above all, is not what was declared.
  if (isDeclared && heard.refusal !== true)
    return (
      wire.hasMore !== true &&
      !saysTwice(wire) &&
      (refusals?.(heard, wire, called, true) ?? isAlone(heard, wire, circumstances))
    );
  // A member beside a code declares it no further than the words there agree.
  const isRefused =
    isDeclared || (heard.refusal === true && !isOfJsonRpc(wire) && isDefined(wire, circumstances));
  return refusals === undefined
    ? isRefused && heard.saysMore !== true
    : refusals(heard, wire, called, isRefused);
}

/** Without anybody who knows words, a document is believed while nothing but its own stands beside it. */
function isAlone(heard: Heard, wire: Wire, { standsAlone }: Circumstances): boolean {
  return standsAlone?.(heard, wire) ?? documentIn(wire) === undefined;
}

/** Under other statuses of success than 200 something was created or accepted, whatever is said of it. */
function isAccepted({ http }: Wire): boolean {
  const status = http?.status ?? http?.carrier ?? 0;
  return status > 200 && status < 300;
}

/**
 * A declaration that names something else that was called is about that call: somebody hands on what they were told. So
 * is one that arose at the caller's own end, or on the way there: that end is ours, and we said nothing of the kind.
 */
function isAboutThis({ origin, subject }: Heard, { called }: Circumstances): boolean {
  if (called === undefined) return true;
  if (origin === 'local' || origin === 'transport') return false;
  if (subject?.id === undefined || !CALLED.has(subject.type)) return true;
  // By its whole name: `book_and_pay` that hands on what `pay` said has booked before.
  return subject.type === called.type && subject.id === called.id;
}

/** What can be called by name. */
const CALLED: ReadonlySet<string> = new Set(['tool', 'prompt']);

/** Does it carry our own warning, for a model that reads no document? */
function warns({ text, result }: Wire): boolean {
  if (text.includes(CAUTION)) return true;
  if (result === undefined) return false;
  for (const block of ownArray(result, 'content') ?? [])
    if (textOfBlock(block)?.includes(CAUTION) === true) return true;
  return false;
}

/** JSON-RPC's own numbers mean the same in every dialect: nobody has to be recognised first. */
const OWN_REFUSALS: ReadonlySet<number> = new Set([-32700, -32600, -32601, -32602]);

/** Is it refused by a number of JSON-RPC's own? */
export function isOfJsonRpc({ error, result }: Wire): boolean {
  return result === undefined && OWN_REFUSALS.has(error?.code ?? 0);
}

/** Any handler can throw any number, with any members beside it: only who knows the server knows what it means. */
function isDefined({ error }: Wire, { trusted, named, recognised }: Circumstances): boolean {
  return trusted && (error?.code === undefined ? recognised : named);
}

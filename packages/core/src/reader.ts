/** Reading: any value, through the dialects of a language, to what it says. */
import { faultOf, saidExecuted } from './brand.ts';
import type { Dialect, DialectId, Evidence, Foreign, Heard, ReadContext } from './dialects/dialect.ts';
import type { Called, Circumstances, Refusals } from './executed.ts';
import { type Fault, faultWith, type JsonObject, onceBegun } from './fault.ts';
import { isRecord, own, ownString } from './json.ts';
import type { Executed, Kind } from './kinds.ts';
import { ERROR_KEY } from './protocol.ts';
import { type LookAtThrown, makeWire, type Placement, type Wire } from './wire/wire.ts';

/** What a wire turned out to say. */
export type Reading =
  | { readonly failure: false }
  | {
      readonly failure: true;
      readonly fault: Fault;
      /** The dialect it was said in; `null` when it follows none. */
      readonly dialect: DialectId | null;
      readonly placement: Placement;
      /** 0 … 1. Honest: where several meanings are possible, it is low and the evidence names them. */
      readonly certainty: number;
      readonly evidence: readonly Evidence[];
    };

/** How to read. */
export interface ReadOptions {
  /** The dialect, if it is known; a `TypeError` when the language has none of that name. Detected otherwise. */
  readonly from?: DialectId | undefined;
  /** Unix time in milliseconds; the clock's, if absent. */
  readonly now?: number | undefined;
  /**
   * Also read failures that a server reports as a plain success. Off by default, because it is a guess: a
   * document about errors reads like one.
   */
  readonly disguised?: boolean | undefined;
  /**
   * Had the work begun when this was thrown or said? Decides what can prove that it did not happen.
   *
   * - `true`: a handler met it. Nothing in it is evidence: whatever refused, it was not this call.
   * - `false`: our own attempt to make the call met it. A connection that was never made and a refusal count.
   * - absent: `false` for answers (a message, a result, an HTTP response), `true` for exceptions, of which
   *   nobody can tell who threw them.
   */
  readonly began?: boolean | undefined;
  /**
   * Is a server believed when it declares, in a form that defines it, that nothing was executed? Default true.
   * What the protocol and the transport refuse counts in any case.
   */
  readonly trustDeclarations?: boolean | undefined;
  /**
   * The tool or prompt that was called: a declaration that names another one says nothing about this call. Of a tool that
   * its server lists (`isListed`), "Unknown tool" is how it failed.
   */
  readonly called?: Called | undefined;
}

/** What a reader is made of. */
export interface ReaderParts {
  readonly dialects: readonly Dialect[];
  readonly foreign?: Foreign | undefined;
  readonly prose?: ((wire: Wire) => Heard | undefined) | undefined;
  readonly disguised?: ((wire: Wire) => Heard | undefined) | undefined;
  readonly refusals?: Refusals | undefined;
}

/** How a reader goes about it: what each of them knows, a bundle may do without. */
export interface ReaderTools {
  /** Takes a value apart. Total. */
  readonly look: (value: unknown, thrown: LookAtThrown | undefined) => Wire;
  /** Did it happen? */
  readonly executed: (heard: Heard, wire: Wire, circumstances: Circumstances) => Executed;
  /** The honest answer when nothing tells what went wrong. */
  readonly unknown: (wire: Wire, dialects: readonly Dialect[], foreign: Foreign | undefined) => Heard;
  /** Does the answer itself say that a retry is of no use? */
  readonly refusesRetry?: (wire: Wire) => boolean;
}

/** The same, sorted for use. */
interface Parts extends ReaderParts {
  readonly tools: ReaderTools;
  readonly prose: (wire: Wire) => Heard | undefined;
  /** All of them, to be asked whether a wire is theirs. */
  readonly claimants: readonly Claimant[];
  /** Those that read JSON-RPC's own codes. */
  readonly protocol: readonly Claimant[];
  /** Those whose failures look like successes to everybody else. */
  readonly hiding: readonly Dialect[];
  readonly standsAlone: Dialect['standsAlone'];
}

/** A dialect, and how it tells that a wire is its own: dialects differ in their members, which makes asking each for one dear. */
interface Claimant {
  readonly dialect: Dialect;
  readonly recognise: Dialect['recognise'];
}

/** One value that is being read. */
interface Subject {
  readonly wire: Wire;
  readonly context: ReadContext;
  readonly options: ReadOptions;
  /** The dialect that the caller named. */
  readonly named: Dialect | undefined;
}

const NO_OPTIONS: ReadOptions = {};

/** The view of what could not be looked at. */
const NOTHING: Wire = /* @__PURE__ */ makeWire('text', false, '');

const UNREADABLE: Heard = {
  kind: 'unknown',
  message: 'The failure could not be read',
  certainty: 0,
  evidence: [{ by: 'shape', says: 'the value cannot be looked at' }],
};

/** From here on the wire names its dialect, and nobody else needs to be asked. */
const DECLARED = 0.95;

/** From here on a dialect was told by more than a number: by the message, the members of `data`, the form. */
const RECOGNISED = 0.7;

/** Below this, a guess must not make anybody retry: a wrong retry is worse than a missed one. */
const RETRY_CERTAINTY = 0.5;

/** Builds `read` over some dialects. */
export function createReader(
  given: ReaderParts,
  tools: ReaderTools,
): (value: unknown, options?: ReadOptions) => Reading {
  const { dialects, prose = () => undefined } = given;
  const claimants = dialects.map((dialect): Claimant => ({ dialect, recognise: dialect.recognise }));
  const parts: Parts = {
    ...given,
    tools,
    prose,
    claimants,
    protocol: claimants.filter(({ dialect }) => dialect.isProtocol === true),
    hiding: dialects.filter((dialect) => dialect.fails !== undefined),
    standsAlone: dialects.find((dialect) => dialect.standsAlone !== undefined)?.standsAlone,
  };
  const clocked: ReadContext = { now: Date.now, prose };
  return (value, options = NO_OPTIONS) => {
    const { now, from } = options;
    const named = from === undefined ? undefined : findDialect(dialects, from);
    const carried = faultOf(value);
    if (carried !== undefined) return thrownFault(value, carried, options);
    const context: ReadContext = now === undefined ? clocked : { now: () => now, prose };
    try {
      return readWire(parts, { wire: lookAt(parts, value), context, options, named });
    } catch {
      // Reading is total: whatever a hostile value does while it is looked at, the answer is "unknown".
      return conclude(parts, { wire: NOTHING, context, options, named }, UNREADABLE, nobody(0));
    }
  };
}

// One dialect that throws has nothing to say. It costs no other what that has.

function hides(dialect: Dialect, wire: Wire): boolean {
  try {
    return dialect.fails?.(wire) === true;
  } catch {
    return false;
  }
}

function claimOf({ dialect, recognise }: Claimant, wire: Wire): number {
  try {
    return recognise.call(dialect, wire);
  } catch {
    return 0;
  }
}

function heardBy(dialect: Dialect | undefined, { wire, context }: Subject): Heard | undefined {
  try {
    return dialect?.read(wire, context);
  } catch {
    return undefined;
  }
}

function waitOf(dialect: Dialect | null, kind: Kind): number | undefined {
  try {
    return dialect?.usualWaitMs?.(kind);
  } catch {
    return undefined;
  }
}

/** The dialect of that name; a sentence with the names there are when there is none. */
export function findDialect(dialects: readonly Dialect[], id: DialectId): Dialect {
  const dialect = dialects.find((candidate) => candidate.id === id);
  if (dialect !== undefined) return dialect;
  const names = dialects.map((candidate) => candidate.id).join(', ');
  throw new TypeError(`Expected a dialect of this language (${names}), got ${JSON.stringify(id)}`);
}

function lookAt({ foreign, hiding, tools }: Parts, value: unknown): Wire {
  const wire = tools.look(value, foreign?.thrown);
  const isHidden = !wire.failed && hiding.some((dialect) => hides(dialect, wire));
  return isHidden ? { ...wire, failed: true } : wire;
}

function readWire(parts: Parts, subject: Subject): Reading {
  const { wire, context, options, named } = subject;
  if (!wire.failed) {
    const heard = options.disguised === true ? parts.disguised?.(wire) : undefined;
    return heard === undefined
      ? { failure: false }
      : conclude(parts, subject, heard, nobody(heard.certainty));
  }
  const local = parts.foreign?.local(wire);
  if (local !== undefined) return conclude(parts, subject, local, nobody(local.certainty));
  const said = heardBy(named, subject);
  if (named !== undefined && said !== undefined) {
    return conclude(parts, subject, said, {
      dialect: named,
      certainty: said.certainty,
      named: true,
      recognised: true,
    });
  }
  // Not said in that dialect after all: its server also speaks JSON-RPC, HTTP and prose.
  const { dialect, sure } = recognise(parts, wire);
  const heard = heardBy(dialect, subject);
  if (dialect !== undefined && heard !== undefined) {
    // A weak claim only decides who reads; a strong one also bounds what the reading is worth.
    const certainty = sure < 0.5 ? heard.certainty : Math.min(sure, heard.certainty);
    return conclude(parts, subject, heard, {
      dialect,
      certainty,
      named: false,
      recognised: sure >= RECOGNISED,
    });
  }
  const { foreign, dialects } = parts;
  const last =
    foreign?.read(wire, context) ?? parts.prose(wire) ?? parts.tools.unknown(wire, dialects, foreign);
  return conclude(parts, subject, last, nobody(last.certainty));
}

/** The dialect with the strongest claim. */
function recognise(
  { claimants, protocol }: Parts,
  wire: Wire,
): { dialect: Dialect | undefined; sure: number } {
  let best: Dialect | undefined;
  let sure = 0;
  // JSON-RPC's own codes without data are everybody's: no dialect has more to say than the specification.
  for (const claimant of isBare(wire) ? protocol : claimants) {
    const certainty = claimOf(claimant, wire);
    if (certainty > sure) {
      best = claimant.dialect;
      sure = certainty;
      if (sure >= DECLARED) break;
    }
  }
  return { dialect: best, sure };
}

function isBare({ error, placement }: Wire): boolean {
  if (placement !== 'protocol' || error?.code === undefined || error.data !== undefined) return false;
  return error.code === -32700 || (error.code >= -32603 && error.code <= -32600);
}

/** Who said it, and how sure that is. */
interface Speaker {
  readonly dialect: Dialect | null;
  readonly certainty: number;
  /** Named by the caller. */
  readonly named: boolean;
  /** Named by the caller, or told by more than a number. */
  readonly recognised: boolean;
}

function nobody(certainty: number): Speaker {
  return { dialect: null, certainty, named: false, recognised: false };
}

/** The fault in what was heard: with the wait that headers or documents ask for, and whether it happened. */
function conclude(
  parts: Parts,
  { wire, context, options }: Subject,
  heard: Heard,
  speaker: Speaker,
): Reading {
  const { began, called, trustDeclarations: trusted = true } = options;
  const { dialect, certainty, named, recognised } = speaker;
  const told = withOwnWords(heard, wire);
  const waiting =
    (wire.http === undefined ? undefined : parts.foreign?.withWait(told, wire.http, context)) ?? told;
  const executed = parts.tools.executed(heard, wire, {
    began,
    trusted,
    named,
    recognised,
    called,
    refusals: parts.refusals,
    standsAlone: parts.standsAlone,
  });
  const waitMs = usualWait(waiting, dialect);
  const made = faultWith(withoutWord(waiting), executed, waitMs);
  const stop = made.retryable ? stopOf(parts, wire, certainty) : undefined;
  return {
    failure: true,
    fault: stop === undefined ? made : faultWith({ ...withoutWord(waiting), ...stop }, executed, waitMs),
    dialect: dialect?.id ?? null,
    placement: heard.placement ?? wire.placement,
    certainty,
    evidence: heard.evidence,
  };
}

/** Whoever has a document's fixed name for a message has put the author's words beside it, under our name. */
function withOwnWords(heard: Heard, { error }: Wire): Heard {
  if (heard.native === undefined || typeof error?.data !== 'object') return heard;
  const words = ownString(own(error.data, ERROR_KEY), 'message');
  return words === undefined || words === '' ? heard : { ...heard, message: words };
}

/** Our word that it may have happened has its place in the fault. */
function withoutWord(heard: Heard): Heard {
  const beside = heard.details?.[ERROR_KEY];
  if (!isRecord(beside) || beside['happened'] === undefined) return heard;
  const { happened: _word, ...rest } = beside as JsonObject;
  const { [ERROR_KEY]: _beside, ...others } = heard.details as JsonObject;
  const details = Object.keys(rest).length === 0 ? others : { ...others, [ERROR_KEY]: rest };
  return { ...heard, details: Object.keys(details).length === 0 ? undefined : details };
}

/** Why what is worth another try by its kind is worth none all the same. */
function stopOf(
  { tools }: Parts,
  wire: Wire,
  certainty: number,
): Pick<Heard, 'retryable' | 'reaction'> | undefined {
  // Who is not sure what it is knows no step that would mend it either.
  if (certainty < RETRY_CERTAINTY) return { retryable: false, reaction: 'terminal' };
  return tools.refusesRetry?.(wire) === true ? { retryable: false } : undefined;
}

/** What a dialect's document tells its clients to wait travels with the fault, where the wire names no time. */
function usualWait({ kind, native, retry }: Heard, dialect: Dialect | null): number | undefined {
  if (native === undefined || retry?.afterMs !== undefined) return undefined;
  return waitOf(dialect, kind);
}

/** A fault that was thrown is itself; thrown by work that had begun, only what its thrower said itself stays. */
function thrownFault(value: unknown, carried: Fault, { began }: ReadOptions): Reading {
  return {
    failure: true,
    fault: began === true && saidExecuted(value) === undefined ? onceBegun(carried) : carried,
    dialect: null,
    placement: 'thrown',
    certainty: 1,
    evidence: [{ by: 'fault', says: 'a fault was thrown' }],
  };
}

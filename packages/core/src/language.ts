/**
 * A language: some dialects, and `read` and `write` over them. The default language in `index.ts` has all
 * of them; who needs one dialect builds a small one and ships only that.
 */

import { unknown } from './ambiguous.ts';
import { faultOf, saidExecuted } from './brand.ts';
import type {
  Dialect,
  DialectId,
  Evidence,
  Foreign,
  Heard,
  ReadContext,
  WriteContext,
  Written,
} from './dialects/dialect.ts';
import { executedOf, onceBegun } from './executed.ts';
import { type Fault, faultWith } from './fault.ts';
import { measureLosses } from './losses.ts';
import { type Revision, STATELESS_REVISION } from './protocol.ts';
import { look } from './wire/look.ts';
import type { Placement, Wire } from './wire/wire.ts';

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
  /** The dialect, if it is known. Detected otherwise. */
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
}

/** How to write. */
export interface WriteOptions extends Omit<WriteContext, 'now' | 'revision' | 'structuredContent'> {
  /** Unix time in milliseconds; the clock's, if absent. */
  readonly now?: number | undefined;
  /** The protocol revision of the session; the dialect's own, if absent. */
  readonly revision?: Revision | undefined;
  /** False for clients that choke on `structuredContent` in an error result. Default true. */
  readonly structuredContent?: boolean | undefined;
  /** Removes what must not leave. Everything but a raw body of Platica's passes through it. */
  readonly redact?: ((fault: Fault) => Fault) | false | undefined;
}

/** A written fault, and what the dialect could not say. */
export interface Translation extends Written {
  /** Paths into the fault document: `kind`, `subject.id`, `retry.after_ms`. Found out when it is first asked for. */
  readonly losses: readonly string[];
}

/** Some dialects, and what can be done with them. */
export interface Language {
  readonly dialects: readonly Dialect[];
  /** The dialect of that name. Throws a sentence with the names there are when there is none. */
  dialect(id: DialectId): Dialect;
  /**
   * The same language with more dialects. They are asked before the others, and one with the name of another takes
   * its place.
   */
  with(...more: readonly Dialect[]): Language;
  read(value: unknown, options?: ReadOptions): Reading;
  write(fault: Fault, to: DialectId, options?: WriteOptions): Translation;
}

/** What a language is made of. */
export interface LanguageOptions {
  readonly dialects: readonly Dialect[];
  /** Reads exceptions, HTTP answers and the SDKs' own failures. */
  readonly foreign?: Foreign;
  /** Reads text and bodies that follow no dialect. */
  readonly prose?: (wire: Wire) => Heard | undefined;
  /** Finds failures in the text of a success. */
  readonly disguised?: (wire: Wire) => Heard | undefined;
  /** Applied by default to everything that is written. */
  readonly redact?: (fault: Fault) => Fault;
}

const NO_OPTIONS: ReadOptions = {};

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

/** Builds a language of the given dialects. */
export function createLanguage(options: LanguageOptions): Language {
  const { dialects, foreign } = options;
  for (const dialect of dialects) checkDialect(dialect);
  const prose = options.prose ?? (() => undefined);
  const protocol = dialects.filter((dialect) => dialect.isProtocol === true);
  const hiding = dialects.filter((dialect) => dialect.fails !== undefined);
  const clocked: ReadContext = { now: Date.now, prose };

  function read(value: unknown, readOptions: ReadOptions = NO_OPTIONS): Reading {
    const { now } = readOptions;
    const context: ReadContext = now === undefined ? clocked : { now: () => now, prose };
    const carried = faultOf(value);
    if (carried !== undefined) return thrownFault(value, carried, readOptions);
    try {
      const seen = look(value, foreign?.thrown);
      const failed = seen.failed || hiding.some((dialect) => dialect.fails?.(seen) === true);
      const wire = failed === seen.failed ? seen : { ...seen, failed };
      return wire.failed || readOptions.disguised !== true
        ? readWire(wire, context, readOptions)
        : readDisguised(wire, context, readOptions);
    } catch {
      // Reading is total: whatever a hostile value does while it is looked at, the answer is "unknown".
      return reading(UNREADABLE, nobody(0), look(''), context, readOptions);
    }
  }

  function readDisguised(wire: Wire, context: ReadContext, readOptions: ReadOptions): Reading {
    const heard = options.disguised?.(wire);
    return heard === undefined
      ? { failure: false }
      : reading(heard, nobody(heard.certainty), wire, context, readOptions);
  }

  function readWire(wire: Wire, context: ReadContext, readOptions: ReadOptions): Reading {
    if (!wire.failed) return { failure: false };
    const { from } = readOptions;
    const local = foreign?.local(wire);
    if (local !== undefined) return reading(local, nobody(local.certainty), wire, context, readOptions);
    if (from !== undefined) {
      const named = find(dialects, from);
      const heard = named.read(wire, context);
      if (heard !== undefined) {
        const speaker = { dialect: named, certainty: heard.certainty, recognised: true };
        return reading(heard, speaker, wire, context, readOptions);
      }
      // Not said in that dialect after all: its server also speaks JSON-RPC, HTTP and prose.
    }
    let best: Dialect | undefined;
    let sure = 0;
    // JSON-RPC's own codes without data are everybody's: no dialect has more to say than the specification.
    for (const dialect of isBare(wire) ? protocol : dialects) {
      const certainty = dialect.recognise(wire);
      if (certainty > sure) {
        best = dialect;
        sure = certainty;
        if (sure >= DECLARED) break;
      }
    }
    const heard = best?.read(wire, context);
    if (best !== undefined && heard !== undefined) {
      // A weak claim only decides who reads; a strong one also bounds what the reading is worth.
      const certainty = sure < 0.5 ? heard.certainty : Math.min(sure, heard.certainty);
      const speaker = { dialect: best, certainty, recognised: sure >= RECOGNISED };
      return reading(heard, speaker, wire, context, readOptions);
    }
    const last = foreign?.read(wire, context) ?? prose(wire) ?? unknown(wire, dialects);
    return reading(last, nobody(last.certainty), wire, context, readOptions);
  }

  function reading(
    heard: Heard,
    speaker: Speaker,
    wire: Wire,
    context: ReadContext,
    { began, trustDeclarations = true }: ReadOptions,
  ): Reading {
    const waiting =
      (wire.http === undefined ? undefined : foreign?.withWait(heard, wire.http, context)) ?? heard;
    const { dialect, certainty, recognised } = speaker;
    const executed = executedOf(heard, wire, { began, trusted: trustDeclarations, recognised });
    const said = withUsualWait(waiting, dialect);
    const made = faultWith(said, executed);
    const fault =
      made.retryable && certainty < RETRY_CERTAINTY
        ? faultWith({ ...said, retryable: false }, executed)
        : made;
    return {
      failure: true,
      fault,
      dialect: dialect?.id ?? null,
      placement: heard.placement ?? wire.placement,
      certainty,
      evidence: heard.evidence,
    };
  }

  function write(fault: Fault, to: DialectId, writeOptions: WriteOptions = {}): Translation {
    const dialect = find(dialects, to);
    const { redact = options.redact, now = Date.now(), structuredContent = true, ...rest } = writeOptions;
    const safe = redact ? redact(fault) : fault;
    const revision = rest.revision ?? dialect.revision ?? STATELESS_REVISION;
    const plain = dialect.write(safe, { ...rest, now, structuredContent, revision });
    const asked = rest.revision === STATELESS_REVISION;
    const { wire, envelope } = withId(asked ? stamped(plain) : plain, dialect);
    const lose = (): readonly string[] => {
      const back = read(wire, { from: to, now });
      return measureLosses(safe, back.failure ? back.fault : undefined);
    };
    return translation(wire, envelope, lose);
  }

  return {
    dialects,
    read,
    write,
    dialect: (id) => find(dialects, id),
    with(...more) {
      for (const dialect of more) checkDialect(dialect);
      const names = new Set(more.map((dialect) => dialect.id));
      return createLanguage({
        ...options,
        dialects: [...more, ...dialects.filter((dialect) => !names.has(dialect.id))],
      });
    },
  };
}

/** Reading back what was written costs as much as writing it, so it is done when somebody asks. */
function translation(
  wire: Written['wire'],
  envelope: Written['envelope'],
  lose: () => readonly string[],
): Translation {
  let measured: readonly string[] | undefined;
  const written: Written = envelope === undefined ? { wire } : { wire, envelope };
  return Object.defineProperty(written, 'losses', {
    enumerable: true,
    get: () => {
      measured ??= lose();
      return measured;
    },
  }) as Translation;
}

/** An error that answers no request has the `id` that the dialect gives it. */
function withId(written: Written, { unknownId }: Dialect): Written {
  const { wire } = written;
  if (unknownId === undefined || 'http' in wire || (wire.id !== undefined && wire.id !== null))
    return written;
  const { jsonrpc, id: _unknown, ...rest } = wire;
  const isNull = unknownId === 'null' && rest.error !== undefined;
  return { ...written, wire: isNull ? { jsonrpc, id: null, ...rest } : { jsonrpc, ...rest } };
}

/** Who said it, and how sure that is. */
interface Speaker {
  readonly dialect: Dialect | null;
  readonly certainty: number;
  /** Named by the caller, or told by more than a number. */
  readonly recognised: boolean;
}

function nobody(certainty: number): Speaker {
  return { dialect: null, certainty, recognised: false };
}

/** What a dialect's document tells its clients to wait travels with the fault, where the wire names no time. */
function withUsualWait(heard: Heard, dialect: Dialect | null): Heard {
  if (heard.native === undefined || heard.retry?.afterMs !== undefined) return heard;
  const waitMs = dialect?.usualWaitMs?.(heard.kind);
  return waitMs === undefined ? heard : { ...heard, native: { ...heard.native, waitMs } };
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

/** A session of 2026-07-28 demands `resultType` of every result, whatever dialect the result is in. */
function stamped(written: Written): Written {
  const { wire } = written;
  if (!('result' in wire) || wire.result === undefined || 'resultType' in wire.result) return written;
  return { ...written, wire: { ...wire, result: { ...wire.result, resultType: 'complete' } } };
}

function isBare({ error, placement }: Wire): boolean {
  if (placement !== 'protocol' || error?.code === undefined || error.data !== undefined) return false;
  return error.code === -32700 || (error.code >= -32603 && error.code <= -32600);
}

/** A dialect of somebody's own is checked once, so that a slip does not turn every reading into "unknown". */
function checkDialect(dialect: Dialect): void {
  const name = JSON.stringify(dialect?.id);
  if (typeof dialect?.id !== 'string' || dialect.id === '')
    throw new TypeError(`Expected a dialect to have an \`id\`, got ${name}`);
  if (!Array.isArray(dialect.codes))
    throw new TypeError(`Expected \`codes\` of the dialect ${name} to be a list`);
  for (const verb of ['recognise', 'read', 'write'] as const) {
    if (typeof dialect[verb] !== 'function')
      throw new TypeError(`Expected \`${verb}\` of the dialect ${name} to be a function`);
  }
}

function find(dialects: readonly Dialect[], id: DialectId): Dialect {
  const dialect = dialects.find((candidate) => candidate.id === id);
  if (dialect !== undefined) return dialect;
  const names = dialects.map((candidate) => candidate.id).join(', ');
  throw new TypeError(`Expected a dialect of this language (${names}), got ${JSON.stringify(id)}`);
}

/** Writing: a fault, in a dialect of a language, and what the dialect could not say. */
import type { Dialect, DialectId, WriteContext, Written } from './dialects/dialect.ts';
import { withDoubt } from './doubt.ts';
import { type Fault, soundFault } from './fault.ts';
import { measureLosses } from './losses.ts';
import { type Revision, STATELESS_REVISION } from './protocol.ts';
import { findDialect, type Reading, type ReadOptions } from './reader.ts';

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

/** What a writer is made of. */
interface WriterParts {
  readonly dialects: readonly Dialect[];
  readonly redact: ((fault: Fault) => Fault) | undefined;
  /** Reads back what was written, to find out what was lost. */
  readonly read: (value: unknown, options: ReadOptions) => Reading;
}

/** Builds a `write` over some dialects that measures no losses: what was written, and of which fault. */
export function createScribe(
  parts: Pick<WriterParts, 'dialects' | 'redact'>,
  inDoubt: (wire: Written['wire'], fault: Fault, dialect: Dialect) => Written['wire'],
): (fault: Fault, to: DialectId, options?: WriteOptions) => Copy {
  return (fault, to, options = {}) => {
    const dialect = findDialect(parts.dialects, to);
    const { redact = parts.redact, now = Date.now(), structuredContent = true, ...rest } = options;
    const whole = soundFault(fault);
    const safe = redact ? redact(whole) : whole;
    const revision = rest.revision ?? dialect.revision ?? STATELESS_REVISION;
    const plain = dialect.write(safe, { ...rest, now, structuredContent, revision });
    const asked = rest.revision === STATELESS_REVISION;
    const shaped = withId(asked ? stamped(plain) : plain, dialect);
    // What was said in this very dialect is given back as it was said; who serves it answers for it (`inForm`).
    const isGivenBack = safe.native?.dialect === to;
    const wire = isGivenBack ? shaped.wire : inDoubt(shaped.wire, safe, dialect);
    return { written: wire === shaped.wire ? shaped : { ...shaped, wire }, safe, now };
  };
}

/** What was written. */
interface Copy {
  readonly written: Written;
  /** The fault as it was written: whole, and without what must not leave. */
  readonly safe: Fault;
  readonly now: number;
}

/** Builds `write` over some dialects. */
export function createWriter(
  parts: WriterParts,
): (fault: Fault, to: DialectId, options?: WriteOptions) => Translation {
  const { read } = parts;
  const scribe = createScribe(parts, (wire, safe, dialect) => withDoubt(wire, safe, { dialect, read }));
  return (fault, to, options) => {
    const { written, safe, now } = scribe(fault, to, options);
    return new Translated(written, () => {
      const back = read(written.wire, { from: to, now });
      return measureLosses(safe, back.failure ? back.fault : undefined);
    });
  };
}

/** Reading back what was written costs as much as writing it, so it is done when somebody asks. */
class Translated implements Translation {
  readonly wire: Written['wire'];
  declare readonly envelope?: NonNullable<Written['envelope']>;
  declare readonly losses: readonly string[];
  readonly #lose: () => readonly string[];
  #losses: readonly string[] | undefined;

  constructor({ wire, envelope }: Written, lose: () => readonly string[]) {
    this.wire = wire;
    if (envelope !== undefined) this.envelope = envelope;
    this.#lose = lose;
    // Its own, so that whoever prints a translation sees them; one accessor for all, because one for each is dear.
    Object.defineProperty(this, 'losses', Translated.#ACCESSOR);
  }

  static readonly #ACCESSOR: PropertyDescriptor & ThisType<Translated> = {
    enumerable: true,
    get() {
      this.#losses ??= this.#lose();
      return this.#losses;
    },
  };
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

/** A session of 2026-07-28 demands `resultType` of every result, whatever dialect the result is in. */
function stamped(written: Written): Written {
  const { wire } = written;
  if (!('result' in wire) || wire.result === undefined || 'resultType' in wire.result) return written;
  return { ...written, wire: { ...wire, result: { ...wire.result, resultType: 'complete' } } };
}

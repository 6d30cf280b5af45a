/**
 * A language for bundles that must be small: it reads and writes as the others do, and does without what only some need.
 * It looks for no evidence that nothing happened, so it never says `executed: no`; it measures no losses, looks at no
 * answer over HTTP unless it is given the part for that, and takes the dialects as they are.
 */
import type { Dialect, DialectId, ReadContext, Written } from './dialects/dialect.ts';
import { declared } from './doubt.ts';
import { isOfJsonRpc, neverNo } from './executed.ts';
import type { Fault } from './fault.ts';
import type { LanguageOptions } from './language.ts';
import { createReader, type Reading, type ReadOptions } from './reader.ts';
import { type LookParts, lookAtPlainThrown, lookBy } from './wire/look-by.ts';
import type { Wire } from './wire/wire.ts';
import { createScribe, type WriteOptions } from './writer.ts';

/** What a compact language is made of. */
export interface CompactOptions
  extends Pick<LanguageOptions, 'dialects' | 'foreign' | 'prose' | 'disguised' | 'redact'> {
  /** Looks at answers over HTTP: `lookAtHttp`. Without it, a failing status is all that is read of one. */
  readonly http?: LookParts['http'];
}

/** Reads and writes some dialects. */
export interface CompactLanguage {
  read(value: unknown, options?: ReadOptions): Reading;
  write(fault: Fault, to: DialectId, options?: WriteOptions): Written;
}

/** Builds a compact language of the given dialects. */
export function createLanguage(options: CompactOptions): CompactLanguage {
  const { dialects, redact, foreign, http } = options;
  if (!Array.isArray(dialects)) throw new TypeError('Expected a list of `dialects`');
  const parts: LookParts = { thrown: foreign?.thrown ?? lookAtPlainThrown, http };
  const look = (value: unknown): Wire => lookBy(parts, value);
  const scribe = createScribe({ dialects, redact }, (wire, fault, dialect) =>
    inDoubt(wire, fault, dialect, look),
  );
  return {
    read: createReader(options, { look, executed: neverNo, unknown }),
    write: (fault, to, how) => scribe(fault, to, how).written,
  };
}

/** Who knows no evidence cannot tell which answers others take for a refusal: all that might be say that they are none. */
function inDoubt(
  wire: Written['wire'],
  { executed }: Fault,
  dialect: Dialect,
  look: (value: unknown) => Wire,
): Written['wire'] {
  if (executed === 'no' || dialect.closed === true) return wire;
  try {
    const seen = look(wire);
    const heard = dialect.read(seen, ALONE);
    const mayRefuse = heard?.refusal === true || heard?.executed === 'no' || isOfJsonRpc(seen);
    return mayRefuse ? declared(wire, executed) : wire;
  } catch {
    return wire; // a dialect of somebody's own that cannot read what it writes
  }
}

const ALONE: ReadContext = { now: Date.now, prose: () => undefined };

/** Nothing tells what went wrong. */
function unknown({ text }: Wire): ReturnType<Dialect['read']> & object {
  const evidence = [{ by: 'none', says: 'nothing in it tells what went wrong' }];
  return { kind: 'unknown', message: text, certainty: 0, evidence };
}

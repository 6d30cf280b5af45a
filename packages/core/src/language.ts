/**
 * A language: some dialects, and `read` and `write` over them. The default language in `index.ts` has all
 * of them; who needs one dialect builds a small one and ships only that.
 */
import { unknown } from './ambiguous.ts';
import { atOnce } from './dialects/at-once.ts';
import type { Dialect, DialectId, Foreign, Heard } from './dialects/dialect.ts';
import { executedOf, type Refusals } from './executed.ts';
import type { Fault } from './fault.ts';
import { refusesRetry } from './hints.ts';
import { createReader, findDialect, type ReaderTools, type Reading, type ReadOptions } from './reader.ts';
import { type OptionTypes, refuseUnsound } from './sound-options.ts';
import { look } from './wire/look.ts';
import type { Wire } from './wire/wire.ts';
import { createWriter, type Translation, type WriteOptions } from './writer.ts';

export type { Reading, ReadOptions } from './reader.ts';
export type { Translation, WriteOptions } from './writer.ts';

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
  /**
   * Tells by their words the answers that turn a call away before anybody worked on it. Without it, `executed` is `no`
   * only where it is declared or nothing was sent; what such answers prove is in doubt.
   */
  readonly refusals?: Refusals;
  /** Applied by default to everything that is written. */
  readonly redact?: (fault: Fault) => Fault;
}

const TOOLS: ReaderTools = { look, executed: executedOf, unknown, refusesRetry };

const NO_OPTIONS = {};

const OF_LANGUAGE: OptionTypes<LanguageOptions> = {
  dialects: 'object',
  foreign: 'object',
  prose: 'function',
  disguised: 'function',
  refusals: 'function',
  redact: 'function',
};

const OF_READ: OptionTypes<ReadOptions> = {
  from: 'string',
  now: 'number',
  disguised: 'boolean',
  began: 'boolean',
  trustDeclarations: 'boolean',
  called: 'object',
};

const OF_WRITE: OptionTypes<WriteOptions> = {
  id: null,
  method: 'string',
  placement: 'string',
  correlationId: 'string',
  now: 'number',
  revision: 'string',
  structuredContent: 'boolean',
  redact: null,
};

/** Builds a language of the given dialects. */
export function createLanguage(options: LanguageOptions): Language {
  refuseUnsound('a language', options, OF_LANGUAGE);
  return languageOf({ ...options, dialects: options.dialects.map(soundDialect) });
}

/** The same of dialects that are known to be sound. */
export function languageOf(options: LanguageOptions): Language {
  const { dialects } = options;
  const hear = createReader(options, TOOLS);
  const say = createWriter({ dialects, redact: options.redact, read: hear });
  const byId = new Map(dialects.map((dialect) => [dialect.id, dialect]));
  return {
    dialects,
    read(value, how = NO_OPTIONS) {
      refuseUnsound('`read`', how, OF_READ);
      return hear(value, how);
    },
    write(fault, to, how = NO_OPTIONS) {
      refuseUnsound('`write`', how, OF_WRITE);
      return say(fault, to, how);
    },
    dialect: (id) => byId.get(id) ?? findDialect(dialects, id),
    with(...more) {
      const sound = more.map(soundDialect);
      const names = new Set(sound.map((dialect) => dialect.id));
      const others = dialects.filter((dialect) => !names.has(dialect.id));
      return languageOf({ ...options, dialects: [...sound, ...others] });
    },
  };
}

/** A dialect of somebody's own is checked once, so that a slip does not turn every reading into "unknown". */
function soundDialect(dialect: Dialect): Dialect {
  const name = JSON.stringify(dialect?.id);
  if (typeof dialect?.id !== 'string' || dialect.id === '')
    throw new TypeError(`Expected a dialect to have an \`id\`, got ${name}`);
  if (!Array.isArray(dialect.codes))
    throw new TypeError(`Expected \`codes\` of the dialect ${name} to be a list`);
  const marks: unknown = dialect.failureMarks;
  if (marks !== undefined && !(Array.isArray(marks) && marks.every((mark) => typeof mark === 'string')))
    throw new TypeError(`Expected \`failureMarks\` of the dialect ${name} to be a list of texts`);
  for (const verb of ['recognise', 'read', 'write'] as const) {
    if (typeof dialect[verb] !== 'function')
      throw new TypeError(`Expected \`${verb}\` of the dialect ${name} to be a function`);
  }
  return atOnce(dialect);
}

/** The guard's options, checked once with sentences that say what was expected. */
import { type Dialect, type DialectId, type FaultError, type Language, language } from '@mayday/core';
import type { RedactOptions } from '@mayday/core/redact';
import { idempotency } from '@mayday/policy';
import { type Deadlines, deadlinesOf, plainLimitOf } from './boundary/deadlines.ts';
import type { OnceOptions } from './boundary/once.ts';
import type { Identify } from './boundary/sender.ts';
import type { Call } from './call.ts';
import { type Clock, systemClock } from './clock.ts';
import { checkGuards } from './guards/check-guards.ts';
import type { Guard } from './guards/guard.ts';
import { callersFirst } from './guards/known-callers.ts';
import {
  expect,
  expectChallenge,
  expectDialect,
  expectFunction,
  expectKnown,
  expectLanguage,
  expectMethods,
  expectPositive,
} from './options-check.ts';
import type { FaultEvent, Logger, Telemetry } from './report/report.ts';
import type { Handle } from './shapes.ts';
import type { Messages } from './words/exception.ts';

/** How a server is guarded. Everything has a default. */
export interface GuardOptions {
  /** How faults are said on the wire; `mayday`. */
  readonly dialect?: DialectId | undefined;
  /** The dialects there are; all that come with `@mayday/core`. `language.with(…)` has yours as well. */
  readonly language?: Language | undefined;
  /**
   * May a client ask for another dialect, with `_meta["dev.mayday/dialect"]` or the header `Mayday-Dialect`?
   * If absent, all of them, or none where the server's own dialect is closed: its document says what may cross, and a
   * caller must not be able to lift that. A list allows those; `false` none.
   */
  readonly clientDialects?: readonly DialectId[] | false | undefined;
  /** Where faults of a tool go, for dialects that have a choice. */
  readonly placement?: 'protocol' | 'tool' | undefined;
  /**
   * Whose words go out when a plain exception is thrown: those that the caller can act on (the default),
   * nobody's, or everybody's. All of them are redacted; faults always keep theirs.
   */
  readonly messages?: Messages | undefined;
  /** What a plain exception means, where the author knows better; nothing leaves it to the guard. */
  readonly mapError?: ((error: unknown, call: Call) => FaultError | undefined) | undefined;
  /**
   * Labels of identifiers, beside those everybody knows: a number that its label or its member's name calls so is not
   * taken for a card, a phone or a national identifier.
   */
  readonly keep?: readonly string[] | undefined;
  /** How long a text of a failing answer may be, in characters; 100,000. All of them together, ten times that. */
  readonly maxTextLength?: number | undefined;
  /** How long a request may take before the guard answers in its place; 5 minutes. `false` for ever. */
  readonly deadlineMs?: number | false | ((call: Call) => number | false) | undefined;
  /** What must be true before a request runs. Make them once, not inside a server factory. */
  readonly guards?: readonly Guard[] | undefined;
  /**
   * Calls with `_meta["dev.mayday/idempotency-key"]` are done once: how their answers are kept, or `false` to
   * ignore the key.
   */
  readonly idempotency?: OnceOptions | false | undefined;
  /** The `WWW-Authenticate` challenge of a 401, which callers without a good key get behind `guardHandler`; `Bearer`. */
  readonly challenge?: string | undefined;
  /** Tools, resources and prompts that were registered before the server was guarded. */
  readonly registered?: readonly Handle[] | undefined;
  /** Gets every fault with its private cause. pino fits; over stdio it has to write to standard error: `pino(pino.destination(2))`. */
  readonly logger?: Logger | undefined;
  /** Gets every fault, for spans and metrics: `openTelemetry()` from `@mayday/server/otel`. */
  readonly telemetry?: Telemetry | undefined;
  readonly onFault?: ((event: FaultEvent) => void) | undefined;
  /** Makes the identifier that the wire and the log share; a random UUID, if absent. */
  readonly correlationId?: ((call: Call) => string) | undefined;
  /**
   * Who sends an HTTP request, as a string that nobody else can send. If absent, or for whom it says nothing: the user
   * that the transport knows, and every header that looks like a credential. Keys belong to the sender. A 2025-era
   * client cancels on a second connection; over stateless HTTP that counts only from whom this function names.
   */
  readonly identify?: Identify | undefined;
  /**
   * What becomes of a promise that a handler starts and forgets, when it is rejected: `report` it (the default)
   * and go on, or `leave` it to Node, which ends the process.
   */
  readonly unhandledRejections?: 'report' | 'leave' | undefined;
  readonly clock?: Clock | undefined;
}

type Defaulted =
  | 'dialect'
  | 'language'
  | 'messages'
  | 'maxTextLength'
  | 'deadlineMs'
  | 'guards'
  | 'registered'
  | 'clock';

/** Options with every default filled in. */
export interface Settings extends Omit<GuardOptions, Defaulted> {
  readonly dialect: Dialect;
  readonly language: Language;
  readonly messages: Messages;
  readonly maxTextLength: number;
  readonly deadlineMs: NonNullable<GuardOptions['deadlineMs']>;
  readonly guards: readonly Guard[];
  /** The guards that are asked as soon as a request comes, and those that wait for its arguments to be checked. */
  readonly outer: readonly Guard[];
  readonly inner: readonly Guard[];
  readonly registered: readonly Handle[];
  readonly challenge: string;
  readonly clock: Clock;
  readonly deadlines: Deadlines;
  /** How long a plain call may take, where nobody has anything to ask about one. */
  readonly plainLimitMs: number | undefined;
  /** The dialects that a client may ask for. */
  readonly askable: ReadonlyMap<string, Dialect>;
  /** How everything that leaves is redacted. */
  readonly redaction: RedactOptions;
}

/** Every option of `guard`, for whoever takes them beside others. */
export function optionNames(): readonly string[] {
  return Object.keys(OPTIONS);
}

/** Every option by name. The type makes sure that none is forgotten. */
const OPTIONS: { readonly [K in keyof Required<GuardOptions>]: true } = {
  dialect: true,
  language: true,
  clientDialects: true,
  placement: true,
  messages: true,
  mapError: true,
  keep: true,
  maxTextLength: true,
  deadlineMs: true,
  guards: true,
  idempotency: true,
  challenge: true,
  registered: true,
  logger: true,
  telemetry: true,
  onFault: true,
  correlationId: true,
  identify: true,
  unhandledRejections: true,
  clock: true,
};

const DEFAULT_DIALECT = 'mayday';
const DEFAULT_DEADLINE_MS = 300_000;
const MAX_TEXT_LENGTH = 100_000;

const checked = new WeakMap<GuardOptions, Settings>();
const DEFAULTS: GuardOptions = {};

/** Checked options. Checked once: stateless servers are guarded anew for each request. */
export function settingsFrom(options: GuardOptions = DEFAULTS, of = 'guard'): Settings {
  let settings = checked.get(options);
  if (settings === undefined) {
    check(options, of);
    settings = resolve(options);
    checked.set(options, settings);
  }
  return settings;
}

function resolve(options: GuardOptions): Settings {
  const { language: spoken = language } = options;
  const guards = callersFirst(options.guards ?? []);
  const dialect = spoken.dialect(options.dialect ?? DEFAULT_DIALECT);
  const { clientDialects = dialect.closed === true ? [] : idsOf(spoken) } = options;
  const { clock = systemClock, deadlineMs = DEFAULT_DEADLINE_MS } = options;
  return {
    ...options,
    language: spoken,
    dialect,
    messages: options.messages ?? 'actionable',
    maxTextLength: options.maxTextLength ?? MAX_TEXT_LENGTH,
    deadlineMs,
    guards,
    outer: guards.filter((one) => one.stage !== 'call'),
    inner: guards.filter((one) => one.stage === 'call'),
    registered: options.registered ?? [],
    challenge: options.challenge ?? 'Bearer',
    clock,
    deadlines: deadlinesOf(clock),
    plainLimitMs: plainLimitOf({ deadlineMs, guards, dialect, identify: options.identify }),
    redaction: { keep: options.keep ?? [] },
    askable: new Map((clientDialects || []).map((id) => [id, spoken.dialect(id)])),
  };
}

/** `of` is the function that they were given to. */
function check(options: GuardOptions, of: string): void {
  expectKnown(options, optionNames(), of);
  const { clientDialects, deadlineMs, guards, messages, maxTextLength } = options;
  expectChallenge(options.challenge);
  expectLanguage(options.language);
  const ids = idsOf(options.language ?? language);
  const { dialect = DEFAULT_DIALECT } = options;
  expectDialect(dialect, 'dialect', ids);
  expect(
    clientDialects === undefined || clientDialects === false || Array.isArray(clientDialects),
    'clientDialects',
    'a list of dialects or false',
    clientDialects,
  );
  for (const [n, one] of (clientDialects || []).entries()) expectDialect(one, `clientDialects[${n}]`, ids);
  expect(
    deadlineMs === undefined || isDeadline(deadlineMs),
    'deadlineMs',
    'a positive number, a function or false',
    deadlineMs,
  );
  checkGuards(guards);
  expect(
    messages === undefined || ['actionable', 'none', 'all'].includes(messages),
    'messages',
    '"actionable", "none" or "all"',
    messages,
  );
  if (options.idempotency !== undefined && options.idempotency !== false) {
    expectKnown(options.idempotency, ['store', 'ttlMs', 'leaseMs', 'maxAnswerLength'], 'idempotency');
    idempotency(options.idempotency); // it checks the values itself, now and not at the first call
  }
  if (maxTextLength !== undefined) expectPositive(maxTextLength, 'maxTextLength');
  const { keep } = options;
  expect(
    keep === undefined || (Array.isArray(keep) && keep.every((label) => typeof label === 'string')),
    'keep',
    'a list of labels',
    keep,
  );
  checkParts(options);
}

/** What the operator hands over to be called. */
function checkParts(options: GuardOptions): void {
  const { logger, placement } = options;
  for (const name of ['onFault', 'correlationId', 'identify', 'mapError'] as const)
    expectFunction(options[name], name);
  expect(
    logger === undefined || typeof logger.error === 'function',
    'logger',
    'an object with `error(fields, message)`',
    logger,
  );
  expect([undefined, 'protocol', 'tool'].includes(placement), 'placement', '"protocol" or "tool"', placement);
  expect(
    [undefined, 'report', 'leave'].includes(options.unhandledRejections),
    'unhandledRejections',
    '"report" or "leave"',
    options.unhandledRejections,
  );
  expect(
    options.telemetry === undefined || typeof options.telemetry?.fault === 'function',
    'telemetry',
    'what `openTelemetry()` makes',
    options.telemetry,
  );
  expectMethods(options.clock, 'clock', ['now', 'setTimeout', 'clearTimeout']);
  expect(
    options.registered === undefined ||
      (Array.isArray(options.registered) && options.registered.every(isHandle)),
    'registered',
    'a list of handles that registering gave back',
    options.registered,
  );
}

function isHandle(value: unknown): boolean {
  return typeof (value as Handle | null | undefined)?.update === 'function';
}

function idsOf({ dialects }: Language): readonly DialectId[] {
  return dialects.map((dialect) => dialect.id);
}

function isDeadline(value: unknown): boolean {
  return value === false || typeof value === 'function' || (typeof value === 'number' && value > 0);
}

/** The guard's options, checked once with sentences that say what was expected. */
import { DIALECTS, type DialectId } from '@mayday/core';
import type { Call } from './call.ts';
import { type Clock, systemClock } from './clock.ts';
import type { Guard } from './guards/guard.ts';
import type { FaultEvent, Logger, Telemetry } from './report/report.ts';
import type { Handle } from './shapes.ts';

/** How a server is guarded. Everything has a default. */
export interface GuardOptions {
  /** How faults are said on the wire; `mayday`. */
  readonly dialect?: DialectId;
  /**
   * May a client ask for another dialect, with `_meta["dev.mayday/dialect"]` or the header `Mayday-Dialect`?
   * All of them, if absent; a list allows those; `false` none.
   */
  readonly clientDialects?: readonly DialectId[] | false;
  /** Where faults of a tool go, for dialects that have a choice. */
  readonly placement?: 'protocol' | 'tool';
  /** How long a request may take before the guard answers in its place; 5 minutes. `false` for ever. */
  readonly deadlineMs?: number | false | ((call: Call) => number | false);
  /** What must be true before a request runs. Make them once, not inside a server factory. */
  readonly guards?: readonly Guard[];
  /**
   * What a caller learns about a tool that it cannot reach. `named`: that there is none of this name, with a
   * did-you-mean. `opaque`: one answer, to the byte, whether it is unknown, disabled, or out of scope.
   */
  readonly unreachable?: 'named' | 'opaque';
  /** Tools, resources and prompts that were registered before the server was guarded. */
  readonly registered?: readonly Handle[];
  /** Gets every fault with its private cause. pino fits. */
  readonly logger?: Logger;
  /** Gets every fault, for spans and metrics: `openTelemetry()` from `@mayday/server/otel`. */
  readonly telemetry?: Telemetry;
  readonly onFault?: (event: FaultEvent) => void;
  /** Makes the identifier that the wire and the log share; a random UUID, if absent. */
  readonly correlationId?: (call: Call) => string;
  readonly clock?: Clock;
}

/** Options with every default filled in. */
export interface Settings
  extends Required<Omit<GuardOptions, OptionalName>>,
    Pick<GuardOptions, OptionalName> {
  readonly askable: ReadonlySet<string>;
}

type OptionalName = 'placement' | 'logger' | 'telemetry' | 'onFault' | 'correlationId';

const IDS: readonly DialectId[] = DIALECTS.map((dialect) => dialect.id);
const DEFAULT_DEADLINE_MS = 300_000;

/** Checked options. */
export function settingsFrom(options: GuardOptions = {}): Settings {
  const {
    dialect = 'mayday',
    clientDialects = IDS,
    deadlineMs = DEFAULT_DEADLINE_MS,
    unreachable = 'named',
    guards = [],
    registered = [],
    clock = systemClock,
  } = options;
  expect(IDS.includes(dialect), 'dialect', `one of ${IDS.join(', ')}`, dialect);
  expect(
    clientDialects === false ||
      (Array.isArray(clientDialects) && clientDialects.every((id) => IDS.includes(id))),
    'clientDialects',
    'a list of dialects or false',
    clientDialects,
  );
  expect(isDeadline(deadlineMs), 'deadlineMs', 'a positive number, a function or false', deadlineMs);
  expect(
    unreachable === 'named' || unreachable === 'opaque',
    'unreachable',
    '"named" or "opaque"',
    unreachable,
  );
  expect(guards.every(isGuard), 'guards', 'a list of guards, each with a name and `before`', guards);
  expectFunction(options.onFault, 'onFault');
  expectFunction(options.correlationId, 'correlationId');
  expect(
    options.logger === undefined || typeof options.logger.error === 'function',
    'logger',
    'an object with `error(fields, message)`',
    options.logger,
  );
  expect(
    [undefined, 'protocol', 'tool'].includes(options.placement),
    'placement',
    '"protocol" or "tool"',
    options.placement,
  );
  return {
    ...options,
    dialect,
    clientDialects,
    deadlineMs,
    unreachable,
    guards,
    registered,
    clock,
    askable: new Set(clientDialects === false ? [] : clientDialects),
  };
}

function isDeadline(value: unknown): boolean {
  return value === false || typeof value === 'function' || (typeof value === 'number' && value > 0);
}

function isGuard(value: unknown): boolean {
  return typeof value === 'object' && value !== null && typeof (value as Guard).before === 'function';
}

/** Throws the sentence that says what an option should have been. */
export function expect(holds: boolean, option: string, wanted: string, got: unknown): void {
  if (!holds) throw new TypeError(`Expected \`${option}\` to be ${wanted}, got ${show(got)}`);
}

/** A positive whole number, or a sentence about it. */
export function expectPositive(value: unknown, option: string): void {
  expect(typeof value === 'number' && value > 0, option, 'a positive number', value);
}

/** A function, if there is anything at all. */
export function expectFunction(value: unknown, option: string): void {
  expect(value === undefined || typeof value === 'function', option, 'a function', value);
}

function show(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return Object.prototype.toString.call(value); // cyclic or otherwise unprintable
  }
}

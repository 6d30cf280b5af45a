/** The guard's options, checked once with sentences that say what was expected. */
import type { DialectId } from '@mayday/core';
import { DIALECTS } from '@mayday/core/dialects';
import { type Elsewhere, elsewhereFor } from './boundary/elsewhere.ts';
import type { Call } from './call.ts';
import { type Clock, systemClock } from './clock.ts';
import type { Guard } from './guards/guard.ts';
import { expect, expectFunction } from './options-check.ts';
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
  /** Tools, resources and prompts that were registered before the server was guarded. */
  readonly registered?: readonly Handle[];
  /** Gets every fault with its private cause. pino fits. */
  readonly logger?: Logger;
  /** Gets every fault, for spans and metrics: `openTelemetry()` from `@mayday/server/otel`. */
  readonly telemetry?: Telemetry;
  readonly onFault?: (event: FaultEvent) => void;
  /** Makes the identifier that the wire and the log share; a random UUID, if absent. */
  readonly correlationId?: (call: Call) => string;
  /**
   * Who sends an HTTP request, as a string that nobody else can send; the `Authorization` header, if absent.
   * A 2025-era client cancels on a second connection: only the sender of a request may cancel it.
   */
  readonly identify?: (header: (name: string) => string | undefined) => string | undefined;
  readonly clock?: Clock;
}

/** Options with every default filled in. */
export interface Settings
  extends Required<Omit<GuardOptions, OptionalName>>,
    Pick<GuardOptions, OptionalName> {
  readonly askable: ReadonlySet<string>;
  readonly elsewhere: Elsewhere;
}

type OptionalName = 'placement' | 'logger' | 'telemetry' | 'onFault' | 'correlationId' | 'identify';

const IDS: readonly DialectId[] = DIALECTS.map((dialect) => dialect.id);
const DEFAULT_DEADLINE_MS = 300_000;

const checked = new WeakMap<GuardOptions, Settings>();
const DEFAULTS: GuardOptions = {};

/** Checked options. Checked once: stateless servers are guarded anew for each request. */
export function settingsFrom(options: GuardOptions = DEFAULTS): Settings {
  let settings = checked.get(options);
  if (settings === undefined) {
    settings = check(options);
    checked.set(options, settings);
  }
  return settings;
}

function check(options: GuardOptions): Settings {
  const {
    dialect = 'mayday',
    clientDialects = IDS,
    deadlineMs = DEFAULT_DEADLINE_MS,
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
  expect(guards.every(isGuard), 'guards', 'a list of guards, each with a name', guards);
  expectFunction(options.onFault, 'onFault');
  expectFunction(options.correlationId, 'correlationId');
  expectFunction(options.identify, 'identify');
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
    guards,
    registered,
    clock,
    elsewhere: elsewhereFor(options.identify),
    askable: new Set(clientDialects === false ? [] : clientDialects),
  };
}

function isDeadline(value: unknown): boolean {
  return value === false || typeof value === 'function' || (typeof value === 'number' && value > 0);
}

function isGuard(value: unknown): boolean {
  return typeof value === 'object' && value !== null && typeof (value as Guard).name === 'string';
}

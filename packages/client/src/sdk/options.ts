/** How a client is made resilient. */
import { planLimits } from '@mayday/core/plan';
import {
  callable,
  type FaultEvent,
  flag,
  type Listener,
  lifetime,
  members,
  milliseconds,
  type OptionNames,
  onlyKnown,
  type RetryOptions,
  type Upstream,
  type UpstreamOptions,
} from '@mayday/policy';
import type { Telemetry } from './telemetry.ts';

/** How often a call is tried, and after which faults. */
export type Patience = Pick<
  RetryOptions,
  'attempts' | 'baseMs' | 'throttledBaseMs' | 'maxBackoffMs' | 'maxWaitMs' | 'retryIf'
>;

/** What an operator knows about a tool; it overrules the tool's own annotations. */
export interface ToolPolicy {
  /** Can it be called twice without harm? `false`: only what was certainly not executed is sent again. */
  readonly repeatable?: boolean | undefined;
  /** Send it once at most, whatever is known about its failure. */
  readonly once?: boolean | undefined;
  readonly deadlineMs?: number | undefined;
  readonly attemptTimeoutMs?: number | undefined;
}

/** How failures reach the caller of `callTool`. */
export type Failures =
  /** As the SDK does: a failing result is returned, everything else is thrown. */
  | 'sdk'
  /** Every failure is thrown. */
  | 'throw'
  /** Every failure is returned as a result that the model can read. */
  | 'result';

/** How a client is made resilient. Every part has a safe default. */
export interface ResilientOptions<Transport> extends Patience {
  /** Makes a new transport: to connect, and to connect again when the old one is gone. */
  readonly transport?: (() => Transport) | undefined;
  /** Shared with other clients of the same server; by default each client has its own. */
  readonly upstream?: Upstream | UpstreamOptions | undefined;
  /** For a whole call, attempts and waits together. Default 60 s. */
  readonly deadlineMs?: number | undefined;
  /** For one attempt. Default: what is left of the deadline. */
  readonly attemptTimeoutMs?: number | undefined;
  /** Starts a second attempt beside a slow read. Off by default. */
  readonly hedgeAfterMs?: number | undefined;
  /** By tool name. */
  readonly tools?: { readonly [name: string]: ToolPolicy } | undefined;
  /** `false` does not believe what tools say about themselves: `readOnlyHint`, `idempotentHint`. Default `true`. */
  readonly trustAnnotations?: boolean | undefined;
  /** `false` does not believe a server that declares that nothing was executed. Default `true`. */
  readonly trustDeclarations?: boolean | undefined;
  /**
   * Makes a key for each call of a tool that declares, with `_meta["dev.mayday/idempotency-key"]: true`, that it
   * recognises repeated calls by one. `false` makes none. Default: random UUIDs.
   */
  readonly idempotencyKeys?: (() => string) | false | undefined;
  /** `false` keeps deadline and attempt out of `_meta`; a gateway below then retries by itself, what is `once` too. Default `true`. */
  readonly tellServer?: boolean | undefined;
  readonly failures?: Failures | undefined;
  /** Every fault, the ones that a retry mended included, and what followed it. */
  readonly onFault?: ((event: FaultEvent) => void) | undefined;
  readonly onEvent?: Listener | undefined;
  /** From `@mayday/client/otel`. */
  readonly telemetry?: Telemetry | undefined;
}

/** What an operator said about a tool, if anything. */
export function toolPolicyOf(
  tools: { readonly [name: string]: ToolPolicy } | undefined,
  name: string,
): ToolPolicy | undefined {
  return tools !== undefined && Object.hasOwn(tools, name) ? tools[name] : undefined;
}

const FAILURES: readonly Failures[] = ['sdk', 'throw', 'result'];

/** The names that both wrapped clients and agents' tools know. */
export const PATIENCE: OptionNames<Patience> = {
  attempts: true,
  baseMs: true,
  throttledBaseMs: true,
  maxBackoffMs: true,
  maxWaitMs: true,
  retryIf: true,
};

const KNOWN: OptionNames<ResilientOptions<unknown>> = {
  ...PATIENCE,
  transport: true,
  upstream: true,
  deadlineMs: true,
  attemptTimeoutMs: true,
  hedgeAfterMs: true,
  tools: true,
  trustAnnotations: true,
  trustDeclarations: true,
  idempotencyKeys: true,
  tellServer: true,
  failures: true,
  onFault: true,
  onEvent: true,
  telemetry: true,
};

const KNOWN_OF_TOOL: OptionNames<ToolPolicy> = {
  repeatable: true,
  once: true,
  deadlineMs: true,
  attemptTimeoutMs: true,
};

/** Options of an upstream, where they are given to a client. */
const OF_UPSTREAM: { readonly [name: string]: string } = Object.fromEntries(
  ['budget', 'breaker', 'targetBreaker', 'pace', 'concurrency', 'patienceMs', 'clock', 'random'].map(
    (name) => [name, `upstream: { ${name} }`],
  ),
);

/** Refuses what is no time in which anything could be done. */
export function duration(name: string, ms: number | undefined): void {
  if (ms !== undefined) lifetime(name, ms, ms);
}

/** Checks what both kinds of options have in common. */
export function checkPatience(
  options: Patience & {
    readonly deadlineMs?: number | undefined;
    readonly attemptTimeoutMs?: number | undefined;
    readonly tools?: { readonly [name: string]: ToolPolicy } | undefined;
    readonly trustAnnotations?: boolean | undefined;
    readonly trustDeclarations?: boolean | undefined;
    readonly onFault?: ((event: FaultEvent) => void) | undefined;
  },
): void {
  planLimits({ ...options, random: undefined });
  callable('onFault', options.onFault);
  flag('trustAnnotations', options.trustAnnotations);
  flag('trustDeclarations', options.trustDeclarations);
  members('tools', options.tools);
  duration('deadlineMs', options.deadlineMs);
  duration('attemptTimeoutMs', options.attemptTimeoutMs);
  for (const [name, policy] of Object.entries(options.tools ?? {})) {
    members(`tools.${name}`, policy);
    onlyKnown(`the tool ${name}`, policy, KNOWN_OF_TOOL);
    flag(`tools.${name}.repeatable`, policy.repeatable);
    flag(`tools.${name}.once`, policy.once);
    duration(`tools.${name}.deadlineMs`, policy.deadlineMs);
    duration(`tools.${name}.attemptTimeoutMs`, policy.attemptTimeoutMs);
  }
}

/** Checks the options when they are given, not when the first call is made. */
export function checkOptions<Transport>(options: ResilientOptions<Transport>): void {
  onlyKnown('a resilient client', options, KNOWN, OF_UPSTREAM);
  const { transport, failures } = options;
  checkPatience(options);
  milliseconds('hedgeAfterMs', options.hedgeAfterMs, 0);
  flag('tellServer', options.tellServer);
  callable('onEvent', options.onEvent);
  members('telemetry', options.telemetry);
  if (options.telemetry !== undefined && options.telemetry.start === undefined)
    throw new TypeError('Expected `telemetry.start` to be a function, got undefined');
  callable('telemetry.start', options.telemetry?.start);
  callable('telemetry.listen', options.telemetry?.listen);
  if (transport !== undefined && typeof transport !== 'function') {
    throw new TypeError('Expected `transport` to be a function that makes a new transport each time');
  }
  const { idempotencyKeys } = options;
  if (idempotencyKeys !== undefined && idempotencyKeys !== false && typeof idempotencyKeys !== 'function') {
    throw new TypeError(
      'Expected `idempotencyKeys` to be a function that makes a new key each time, or false',
    );
  }
  if (failures !== undefined && !FAILURES.includes(failures)) {
    throw new TypeError(`Expected \`failures\` to be one of ${FAILURES.join(', ')}, got ${String(failures)}`);
  }
}

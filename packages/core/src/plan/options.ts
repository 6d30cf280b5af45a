/** How patient a plan is. */
import type { Fault } from '../fault.ts';
import type { PlannedCall } from './call.ts';

/** Limits of a plan, each with a safe default. */
export interface PlanOptions {
  /** Attempts in all, the first one included. Default 3. */
  readonly attempts?: number | undefined;
  /** First backoff. Default 50 ms. */
  readonly baseMs?: number | undefined;
  /** First backoff after a rate limit or a shed load. Default 1 s. */
  readonly throttledBaseMs?: number | undefined;
  /** Backoff grows no longer than this. Default 20 s. */
  readonly maxBackoffMs?: number | undefined;
  /** The longest wait that a server may ask for; a longer one ends the retries. Default 60 s. */
  readonly maxWaitMs?: number | undefined;
  /**
   * A number in [0, 1) for the jitter. Without it there is none: a backoff takes its longest wait and a
   * hint is taken to the letter.
   */
  readonly random?: (() => number) | undefined;
  /**
   * Your own judgement of what passes by repeating: `true` tries again what is not retryable by itself (an HTTP
   * 500 on a read), `false` leaves it, `undefined` goes by the fault. It never makes an unsafe repetition safe,
   * and attempts, waits and deadlines hold all the same.
   */
  readonly retryIf?: RetryIf | undefined;
}

/** Says whether a fault passes by repeating the call; `undefined` for no opinion. */
export type RetryIf = (fault: Fault, call: PlannedCall) => boolean | undefined;

/** Options with every default filled in. */
export interface PlanLimits {
  readonly attempts: number;
  readonly baseMs: number;
  readonly throttledBaseMs: number;
  readonly maxBackoffMs: number;
  readonly maxWaitMs: number;
  readonly random: (() => number) | undefined;
  readonly retryIf: RetryIf | undefined;
}

/** The defaults: those of the AWS SDKs' standard mode, and a minute for what a server asks. */
export const PLAN_DEFAULTS: PlanLimits = {
  attempts: 3,
  baseMs: 50,
  throttledBaseMs: 1000,
  maxBackoffMs: 20_000,
  maxWaitMs: 60_000,
  random: undefined,
  retryIf: undefined,
};

const WAITS = ['baseMs', 'throttledBaseMs', 'maxBackoffMs', 'maxWaitMs'] as const;

/** Options that were checked before: they are the same for every call. */
const checked: WeakMap<PlanOptions, PlanLimits> = new WeakMap();

/** Checks the options and fills in the defaults. */
export function planLimits(options: PlanOptions = PLAN_DEFAULTS): PlanLimits {
  const known = checked.get(options);
  if (known !== undefined) return known;
  const limits = checkLimits(options);
  checked.set(options, limits);
  return limits;
}

/** A number, or the name of a type: `'3'` looks like one. */
function shown(value: unknown): string {
  return typeof value === 'number' ? String(value) : typeof value;
}

function checkLimits(options: PlanOptions): PlanLimits {
  const { attempts = PLAN_DEFAULTS.attempts, random, retryIf } = options;
  if (!Number.isSafeInteger(attempts) || attempts < 1) {
    throw new TypeError(`Expected \`attempts\` to be a positive integer, got ${shown(attempts)}`);
  }
  for (const [name, given] of Object.entries({ random, retryIf })) {
    if (given !== undefined && typeof given !== 'function')
      throw new TypeError(`Expected \`${name}\` to be a function, got ${typeof given}`);
  }
  const waits = { ...PLAN_DEFAULTS };
  for (const name of WAITS) {
    const value: unknown = options[name] ?? PLAN_DEFAULTS[name];
    if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) {
      throw new TypeError(`Expected \`${name}\` to be a number of milliseconds, got ${shown(value)}`);
    }
    Object.assign(waits, { [name]: value });
  }
  return { ...waits, attempts, random, retryIf };
}

/** Outcomes of policies that are anybody's: what they give may be anything, and may change with every look. */
import { type Fault, faultOf, isKind, makeFault } from '@mayday/core';
import { isExecuted } from './call.ts';
import type { Failed, Outcome } from './outcome.ts';

/** The outcome as it is at the one look that is taken at it; whatever is none is an error. */
export function sound<T>(given: Outcome<T>): Outcome<T> {
  const seen = seenOf(given);
  if (seen === undefined) throw new TypeError('A policy has to give an outcome');
  return seen;
}

/** The same; `undefined` for what is no outcome. Most are successes, and every call comes by here: they cost a look. */
function seenOf<T>(given: Outcome<T>): Outcome<T> | undefined {
  try {
    const { ok } = given;
    if (ok === true) return success(given.value, given.replayed);
    return ok === false ? failure(given) : undefined;
  } catch {
    return undefined; // what matters most cannot be looked at
  }
}

function success<T>(value: T, replayed: boolean | undefined): Outcome<T> {
  return replayed === undefined ? { ok: true, value } : { ok: true, value, replayed };
}

function failure<T>(given: Failed<T>): Failed<T> | undefined {
  const seen = membersOf<Failed<T>>(given, MEMBERS);
  const fault = faultSeen(seen.fault);
  return fault && { ...seen, ok: false, fault };
}

/** A fault that cannot change stays the same one, for those who remember what they have made of it. */
function faultSeen(given: Fault | null | undefined): Fault | undefined {
  if (typeof given !== 'object' || given === null) return undefined;
  const seen = isData(given) ? given : (faultOf(given) ?? membersOf<Partial<Fault>>(given, FAULT_MEMBERS));
  if (isWhole(seen)) return seen;
  const { kind, executed = 'maybe' } = seen;
  return typeof kind === 'string' ? makeFault({ ...seen, kind, executed }) : undefined;
}

/** Will it say at the next look what it says now? Several policies look at each, and find out once. */
function isData(given: object): boolean {
  if (areData.has(given)) return true;
  if (Object.getPrototypeOf(given) !== Object.prototype) return false;
  for (const name in given) if (Object.getOwnPropertyDescriptor(given, name)?.get !== undefined) return false;
  areData.add(given);
  return true;
}

const areData = new WeakSet<object>();

/** Can whoever has it read in it what every fault has? */
function isWhole(fault: Partial<Fault>): fault is Fault {
  const { kind, message, executed, retry, issues } = fault;
  if (!isKind(kind) || typeof message !== 'string' || !isExecuted(executed)) return false;
  return typeof retry === 'object' && retry !== null && Array.isArray(issues);
}

/** One look at each member. What throws when it is looked at is as good as absent, unless it is needed. */
function membersOf<T extends object>(given: object, names: { readonly [name: string]: boolean }): T {
  if (Object.getPrototypeOf(given) === Object.prototype) {
    try {
      return { ...given } as T;
    } catch {
      // looked at one by one below
    }
  }
  const seen: { [name: string]: unknown } = {};
  for (const [name, isNeeded] of Object.entries(names)) {
    try {
      const value = (given as { [name: string]: unknown })[name];
      if (value !== undefined) seen[name] = value;
    } catch (thrown) {
      if (isNeeded) throw thrown;
    }
  }
  return seen as T;
}

/** All that a failure has beside `ok`, and whether it is one without. */
const MEMBERS: { readonly [name in Exclude<keyof Failed<unknown>, 'ok'>]: boolean } = {
  value: true,
  replayed: false,
  fault: true,
  answered: false,
  reached: false,
  mayBeOwn: false,
  settled: false,
  committed: false,
  earlier: false,
  refused: false,
  ended: false,
  rest: false,
  reason: false,
  thrown: false,
};

const FAULT_MEMBERS: { readonly [name in keyof Fault]-?: boolean } = {
  kind: true,
  subject: false,
  message: false,
  reaction: false,
  retryable: false,
  retry: false,
  executed: true,
  origin: false,
  issues: false,
  name: false,
  advice: false,
  details: false,
  correlationId: false,
  timestamp: false,
  native: false,
};

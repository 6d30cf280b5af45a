/** Who may call what. */

import { makeFault } from '@mayday/core';
import { admit, type Check } from '../admit.ts';
import { expectAnswer } from '../answers.ts';
import type { Call } from '../call.ts';
import { callable, flag, isFunction, isObject, type OptionNames, onlyKnown, shown } from '../check.ts';
import type { Refusal } from '../outcome.ts';
import type { Policy } from '../policy.ts';
import { isTexts, scopesIn } from './scopes-in.ts';

/** Who may call which target. */
export interface ScopesOptions<C extends Call = Call> {
  /** The scopes that a target needs, all of them; or a function that says. Those that are not named need none. */
  readonly required?:
    | { readonly [target: string]: readonly string[] }
    | ((call: C) => readonly string[])
    | undefined;
  /** Targets that nobody reaches this way. */
  readonly sensitive?: readonly string[] | undefined;
  /**
   * One answer, to the byte, whether a target is unknown, disabled, sensitive or out of scope: nobody can find
   * out which there are. Without it, a missing scope is named.
   */
  readonly opaque?: boolean | undefined;
  /** Is the target there, and in use? Only asked with `opaque`. By default all are. */
  readonly reach?: ((call: C) => 'known' | 'disabled' | 'unknown') | undefined;
  /** What the caller of an unreachable target is told. */
  readonly message?: string | undefined;
}

const OPTIONS: OptionNames<ScopesOptions> = {
  required: true,
  sensitive: true,
  opaque: true,
  reach: true,
  message: true,
};

/** Says neither whether the target exists nor what is missing. */
const UNREACHABLE = 'This tool is not available for your key.';

/** Refuses calls without the target's scopes with `forbidden`. */
export function scopes<T, C extends Call>(options: ScopesOptions<C>): Policy<T, C> {
  onlyKnown<ScopesOptions<C>>('`scopes`', options, OPTIONS);
  return admit(scopesCheck(options));
}

/** The same, as a check. */
export function scopesCheck<C extends Call>(options: ScopesOptions<C>): Check<C> {
  flag('opaque', options.opaque);
  callable('reach', options.reach);
  const { required = {}, opaque = false, reach = () => 'known' } = options;
  const { message = UNREACHABLE } = options;
  if (!isObject(required) && !isFunction(required)) {
    throw new TypeError(
      `Expected \`required\` to be a list of scopes for each tool, or a function, got ${shown(required)}`,
    );
  }
  if (!Object.values(required).every(Array.isArray)) {
    const got = JSON.stringify(required);
    throw new TypeError(
      `Expected \`required\` to be a list of scopes for each tool, or a function, got ${got}`,
    );
  }
  const hidden = new Set(options.sensitive);
  const scopesOf = (call: C): readonly string[] => {
    if (typeof required === 'function') {
      const wanted: unknown = required(call);
      expectAnswer<readonly string[]>('required', wanted, 'a list of scopes', isTexts);
      return wanted;
    }
    const { target } = call;
    return target !== undefined && Object.hasOwn(required, target)
      ? (required[target] as readonly string[])
      : [];
  };
  return (call) => {
    // Every question is asked of every call, so that the time it takes does not answer one of them.
    const held = scopesIn(call.scopes);
    const missing = scopesOf(call).filter((scope) => !held.includes(scope));
    const found = opaque ? reach(call) : 'known';
    const isHidden = hidden.has(call.target ?? '');
    const isRefused = found !== 'known' || isHidden || missing.length > 0;
    if (!isRefused) return undefined;
    const reason = found !== 'known' ? `${found} tool` : isHidden ? 'sensitive tool' : 'missing scope';
    return opaque || isHidden ? { ...unreachable(message), opaque, reason } : outOfScope(missing);
  };
}

function unreachable(message: string): Refusal {
  return { fault: makeFault({ kind: 'forbidden', executed: 'no', message }), by: 'scopes' };
}

function outOfScope(missing: readonly string[]): Refusal {
  const fault = makeFault({
    kind: 'forbidden',
    executed: 'no',
    message: `Missing ${missing.length === 1 ? 'scope' : 'scopes'} ${missing.join(', ')}`,
    details: { required_scopes: missing },
    advice: 'Ask for access with these scopes, then call again.',
  });
  return { fault, by: 'scopes' };
}

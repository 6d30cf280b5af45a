import { fault } from '@mayday/core';
import type { Call } from '../call.ts';
import { expect } from '../options-check.ts';
import type { Guard } from './guard.ts';
import { opaqueFault } from './opaque.ts';

/** Who may call which tool. */
export interface ScopesOptions {
  /** The scopes that a tool needs, all of them; or a function that says. Tools that are not named need none. */
  readonly required?: { readonly [tool: string]: readonly string[] } | ((call: Call) => readonly string[]);
  /** Tools that nobody reaches this way. */
  readonly sensitive?: readonly string[];
  /**
   * One answer, to the byte, whether a tool is unknown, disabled, sensitive or out of scope: nobody can find
   * out which tools there are. Without it, a missing scope is named.
   */
  readonly opaque?: boolean;
  /** What the caller of an unreachable tool is told. */
  readonly message?: string;
}

/** Says neither whether the tool exists nor what is missing. */
const UNREACHABLE = 'This tool is not available for your key.';

/** Refuses calls without the tool's scopes with `forbidden`. */
export function scopes(options: ScopesOptions): Guard {
  const { required = {}, sensitive = [], opaque = false, message = UNREACHABLE } = options;
  expect(
    typeof required === 'function' || Object.values(required).every(Array.isArray),
    'required',
    'a list of scopes for each tool, or a function',
    required,
  );
  const hidden = new Set(sensitive);
  const scopesOf = (call: Call): readonly string[] => {
    if (typeof required === 'function') return required(call);
    const { name } = call;
    return name !== undefined && Object.hasOwn(required, name) ? (required[name] as readonly string[]) : [];
  };
  return {
    name: 'scopes',
    before(call) {
      // Every question is asked of every call, so that the time it takes does not answer one of them.
      const missing = scopesOf(call).filter((scope) => !call.scopes.includes(scope));
      const { tool } = call;
      const exists = tool !== undefined;
      const enabled = tool?.enabled === true;
      const isHidden = hidden.has(call.name ?? '');
      if (opaque) {
        const reason = !exists
          ? 'unknown tool'
          : !enabled
            ? 'disabled tool'
            : isHidden
              ? 'sensitive tool'
              : 'missing scope';
        if (!exists || !enabled || isHidden || missing.length > 0)
          throw opaqueFault('forbidden', message, reason);
        return;
      }
      if (isHidden) throw fault.forbidden(message);
      if (missing.length > 0) {
        throw fault.forbidden(`Missing ${missing.length === 1 ? 'scope' : 'scopes'} ${missing.join(', ')}`, {
          details: { required_scopes: [...missing] },
          advice: 'Ask for access with these scopes, then call again.',
        });
      }
    },
  };
}

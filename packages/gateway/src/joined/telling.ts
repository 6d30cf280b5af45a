/** Of many that could not do what was asked, whose words the caller hears. */

import type { Failed } from '@mayday/policy';
import { decode, isMembers, type Wire, type WireOutcome } from '@mayday/relay';
import { BY } from '../access/refusals.ts';

/** Does it say that it does not have this, or nothing of the kind? An address that leads nowhere says neither. */
export function hasNone(outcome: WireOutcome): boolean {
  if (outcome.ok) return false;
  if (isForbidden(outcome)) return true; // who may not use it does not find it
  const { kind, subject } = outcome.fault;
  // An API has tools alone, and says of the rest so much itself.
  if (outcome.value?.type === 'nothing') return kind === 'unsupported' && subject?.type === 'method';
  if (outcome.answered !== true) return false;
  if (kind !== 'not_found' && kind !== 'unsupported') return false;
  const { value } = outcome;
  return value?.type === 'message' || (value?.type === 'http' && isError(value.body));
}

/** The code of the error that a server has answered with, where it has. */
export function codeIn(outcome: WireOutcome): unknown {
  if (outcome.ok) return undefined;
  const { value } = outcome;
  const message =
    value?.type === 'message' ? value.message : value?.type === 'http' ? decode(value.body) : undefined;
  return (message as { error?: { code?: unknown } } | null | undefined)?.error?.code;
}

/** Was it refused by a rule, whatever the server has? */
export function isForbidden(outcome: WireOutcome): boolean {
  return !outcome.ok && outcome.refused?.by === BY;
}

/** Only a question of ours has failed: what the caller asked for has not begun. */
export function asUnasked(outcome: Failed<Wire>): WireOutcome {
  return { ...outcome, fault: { ...outcome.fault, executed: 'no' } };
}

/** One that failed with it tells more than one that was not there, and that more than one that made nothing of it. */
export function mostTelling<T extends { readonly outcome: WireOutcome }>(
  failures: readonly T[],
): T | undefined {
  return [...failures].sort((a, b) => rank(a.outcome) - rank(b.outcome))[0];
}

function rank(outcome: WireOutcome): number {
  if (hasNone(outcome)) return 3;
  if (outcome.ok || outcome.answered !== true) return 1;
  return outcome.fault.kind === 'invalid_arguments' || outcome.fault.kind === 'invalid_request' ? 2 : 0;
}

function isError(body: Buffer): boolean {
  const said = decode(body);
  return isMembers(said) && isMembers(said['error']) && said['jsonrpc'] === '2.0';
}

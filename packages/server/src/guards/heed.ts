/** What hooks of guards give back. */
import { faultOf } from '@mayday/core';
import type { Call } from '../call.ts';
import { answered, Misused } from '../report/hooks.ts';

/**
 * Throws what a hook has against a request. It refuses by throwing; a fault or another error that it gives back in place of
 * that is meant no other way. What says neither yes nor no refuses too.
 */
export function heed(name: string, answer: unknown): void {
  if (answer === undefined || answer === null || answer === true) return;
  if (answer instanceof Error || faultOf(answer) !== undefined) throw answer;
  throw new Misused(`Expected \`${name}\` to throw a fault, or to give nothing, got ${kindOf(answer)}`);
}

/** What has `hides`. */
interface Hiding {
  readonly name: string;
  hides?(call: Call): boolean;
}

const SHOWN: readonly unknown[] = [undefined, null, false, 0, ''];

/**
 * Does it keep the tool of this call from its caller? One that fails, or says what nobody can go by, would not let the call
 * through either; `onBug` hears of it.
 */
export function hides(guard: Hiding, call: Call, onBug?: (bug: unknown) => void): boolean {
  if (guard.hides === undefined) return false;
  try {
    const answer: unknown = answered('hides', () => guard.hides?.(call));
    if (SHOWN.includes(answer)) return false;
    if (answer === true) return true;
    throw new Misused(`Expected \`hides\` to give true or false, got ${kindOf(answer)}`);
  } catch (reason) {
    if (faultOf(reason) === undefined) onBug?.(reason);
    return true;
  }
}

/** Never the value: it may be anybody's. */
function kindOf(answer: unknown): string {
  return typeof answer === 'boolean' ? String(answer) : typeof answer;
}

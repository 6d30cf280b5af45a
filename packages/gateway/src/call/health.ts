/** What an upstream's last call says about it, for the operator's page. */
import { redactFault } from '@mayday/core/redact';
import { after } from '@mayday/policy';
import type { WirePolicy } from '@mayday/relay';

/** Why an upstream does not work, as far as its last call tells. */
export interface Trouble {
  readonly kind: string;
  readonly message: string;
  /** Unix time in milliseconds. */
  readonly since: number;
}

/** The health of one upstream. */
export interface Health {
  /** `undefined` while it answers, or has not been asked. */
  trouble: Trouble | undefined;
}

/** Kinds that say that nobody can use the upstream, not that this call was wrong. */
const ABOUT_THE_SERVER: ReadonlySet<string> = new Set([
  'misconfigured',
  'unavailable',
  'disconnected',
  'expired',
  'timeout',
  'invalid_output',
]);

/** Keeps the health of an upstream up to date: any answer shows that it lives. */
export function watchHealth(health: Health, now: () => number = Date.now): WirePolicy {
  return after((outcome) => {
    if (outcome.ok || outcome.answered === true) health.trouble = undefined;
    else if (outcome.refused === undefined && ABOUT_THE_SERVER.has(outcome.fault.kind)) {
      const { kind, message } = redactFault(outcome.fault);
      health.trouble = { kind, message, since: health.trouble?.since ?? now() };
    }
    return outcome;
  });
}

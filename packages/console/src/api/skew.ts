/** How far the clock of this browser is from the gateway's, whose times are shown. */
import { signal } from '@preact/signals';

/** The gateway says whole seconds, and an answer takes a while: less than this is no difference. */
const SLACK_MS = 5000;

const aheadMs = signal(0);

/** Hears what time it is at the gateway, from the `Date` of an answer. */
export function hear(date: string | null, at: number = Date.now()): void {
  const said = Date.parse(date ?? '');
  if (Number.isNaN(said)) return;
  const ahead = said - at;
  aheadMs.value = Math.abs(ahead) < SLACK_MS ? 0 : ahead;
}

/** What time it is at the gateway. */
export function gatewayTime(at: number = Date.now()): number {
  return at + aheadMs.value;
}

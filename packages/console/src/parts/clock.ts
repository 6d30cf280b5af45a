/** The time, as far as relative times need it: the gateway's, whatever the clock of this browser says. */
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { gatewayTime } from '../api/skew.ts';

const TICK_MS = 2000;
const time = signal(Date.now());
setInterval(() => {
  if (!document.hidden) time.value = Date.now();
}, TICK_MS);

/** Now, or a moment ago. */
export const now: ReadonlySignal<number> = computed(() => gatewayTime(time.value));

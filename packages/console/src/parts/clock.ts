/** The time, as far as relative times need it. */
import { type ReadonlySignal, signal } from '@preact/signals';

const TICK_MS = 2000;
const time = signal(Date.now());
setInterval(() => {
  if (!document.hidden) time.value = Date.now();
}, TICK_MS);

/** Now, or a moment ago. */
export const now: ReadonlySignal<number> = time;

/** Waits that servers put into `data` or a body under many names. */
import { own, ownNumber } from './json.ts';

const IN_MS: readonly string[] = ['retryAfterMs', 'retry_after_ms', 'retryDelayMs'];
const IN_SECONDS: readonly string[] = [
  'retryAfterSeconds',
  'retry_after_seconds',
  'retry_after',
  'retryAfter',
  'Retry-After',
];

/** The wait that a foreign object asks for, in milliseconds. Names without a unit mean seconds, as in HTTP. */
export function waitFromData(data: unknown): number | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  for (const key of IN_MS) {
    const ms = ownNumber(data, key);
    if (ms !== undefined && ms >= 0) return ms;
  }
  for (const key of IN_SECONDS) {
    const seconds = ownNumber(data, key) ?? digits(own(data, key));
    if (seconds !== undefined && seconds >= 0) return seconds * 1000;
  }
  return undefined;
}

function digits(value: unknown): number | undefined {
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}

/** What servers put into `data` or a body under many names: how long to wait, and that nobody should. */
import { isInstant } from './http-status.ts';
import { isRecord, own, ownKeys, ownNumber, type Unknown } from './json.ts';
import type { Wire } from './wire/wire.ts';

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
    if (ms !== undefined && ms >= 0 && !isInstant(ms, 1)) return ms;
  }
  for (const key of IN_SECONDS) {
    const seconds = ownNumber(data, key) ?? digits(own(data, key));
    if (seconds !== undefined && seconds >= 0 && !isInstant(seconds, 1000)) return seconds * 1000;
  }
  return undefined;
}

function digits(value: unknown): number | undefined {
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}

/** What says whether a call may be made again. */
const SAYS_RETRYABLE: ReadonlySet<string> = new Set([
  'retryable',
  'isRetryable',
  'is_retryable',
  'retriable',
  'retry',
  'canRetry',
  'can_retry',
  'shouldRetry',
  'should_retry',
]);

/** Whether a wire says in so many words that the same call is not to be made again, wherever its error sits. */
export function refusesRetry({ body, error, http, result }: Wire): boolean {
  // Around a result stands what carried it, which is not what failed.
  return refuses(body) || refuses(error?.data) || refuses(result ?? http?.said);
}

function refuses(said: unknown): boolean {
  return isRecord(said) && (saysNo(said) || saysNo(own(said, 'error')));
}

/** Asked for one by one, which engines make fast: hardly any document has one of these. */
function mayDeny(said: Unknown): boolean {
  try {
    const { retryable, isRetryable, is_retryable, retriable, retry } = said;
    const { canRetry, can_retry, shouldRetry, should_retry } = said;
    return (
      retryable === false ||
      isRetryable === false ||
      is_retryable === false ||
      retriable === false ||
      retry === false ||
      canRetry === false ||
      can_retry === false ||
      shouldRetry === false ||
      should_retry === false
    );
  } catch {
    return true; // a getter or a proxy threw: the other members still count
  }
}

function saysNo(said: unknown): boolean {
  if (!isRecord(said) || !mayDeny(said)) return false;
  for (const name of ownKeys(said)) if (SAYS_RETRYABLE.has(name) && own(said, name) === false) return true;
  return false;
}

/** HTTP statuses as upstream services use them: what one says about the failure of a tool. */
import type { Kind } from '../kinds.ts';

// Kind, then status and weight. Statuses that services use loosely (400, 403, 500) weigh less, so that a
// plain code or phrase beside them wins: 403 with "rate limit exceeded", 400 with "API key not valid".
const TABLE = `invalid_arguments 400 66 416 80
invalid_request 411 80 417 70 421 70
unauthenticated 401 91 498 76 511 76
quota_exhausted 402 86
forbidden 403 84 451 84
not_found 404 86
unsupported 405 88 426 80 501 84
unsupported_media 406 84 415 90
misconfigured 407 84 526 70
timeout 408 88 504 88 524 86
conflict 409 90 412 84 423 86 428 80
expired 410 80
too_large 413 90 414 86 431 86
unprocessable 422 80
upstream_failed 424 80 500 76 502 88 508 70 520 84
not_ready 425 80
rate_limited 420 80 429 90
cancelled 499 80
unavailable 503 88 521 86 522 86 523 86 525 70 530 80
internal 507 76
overloaded 529 88`;

const ROWS: ReadonlyMap<number, readonly [Kind, number]> = /* @__PURE__ */ new Map(
  TABLE.split('\n').flatMap((line) => {
    const [kind, ...numbers] = line.split(' ');
    return Array.from({ length: numbers.length / 2 }, (_, at) => {
      const row: readonly [Kind, number] = [kind as Kind, Number(numbers[at * 2 + 1])];
      return [Number(numbers[at * 2]), row] as const;
    });
  }),
);

/** Is this a status that reports a failure? */
export function isFailureStatus(status: unknown): status is number {
  return ROWS.has(status as number);
}

/** The kind a failing status stands for; any other 4xx or 5xx by its class; otherwise nothing. */
export function statusKind(status: number): Kind | undefined {
  const row = ROWS.get(status);
  if (row !== undefined) return row[0];
  if (status >= 400 && status < 500) return 'invalid_request';
  return status >= 500 && status < 600 ? 'upstream_failed' : undefined;
}

/** How much a status weighs against phrases, 0…100. */
export function statusWeight(status: number): number {
  return ROWS.get(status)?.[1] ?? 60;
}

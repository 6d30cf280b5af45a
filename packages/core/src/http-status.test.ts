import { describe, expect, it } from 'vitest';
import {
  kindOfStatus,
  parseRetryAfter,
  STATUSES,
  toSeconds,
  waitFromHeaders,
  waitFromReset,
} from './http-status.ts';

// biome-ignore format: a table
const MEANINGS: readonly (readonly [kind: string, statuses: readonly number[]])[] = [
  ['invalid_request', [411, 417, 421]], ['invalid_arguments', [400, 416]], ['unprocessable', [422]],
  ['too_large', [413, 414, 431]], ['unsupported_media', [406, 415]], ['expired', [410]],
  ['unsupported', [405, 418, 426, 501, 505]], ['unauthenticated', [401, 407, 440, 498, 511]], ['forbidden', [403, 451]],
  ['not_found', [404]], ['conflict', [409, 412, 423, 428]], ['not_ready', [425]], ['rate_limited', [429]],
  ['quota_exhausted', [402]], ['overloaded', [507, 529]], ['timeout', [408, 504, 522, 524]], ['cancelled', [499]],
  ['unavailable', [503, 521, 523, 530]], ['upstream_failed', [424, 502, 520, 527]], ['misconfigured', [525, 526]],
  ['internal', [500, 508]],
];

describe('the kind of a status', () => {
  it('is its own for those that somebody defined', () => {
    const found = MEANINGS.map(([kind]) => [
      kind,
      STATUSES.filter((status) => kindOfStatus(status) === kind),
    ]);
    expect(found).toEqual(MEANINGS);
    expect(STATUSES).toHaveLength(MEANINGS.flatMap(([, statuses]) => statuses).length);
  });

  it.each([
    [299, undefined],
    [300, 'upstream_failed'],
    [399, 'upstream_failed'],
    [430, 'invalid_request'],
    [497, 'invalid_request'],
    [506, 'internal'],
    [599, 'internal'],
    [600, undefined],
  ])('%i is %s by its class', (status, kind) => {
    expect(kindOfStatus(status)).toBe(kind);
  });
});

const NOW = Date.parse('2026-11-15T12:00:00Z');
const YEAR_MS = 366 * 24 * 3600 * 1000;

describe('how long to wait', () => {
  it.each([
    [undefined, undefined],
    ['', undefined],
    ['30', 30_000],
    [' 1.5 ', 1500],
    ['0.0001', 1],
    ['-1', undefined],
    ['soon', undefined],
    ['Sun, 15 Nov 2026 12:00:10 GMT', 10_000],
    ['Sun, 15 Nov 2026 11:59:00 GMT', 0],
    [String(YEAR_MS / 1000), YEAR_MS],
    [String(YEAR_MS / 1000 + 1), YEAR_MS],
    ['1000000000', YEAR_MS],
    ['1000000000000', YEAR_MS],
    ['9'.repeat(40), YEAR_MS],
    ['9'.repeat(41), undefined],
    ['Tue, 17 Nov 2099 12:00:00 GMT', YEAR_MS],
  ])('Retry-After: %s is %s ms', (value, ms) => {
    expect(parseRetryAfter(value, NOW)).toBe(ms);
  });

  it.each([
    [{ 'retry-after': '2', 'retry-after-ms': '7' }, 2000],
    [{ 'retry-after-ms': '7.2' }, 8],
    [{ 'x-ms-retry-after-ms': '9' }, 9],
    [{ 'retry-after-ms': '9'.repeat(15) }, YEAR_MS],
    [{ 'retry-after-ms': 'soon' }, undefined],
    [{}, undefined],
  ])('%j asks for %s ms', (headers, ms) => {
    expect(waitFromHeaders(new Map(Object.entries(headers)), NOW)).toBe(ms);
  });

  it.each([
    [{ 'x-ratelimit-reset': '5' }, 5000],
    [{ 'x-rate-limit-reset': '5' }, 5000],
    [{ 'ratelimit-reset': '5' }, 5000],
    [{ 'x-ratelimit-reset-after': '0.25' }, 250],
    [{ 'x-ratelimit-reset-requests': '6m0s' }, 360_000],
    [{ 'x-ratelimit-reset-tokens': '1h2m3s4ms' }, 3_723_004],
    [{ 'x-ratelimit-reset-tokens': '20ms' }, 20],
    [{ 'anthropic-ratelimit-requests-reset': '2026-11-15T12:00:07Z' }, 7000],
    [{ 'anthropic-ratelimit-tokens-reset': '2026-11-15T12:00:08.000+00:00' }, 8000],
    [{ 'x-ratelimit-reset': String(NOW / 1000 + 3) }, 3000],
    [{ 'x-ratelimit-reset': String(NOW + 3) }, 3],
    [{ 'x-ratelimit-reset': String(NOW / 1000 - 3) }, 0],
    [{ 'x-ratelimit-reset': '5', 'ratelimit-reset': '9' }, 9000],
    [{ 'x-ratelimit-reset': '999999999' }, YEAR_MS],
    [{ 'anthropic-ratelimit-tokens-reset': '2099-11-15T12:00:00Z' }, YEAR_MS],
    [{ 'x-ratelimit-reset': `${NOW}000000` }, undefined],
    [{ 'x-ratelimit-reset': 'never' }, undefined],
    [{ 'x-reset': '5' }, undefined],
  ])('%j is lifted in %s ms', (headers, ms) => {
    expect(waitFromReset(new Map(Object.entries(headers)), NOW)).toBe(ms);
  });

  it('rounds up to seconds, so that nobody wakes early', () => {
    expect([0, 1, 1000, 1001].map(toSeconds)).toEqual([0, 1, 1, 2]);
  });
});

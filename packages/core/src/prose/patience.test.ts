import { describe, expect, it } from 'vitest';
import { readProse, weighProse } from './index.ts';

describe('nothing but a request to come back is something that passes', () => {
  it.each([
    ['Please try again later', undefined],
    ['Try again in 1 second', 1000],
    ['Please try again in 2 minutes.', 120_000],
    ['Please try again', undefined],
    ['Please wait 30 seconds and retry', 30_000],
    ['Please wait a moment and try again', undefined],
    ['Retry in 10 seconds', 10_000],
    ['Something went wrong. Please try again.', undefined],
    ['An error occurred. Please retry later.', undefined],
    ['Service error, try again later', undefined],
  ])('%s', (text, afterMs) => {
    expect(readProse(text)).toMatchObject({ kind: 'unavailable' });
    expect(readProse(text)?.afterMs).toBe(afterMs);
  });

  it.each(['Wait 5 seconds before retrying', 'Retry after 10 seconds'])('%s is a limit', (text) => {
    expect(readProse(text)?.kind).toBe('rate_limited');
  });

  it.each([
    'Wrong password, try again later',
    'Invalid city, please try again',
    'Please try another city',
    'Order 7 not found. Try again later',
    'The user wanted to wait',
    'Payment made, please try again',
  ])('%s says more', (text) => {
    const found = weighProse(text).filter(({ by, kind }) => by === 'phrase' && kind === 'unavailable');
    expect(found).toEqual([]);
  });
});

describe('the name of a status tells it, in small letters too', () => {
  it.each([
    ['503 unavailable', 503, 'unavailable'],
    ['503 service unavailable', 503, 'unavailable'],
    ['Error: 502 bad gateway', 502, 'upstream_failed'],
    ['429 too many requests', 429, 'rate_limited'],
    ['401 unauthorized', 401, 'unauthenticated'],
  ])('%s', (text, status, kind) => {
    expect(readProse(text)).toMatchObject({ kind, status });
  });

  it.each(['Room 503 unavailable', 'Order 404 not found', 'Seats 401 unavailable'])(
    '%s: no status',
    (text) => {
      expect(readProse(text)?.status).toBeUndefined();
    },
  );
});

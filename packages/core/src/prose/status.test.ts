import { describe, expect, it } from 'vitest';
import { readProse } from './index.ts';

describe('a status is known by its neighbours', () => {
  it.each([
    'Example API returned a 503',
    'The server responded with a 503',
    'received 503 from server',
    'expected 200, got 503',
    'Upstream 503',
    'GET https://api.example.com/v1/items 503',
    'GET /items → 503',
    'Sync failed — 503',
    'status code of 503',
    'retrying did not help, because of 503',
    '503 error',
    'code HTTP_503',
    'E_HTTP_503',
    '❌ 503',
    '503!',
  ])('%s', (text) => {
    expect(readProse(text)?.status).toBe(503);
    expect(readProse(text)?.kind).toBe('unavailable');
  });

  it.each([
    'Processed 404 rows',
    'received 500 emails',
    'got 503 matching documents',
    'returned 429 users',
    'ticket #503',
    'version 1.404',
    'LOT_503',
    'limit must be <= 500',
    'Invalid port: 502',
    'Order 404 was sent',
  ])('%s is none', (text) => {
    expect(readProse(text)?.status).toBeUndefined();
  });

  it.each([
    ['Fetch failed with 404', 'not_found'],
    ['upstream returned 403', 'forbidden'],
    ['Unexpected response: 401', 'unauthenticated'],
    ['Network error: HTTP 404', 'not_found'],
    ['Unknown error: Request failed with status code 400', 'invalid_arguments'],
  ])('that something failed is how the status came: %s', (text, kind) => {
    expect(readProse(text)?.kind).toBe(kind);
  });
});

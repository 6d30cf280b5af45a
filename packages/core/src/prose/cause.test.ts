import { describe, expect, it } from 'vitest';
import { readProse } from './index.ts';

const ATTEMPTS = [
  'Failed to refresh access token',
  'Authentication failed',
  'OAuth error',
  'Failed to get required fields',
  'Error fetching rate limits',
  'Failed to list unauthorized devices',
  'Failed to find user',
  'Tool execution failed: Error: Failed to list conflicts',
];

describe('why it failed, behind what was attempted', () => {
  it.each(ATTEMPTS)('%s', (attempt) => {
    const read = (cause: string): string | undefined => readProse(`${attempt}: ${cause}`)?.kind;
    expect(read('fetch failed')).toBe('unavailable');
    expect(read('Request failed with status code 503')).toBe('unavailable');
    expect(read('timeout of 30000ms exceeded')).toBe('timeout');
    expect(read('429 Too Many Requests')).toBe('rate_limited');
    expect(read('Request failed with status code 404')).toBe('not_found');
    expect(read('Conflict')).toBe('conflict');
    expect(read('Bad Request')).toBe('invalid_arguments');
  });

  it.each([
    ['Authentication failed: invalid request', 'unauthenticated'],
    ['Validation error: timeout', 'invalid_arguments'],
    ['Failed to parse arguments: timeout is not a number', 'invalid_arguments'],
    ['Error 401: fetch failed', 'unauthenticated'],
  ])('leaves the attempt its say: %s', (text, kind) => {
    expect(readProse(text)?.kind).toBe(kind);
  });
});

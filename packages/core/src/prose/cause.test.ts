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
  'Failed to connect to n8n',
  'Unable to reach M365',
  'Error querying neo4j for B2 orders',
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
    ['Error http401: fetch failed', 'unauthenticated'],
  ])('leaves the attempt its say: %s', (text, kind) => {
    expect(readProse(text)?.kind).toBe(kind);
  });

  it.each(['Jira', 'n8n', 'Auth0', 'D365'])('is a field that is none: %s', (name) => {
    for (const said of [
      '"colour" is not a recognised field',
      "'colour' is not a valid property",
      'colour is not a known attribute',
      'API error: "colour" is not an accepted argument',
      'Field "colour" is not known',
      'Unrecognised parameter colour',
    ])
      expect(readProse(`Failed to connect to ${name}: ${said}`)?.kind).toBe('invalid_arguments');
  });
});

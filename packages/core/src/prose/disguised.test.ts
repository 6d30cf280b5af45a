import { describe, expect, it } from 'vitest';
import { detectDisguised } from './index.ts';

describe('detectDisguised', () => {
  it.each([
    ['Error: Unknown tool: x', 'not_found'],
    ['❌ Failed to download: fetch failed', 'unavailable'],
    ['Error searching rooms: HTTP 503 Service Unavailable', 'unavailable'],
    ['{"error":"Rate limit exceeded"}', 'rate_limited'],
    ['{"success":false,"message":"Room not found"}', 'not_found'],
  ])('suspects "%s"', (text, kind) => {
    const found = detectDisguised(text);
    expect(found?.probability).toBeGreaterThanOrEqual(0.7);
    expect(found?.reading.kind).toBe(kind);
  });

  it('takes the word of a body that only says that it failed', () => {
    expect(detectDisguised('', { ok: false })?.reading.kind).toBe('unknown');
  });

  it.each([
    'No keys found matching pattern',
    'No rooms found',
    'Email sent successfully',
    '{"rooms":[],"count":0}',
    '# How to handle errors\n\nA 404 means not found, a 429 too many requests. Retry after a while. '.repeat(
      20,
    ),
  ])('does not suspect "%s"', (text) => {
    expect(detectDisguised(text)?.probability ?? 0).toBeLessThan(0.7);
  });
});

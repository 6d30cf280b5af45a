import { describe, expect, it } from 'vitest';
import { DEFAULTS, flagOf, settingsFrom } from './settings.ts';

describe('the limits', () => {
  it('ER-33 ER-34 ER-35 are the document’s, and those that it leaves open', () => {
    expect(DEFAULTS).toEqual({
      maxMessageBytes: 16_777_216,
      maxDescriptionLength: 10_000,
      maxContentBytes: 1_048_576,
      requestTimeoutMs: 30_000,
      toolTimeoutMs: 30_000,
      taskTimeoutMs: 300_000,
      clientTimeoutMs: 60_000,
      cursorTtlMs: 300_000,
      progressTtlMs: 60_000,
      tokenTtlMs: 3_600_000,
      rateLimit: 100,
      rateWindowMs: 60_000,
      pageSize: 50,
    });
  });

  it('have a flag each', () => {
    expect(flagOf('maxMessageBytes')).toBe('max-message-bytes');
    expect(settingsFrom({ 'page-size': '7', 'rate-limit': '9' })).toEqual({
      ...DEFAULTS,
      pageSize: 7,
      rateLimit: 9,
    });
  });
});

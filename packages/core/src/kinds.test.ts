import { describe, expect, it } from 'vitest';
import { isKind, isRetryable, KIND_NAMES, KINDS, type Reaction } from './kinds.ts';

/** The table of the design: reaction, retry, executed at the call's own boundary, and the status. */
// biome-ignore format: a table
const DESIGN: readonly (readonly [kind: string, reaction: string, when: string, executed: string, http: number])[] = [
  ['parse_error', 'validation', 'after_change', 'no', 400],
  ['invalid_request', 'validation', 'after_change', 'no', 400],
  ['invalid_arguments', 'validation', 'after_change', 'no', 400],
  ['unprocessable', 'validation', 'after_change', 'no', 422],
  ['too_large', 'validation', 'after_change', 'no', 413],
  ['unsupported_media', 'validation', 'after_change', 'no', 415],
  ['expired', 'validation', 'after_change', 'no', 410],
  ['unsupported', 'terminal', 'never', 'no', 501],
  ['unauthenticated', 'permission', 'after_auth', 'no', 401],
  ['forbidden', 'permission', 'never', 'no', 403],
  ['approval_required', 'permission', 'after_approval', 'no', 403],
  ['input_required', 'permission', 'after_change', 'no', 403],
  ['not_found', 'terminal', 'never', 'no', 404],
  ['conflict', 'terminal', 'never', 'no', 409],
  ['not_ready', 'retryable', 'backoff', 'no', 503],
  ['rate_limited', 'retryable', 'after_wait', 'no', 429],
  ['quota_exhausted', 'terminal', 'never', 'no', 429],
  ['overloaded', 'retryable', 'backoff', 'no', 503],
  ['timeout', 'retryable', 'backoff', 'maybe', 504],
  ['cancelled', 'terminal', 'never', 'maybe', 499],
  ['disconnected', 'retryable', 'backoff', 'maybe', 502],
  ['unavailable', 'dependency', 'backoff', 'no', 503],
  ['upstream_failed', 'dependency', 'backoff', 'maybe', 502],
  ['misconfigured', 'terminal', 'never', 'no', 500],
  ['invalid_output', 'terminal', 'never', 'yes', 500],
  ['internal', 'terminal', 'never', 'maybe', 500],
  ['unknown', 'terminal', 'never', 'maybe', 500],
];

describe('the kinds', () => {
  it('are those of the design, in its order, with what each implies', () => {
    const table = KIND_NAMES.map((kind) => {
      const { reaction, when, executed, http } = KINDS[kind];
      return [kind, reaction, when, executed, http];
    });
    expect(table).toEqual(DESIGN);
  });

  it('have a title and an instruction each, and no two the same', () => {
    for (const part of ['title', 'advice'] as const) {
      const words = KIND_NAMES.map((kind) => KINDS[kind][part]);
      expect(new Set(words).size).toBe(27);
      expect(words.filter((text) => !/^[A-Z]/.test(text))).toEqual([]);
    }
  });

  it('are a closed set', () => {
    expect(['not_found', 'toString', 'constructor', '', 404, null].map(isKind)).toEqual([
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
  });

  it('may be tried again for two of five reactions', () => {
    const reactions: readonly Reaction[] = [
      'validation',
      'permission',
      'retryable',
      'dependency',
      'terminal',
    ];
    expect(reactions.filter(isRetryable)).toEqual(['retryable', 'dependency']);
  });
});

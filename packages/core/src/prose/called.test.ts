import { describe, expect, it } from 'vitest';
import { ANSWERED, CALLED_FAILURES } from './called.fixture.ts';
import { detectDisguised } from './index.ts';

const isSuspected = (text: string): boolean => (detectDisguised(text)?.probability ?? 0) >= 0.7;

describe('a text without isError', () => {
  it('is a failure where it calls itself one', () =>
    expect(CALLED_FAILURES.filter((text) => !isSuspected(text))).toEqual([]));

  it('is an answer where it only looks like one', () => expect(ANSWERED.filter(isSuspected)).toEqual([]));
});

import { describe, expect, it } from 'vitest';
import { readProse } from './index.ts';
import { HEADS, SUBJECTS, type Told, UNSEEN_SUBJECTS } from './subjects.fixture.ts';

/** From here on a reading is believed. */
const BELIEVED = 0.6;

const wrongly = (cases: readonly Told[]) =>
  cases
    .map(([text, kind]) => ({ text, kind, ...readProse(text) }) as const)
    .map(({ text, certainty = 0 }, at) => [text, cases[at]?.[1], readProse(text)?.kind, certainty] as const)
    .filter(([, kind, read, certainty]) => kind !== read || certainty < BELIEVED);

describe('a name of a thing says nothing of the failure', () => {
  it('where it is the subject', () => expect(wrongly(SUBJECTS)).toEqual([]));
  it('unseen: where it is the subject', () => expect(wrongly(UNSEEN_SUBJECTS)).toEqual([]));
  it('but what is missing itself does', () => expect(wrongly(HEADS)).toEqual([]));
});

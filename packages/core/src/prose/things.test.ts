import { describe, expect, it } from 'vitest';
import { readProse } from './index.ts';
import { NO_THING, THINGS } from './things.fixture.ts';

const subjectOf = (text: string) => {
  const { type, id } = readProse(text)?.subject ?? {};
  return [type, id].filter((part) => part !== undefined).join(' | ');
};

describe('what a failure is about', () => {
  it('is named where the text does', () => {
    const wrong = THINGS.map(([text, ...named]) => [text, named.join(' | '), subjectOf(text)] as const);
    expect(wrong.filter(([, named, read]) => named !== read)).toEqual([]);
  });

  it('is not where the text does not', () => {
    const wrong = NO_THING.map((text) => [text, subjectOf(text)] as const);
    expect(wrong.filter(([, read]) => read !== '')).toEqual([]);
  });
});

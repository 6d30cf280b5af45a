import { describe, expect, it } from 'vitest';
import { readProse } from './index.ts';
import type { OfThing } from './things.fixture.ts';
import { OF_CLIENTS, OF_NO_CLIENT } from './things-of-clients.fixture.ts';

const subjectOf = (text: string): string => {
  const { type, id } = readProse(text)?.subject ?? {};
  return [type, id].filter((part) => part !== undefined).join(' | ');
};
const misread = (cases: readonly OfThing[]) =>
  cases
    .map(([text, ...named]) => [text, named.join(' | '), subjectOf(text)])
    .filter(([, named, read]) => named !== read);

describe('things that clients name', () => {
  it.each(Object.entries(OF_CLIENTS))('%s', (_form, cases) => expect(misread(cases)).toEqual([]));

  it('are none where none is named', () =>
    expect(OF_NO_CLIENT.map((text) => [text, subjectOf(text)]).filter(([, read]) => read !== '')).toEqual(
      [],
    ));
});

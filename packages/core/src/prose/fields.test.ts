import { describe, expect, it } from 'vitest';
import { NAMED_FIELDS, NAMING_NONE, type Naming } from './fields.fixture.ts';
import { readProse } from './index.ts';

const pathsIn = (text: string): string =>
  (readProse(text)?.issues ?? []).map(({ path }) => path.join('.')).join();
const misread = (cases: readonly Naming[]) =>
  cases.map(([text, ...paths]) => [text, paths.join(), pathsIn(text)]).filter(([, is, read]) => is !== read);

describe('fields that libraries name', () => {
  it.each(Object.entries(NAMED_FIELDS))('%s', (_form, cases) => expect(misread(cases)).toEqual([]));

  it('are none where none is named', () =>
    expect(NAMING_NONE.map((text) => [text, pathsIn(text)]).filter(([, read]) => read !== '')).toEqual([]));

  it('have steps that are numbers', () =>
    expect(readProse('data/items/0/name must be string')?.issues).toEqual([
      { path: ['items', 0, 'name'], message: 'must be string' },
    ]));

  it('are read once each, and in linear time', () => {
    const issues = readProse(`Invalid arguments: ${'data/a/b must be string, '.repeat(3000)}`)?.issues ?? [];
    expect(issues.length).toBe(64);
  });
});

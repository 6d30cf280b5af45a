import { describe, expect, it } from 'vitest';
import { detectDisguised, readBody, readProse } from './index.ts';
import {
  DISGUISED,
  FIELDS,
  GENUINE,
  KINDS,
  NEAR_KINDS,
  NO_FIELDS,
  REPORT,
  THINGS,
} from './unseen.fixture.ts';
import type { OfKind } from './wild-kinds.fixture.ts';

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};
/** As it is read when it comes as a text, and as a body where it is one. */
const readings = (text: string) => [readProse(text), readBody(parsed(text))];
const wronglyOfKind = (cases: readonly OfKind[]) =>
  cases.flatMap(([text, ...kinds]) =>
    readings(text)
      .map((reading) => [text, kinds, reading?.kind ?? 'unknown'] as const)
      .filter(([, , read]) => !kinds.includes(read)),
  );
const fieldsOf = (text: string) =>
  readings(text).map((reading) => (reading?.issues ?? []).map(({ path }) => path.join('.')).join());
const suspected = (text: string, structured?: unknown) =>
  (detectDisguised(text, structured)?.probability ?? 0) >= 0.7;

describe('what servers say in their own words', () => {
  it.each(Object.entries(KINDS))('is told by its form: %s', (_, cases) =>
    expect(wronglyOfKind(cases)).toEqual([]),
  );

  it('is something else where it is only nearly so', () => expect(wronglyOfKind(NEAR_KINDS)).toEqual([]));

  it('names its fields', () => {
    const read = FIELDS.flatMap(([text, ...fields]) =>
      fieldsOf(text).map((told) => [text, fields.join(), told] as const),
    );
    expect(read.filter(([, fields, told]) => fields !== told)).toEqual([]);
  });

  it('names no field where it names none', () =>
    expect(NO_FIELDS.map((text) => [text, ...fieldsOf(text)]).filter(([, one]) => one !== '')).toEqual([]));

  it('names what it is about', () => {
    const read = THINGS.flatMap(([text, type, id]) =>
      readings(text).map((reading) => [text, { type, ...(id && { id }) }, reading?.subject] as const),
    );
    expect(read.filter(([, named, told]) => JSON.stringify(named) !== JSON.stringify(told))).toEqual([]);
  });
});

describe('a failure that comes as success', () => {
  it('shows by what it says first', () => expect(DISGUISED.filter((text) => !suspected(text))).toEqual([]));

  it('is no answer that tells of nothing', () =>
    expect(GENUINE.filter((text) => suspected(text))).toEqual([]));

  it('is no report of several things', () => expect(suspected('## Environment', REPORT)).toBe(false));
});

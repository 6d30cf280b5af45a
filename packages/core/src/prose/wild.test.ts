import { describe, expect, it } from 'vitest';
import { isRetryable, type Kind, TRAITS } from '../kinds.ts';
import { FAILURES, SUCCESSES } from './disguised.fixture.ts';
import { detectDisguised, readProse } from './index.ts';
import { BY_FORM, NO_THING_BY_FORM } from './things-by-form.fixture.ts';
import { NEAR, type OfKind, WILD } from './wild-kinds.fixture.ts';

const subjectOf = (text: string) => {
  const { type, id } = readProse(text)?.subject ?? {};
  return [type, id].filter((part) => part !== undefined).join(' | ');
};
const wronglyOfKind = (cases: readonly OfKind[]) =>
  cases
    .map(([text, ...kinds]) => [text, kinds, readProse(text)?.kind ?? 'unknown'] as const)
    .filter(([, kinds, read]) => !kinds.includes(read));

describe('what a failure is about', () => {
  it.each(Object.entries(BY_FORM))('is named by %s', (_, cases) => {
    const read = cases.map(([text, ...named]) => [text, named.join(' | '), subjectOf(text)] as const);
    expect(read.filter(([, named, told]) => named !== told)).toEqual([]);
  });

  it('is not where a text of these forms names none', () => {
    const read = NO_THING_BY_FORM.map((text) => [text, subjectOf(text)] as const);
    expect(read.filter(([, told]) => told !== '')).toEqual([]);
  });
});

describe('what kind of failure it is', () => {
  it.each(Object.entries(WILD))('is told from its like: %s', (_, cases) =>
    expect(wronglyOfKind(cases)).toEqual([]),
  );

  it('stays what it is beside them', () => expect(wronglyOfKind(NEAR)).toEqual([]));

  it('is not to be tried again where nothing would change', () => {
    const patient: readonly Kind[] = ['unavailable', 'not_ready', 'upstream_failed'];
    const never = [...Object.values(WILD).flat(), ...NEAR]
      .filter(([, ...kinds]) => !kinds.some((kind) => isRetryable(TRAITS[kind].reaction)))
      .map(([text]) => [text, readProse(text)?.kind ?? 'unknown'] as const);
    expect(never.filter(([, kind]) => patient.includes(kind))).toEqual([]);
  });
});

describe('a failure that comes as success', () => {
  /** What `--disguised` asks for. */
  const SUSPECTED = 0.7;
  const suspected = (text: string) => (detectDisguised(text)?.probability ?? 0) >= SUSPECTED;

  it.each(Object.entries(FAILURES))('shows by %s', (_, texts) =>
    expect(texts.filter((text) => !suspected(text))).toEqual([]),
  );

  it('is no success that sounds like one', () => expect(SUCCESSES.filter(suspected)).toEqual([]));
});

import { expect, it } from 'vitest';
import { readCallMeta, writeCallMeta } from './call-meta.ts';

it('writes the deadline and the attempt beside what is there', () => {
  expect(writeCallMeta({ progressToken: 7 }, { deadline: 1_700_000_000_000.4, attempt: 2 })).toEqual({
    progressToken: 7,
    'dev.mayday/deadline': 1_700_000_000_000,
    'dev.mayday/attempt': 2,
  });
});

it('never gives longer than the caller waits, and always something that can be read back', () => {
  expect(writeCallMeta({}, { deadline: 1_700_000_000_000.9 })).toEqual({
    'dev.mayday/deadline': 1_700_000_000_000,
  });
  expect(writeCallMeta({}, { deadline: 0.2 })).toEqual({ 'dev.mayday/deadline': 1 });
});

it('reads back what it wrote', () => {
  expect(readCallMeta(writeCallMeta(undefined, { deadline: 5, attempt: 1 }))).toEqual({
    deadline: 5,
    attempt: 1,
  });
});

it('reads any deadline after the beginning of time, and attempts up to a thousand', () => {
  expect(readCallMeta({ 'dev.mayday/deadline': 1, 'dev.mayday/attempt': 1000 })).toEqual({
    deadline: 1,
    attempt: 1000,
  });
  expect(readCallMeta({ 'dev.mayday/deadline': 0.5, 'dev.mayday/attempt': 1001 })).toEqual({ deadline: 0.5 });
});

it.each([
  [null],
  [undefined],
  [{ 'dev.mayday/deadline': 0, 'dev.mayday/attempt': -1 }],
  ['text'],
  [[1]],
  [{ 'dev.mayday/deadline': 'soon', 'dev.mayday/attempt': 0 }],
  [{ 'dev.mayday/deadline': Number.NaN, 'dev.mayday/attempt': 1.5 }],
  [{ 'dev.mayday/deadline': -1, 'dev.mayday/attempt': 1e9 }],
])('finds nothing in %j', (meta) => {
  expect(readCallMeta(meta)).toEqual({});
});

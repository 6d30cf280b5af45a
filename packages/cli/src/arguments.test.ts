import { expect, test } from 'vitest';
import { parseArguments } from './arguments.ts';

const FLAGS = { json: { type: 'boolean' }, from: { type: 'string' } } as const;

test.each([['-32001'], ['-1'], ['-.5'], ['-32001abc']])('takes %s for an argument, not for flags', (word) => {
  expect(parseArguments('explain', [word, '--json'], FLAGS)).toEqual({
    values: { json: true },
    positionals: [word],
  });
});

test('takes a negative number as the value of a flag', () => {
  expect(parseArguments('read', ['--from', '-32001'], FLAGS).values).toEqual({ from: '-32001' });
});

test('keeps everything after two dashes', () => {
  expect(parseArguments('explain', ['--', '--json', '-32001'], FLAGS)).toEqual({
    values: {},
    positionals: ['--json', '-32001'],
  });
});

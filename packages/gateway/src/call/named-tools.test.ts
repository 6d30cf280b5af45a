import { expect, it } from 'vitest';
import type { CommonSettings } from '../settings/settings.ts';
import { namedTools } from './named-tools.ts';

it('tells once of names that no tool has', () => {
  const notes: string[] = [];
  const retry = { repeatable: ['read_file'], neverRepeat: ['a_pay', 'nosuch', 'pay'] };
  const tools = { allow: ['*'], deny: ['del_*', 'p*'], rename: { pay: 'x', rm: 'y' }, descriptions: {} };
  const look = namedTools({ retry, tools } as unknown as CommonSettings, (text) => notes.push(text));
  look(['pay', 'readfile']);
  look(['pay', 'readfile']);
  expect(notes).toEqual([
    'retry.repeatable names read_file, and the server has no such tool; did you mean readfile?',
    'retry.never_repeat names a_pay, and the server has no such tool; did you mean pay?',
    'retry.never_repeat names nosuch, and the server has no such tool',
    'tools.deny names del_*, and the server has no such tool',
    'tools.rename names rm, and the server has no such tool',
  ]);
});

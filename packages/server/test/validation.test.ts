/** What a caller learns about arguments that a schema refuses. */
import { describe, expect, it } from 'vitest';
import { nearest } from '../src/boundary/nearest.ts';
import { toIssues } from '../src/boundary/validation.ts';
import { failingServer } from './fixture.ts';
import { ask, faultIn, textOf } from './wire.ts';

const call = (name: string, args: object) =>
  ask(() => failingServer(), '2026-07-28', 'tools/call', { name, arguments: args });

describe('invalid arguments', () => {
  it('are all listed, each with path, message and code', async () => {
    const answer = await call('args', { citty: 'Bern', days: 0, unit: 'kelvin' });
    expect(faultIn(answer?.message)).toMatchObject({
      kind: 'invalid_arguments',
      reaction: 'validation',
      executed: 'no',
    });
    expect(faultIn(answer?.message)['issues']).toEqual([
      {
        path: ['city'],
        message: 'required, expected string (you sent citty, did you mean city?)',
        code: 'required',
      },
      { path: ['days'], message: 'Too small: expected number to be >=1', code: 'too_small' },
      { path: ['unit'], message: 'expected one of "c"|"f"', code: 'invalid_value' },
    ]);
  });

  it('are told to the model in under 60 words', async () => {
    const text = textOf(await call('args', { citty: 'Bern', days: 0, unit: 'kelvin' }));
    expect(text).toMatch(
      /^Invalid arguments for tool args: city: required, expected string .*days: .*unit: /,
    );
    expect(text.split(/\s+/).length).toBeLessThan(60);
  });

  it('propose the one key that is missing for the one that nobody knows', async () => {
    const answer = await call('args', { town: 'Bern', days: 1 });
    expect(textOf(answer)).toContain('city: required, expected string (you sent town, did you mean city?)');
  });

  it('propose the key that was meant, where unknown keys are refused', async () => {
    const answer = await call('strict', { limit: 1, limti: 2, unrelated: 3 });
    expect(faultIn(answer?.message)['issues']).toEqual([
      { path: ['limti'], message: 'unknown argument, did you mean limit?', code: 'unrecognized_keys' },
      { path: ['unrelated'], message: 'unknown argument', code: 'unrecognized_keys' },
    ]);
  });

  it('of a prompt are listed in a protocol error', async () => {
    const answer = await ask(() => failingServer(), '2026-07-28', 'prompts/get', {
      name: 'greet',
      arguments: { nmae: 'Ada' },
    });
    expect(answer?.message.error?.code).toBe(-32602);
    expect(faultIn(answer?.message)['issues']).toMatchObject([{ path: ['name'], code: 'required' }]);
  });
});

describe('nearest', () => {
  it.each([
    ['citty', 'city'],
    ['max-results', 'maxResults'],
    ['lmiit', 'limit'],
    ['LIMIT', 'limit'],
  ])('takes %s for %s', (wrong, meant) => {
    expect(nearest(wrong, ['city', 'maxResults', 'limit'])).toBe(meant);
  });

  it.each(['unrelated', 'x'.repeat(100_000), ''])('takes a stranger for nothing', (wrong) => {
    expect(nearest(wrong, ['city', 'maxResults', 'limit'])).toBeUndefined();
  });
});

describe('issues of other validators', () => {
  it('keep their path through Standard Schema segments', () => {
    expect(toIssues({ message: 'Expected a number', path: [{ key: 'items' }, 0, { key: 'n' }] })).toEqual([
      { path: ['items', 0, 'n'], message: 'Expected a number' },
    ]);
  });

  it('say what was expected, where the message does not', () => {
    expect(toIssues({ message: 'Wrong', path: ['a'], code: 'invalid_type', expected: 'date' })).toEqual([
      { path: ['a'], message: 'Wrong, expected date', code: 'invalid_type' },
    ]);
  });
});

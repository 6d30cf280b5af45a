import { expect, it, onTestFinished, vi } from 'vitest';
import { stderrLogger } from './log.ts';

/** What is written for these fields, on one line. */
function logged(fields: object, message = 'Something happened'): string {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => write.mockRestore());
  stderrLogger('onx').error(fields, message);
  return String(write.mock.calls[0]?.[0]);
}

it('writes one JSON object a line, with errors and their causes', () => {
  const err = new Error('outer', { cause: new TypeError('inner') });
  expect(JSON.parse(logged({ err, tool: 'x' }))).toMatchObject({
    level: 'error',
    service: 'onx',
    message: 'Something happened',
    tool: 'x',
    err: { name: 'Error', message: 'outer', cause: { name: 'TypeError', message: 'inner' } },
  });
});

it.each([
  ['a text', { err: new Error('x'.repeat(5_000_000)) }],
  ['a name', { given: { ['x'.repeat(5_000_000)]: 1 } }],
  ['a list', { issues: new Array(500_000).fill('wrong') }],
])('bounds a line with %s that somebody else has made long', (_what, fields) => {
  const line = logged(fields);
  expect(line.length).toBeLessThan(40_000);
  expect(line.endsWith('\n')).toBe(true);
  expect(JSON.parse(line)).toMatchObject({ level: 'error', service: 'onx', message: 'Something happened' });
});

it('keeps keys and people out of the log, and where it was in it', () => {
  const secret = 'sk_live_4eC39HqLyjWDarjtT1zdp7dc';
  const err = Object.assign(new Error(`No order ${secret} of ann@example.com`), { subject: { id: secret } });
  const line = logged({ err, tool: `get_${secret}` });
  expect(line).not.toContain(secret);
  expect(line).not.toContain('ann@example.com');
  expect(line).toContain('log.test.ts');
});

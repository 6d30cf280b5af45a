import { expect, it, onTestFinished } from 'vitest';
import { warn } from './warn.ts';

/** What is warned of one value. */
async function warned(reason: unknown, hiding?: { readonly hide: readonly string[] }): Promise<string> {
  const said: string[] = [];
  const listen = (warning: Error): unknown => said.push(warning.message);
  process.on('warning', listen);
  onTestFinished(() => void process.off('warning', listen));
  warn('a hook failed', reason, hiding);
  await new Promise(setImmediate);
  process.off('warning', listen);
  expect(said).toHaveLength(1);
  return String(said[0]);
}

it('tells what went wrong without secrets', async () => {
  const said = await warned(new Error('postgres://svc:hunter2@db.example/x refused'));
  expect(said).toMatch(/^a hook failed: Error: postgres:.*refused\n {4}at /);
  expect(said).not.toContain('hunter2');
});

const broken = (): never => {
  throw new Error('odd');
};
const revoked = Proxy.revocable({}, {});
revoked.revoke();

it.each([
  ['hostile', { toString: broken, toJSON: broken }, 'something that cannot be printed'],
  ['a proxy that is no more', revoked.proxy, 'something that cannot be printed'],
  ['an empty object', {}, 'something that cannot be printed'],
  ['an object', { status: 503, password: 'Tr0ub4dor' }, '{"status":503,"password":"[password:1]"}'],
  [
    'an object without a prototype',
    Object.assign(Object.create(null), { password: 'Tr0ub4dor' }),
    '{"password":"[password:1]"}',
  ],
  ['an error without a stack', Object.assign(new Error('late'), { stack: undefined }), 'Error: late'],
  [
    'an error whose stack cannot be looked at',
    Object.defineProperty(new Error('late'), 'stack', { get: broken }),
    'Error: late',
  ],
  ['nothing', undefined, 'undefined'],
  ['words', 'late', 'late'],
])('never fails itself, and says what it can: %s', async (_, reason, words) => {
  expect(await warned(reason)).toBe(`a hook failed: ${words}`);
});

it('cuts what is long, without a half of a secret', async () => {
  const said = await warned(
    `${'y'.repeat(7990)}postgres://svc:hunter2@db.example/x ${'z'.repeat(5_000_000)}`,
  );
  expect(said.length).toBeLessThan(8200);
  expect(said).not.toContain('hunter');
});

it('hides what it is told to', async () => {
  const said = await warned(new Error('bad key plainOddSecret99'), { hide: ['plainOddSecret99'] });
  expect(said).toContain('bad key [');
  expect(said).not.toContain('plainOddSecret99');
});

import { expect, it, onTestFinished } from 'vitest';
import { warn } from './warn.ts';

it('tells what went wrong without secrets, and never fails itself', async () => {
  const said: string[] = [];
  const listen = (warning: Error): unknown => said.push(warning.message);
  process.on('warning', listen);
  onTestFinished(() => void process.off('warning', listen));
  warn('a hook failed', new Error('postgres://svc:hunter2@db.example/x refused'));
  warn('a hook failed', {
    toString() {
      throw new Error('odd');
    },
  });
  await new Promise(setImmediate);
  expect(said).toHaveLength(1);
  expect(said[0]).toMatch(/^a hook failed: Error: postgres:.*refused\n {4}at /);
  expect(said[0]).not.toContain('hunter2');
});

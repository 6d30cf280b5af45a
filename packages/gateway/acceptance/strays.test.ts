/** What nobody waits for or catches, in code that an operator brings along, ends no gateway. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { scratch, startGateway } from './support/gateway.ts';
import { at } from './support/house.ts';
import { post } from './support/http.ts';
import { ask } from './support/messages.ts';
import { stdio } from './support/world.ts';

it.each([
  [
    'a promise',
    "void Promise.reject(new Error('password hunter2'))",
    /a promise that nobody waits for was rejected, at careless\.mjs:1/,
  ],
  [
    'a timer',
    "setTimeout(() => { throw new Error('password hunter2'); }, 1)",
    /an exception that nobody caught \(Error\), at careless\.mjs:1/,
  ],
  [
    'what is no error',
    "queueMicrotask(() => { throw { get code() { throw 'password hunter2'; } }; })",
    /an exception that nobody caught \(object\), at an unknown place/,
  ],
  [
    'a socket',
    "void import('node:net').then(({ connect }) => void connect(9, '127.0.0.1'))",
    /an exception that nobody caught \(ECONNREFUSED\), at an unknown place/,
  ],
])('goes on after %s, and tells the operator where it was without what it says', async (_, does, told) => {
  const folder = scratch();
  const module = join(folder, 'careless.mjs');
  writeFileSync(module, `process.on('SIGUSR2', () => { ${does}; });`);
  const gateway = await startGateway({ upstreams: { p: stdio() } }, { folder, preload: [module] });
  process.kill(gateway.pid, 'SIGUSR2');
  await expect.poll(gateway.log, { timeout: 10_000 }).toMatch(told);
  const { message } = await post(at(gateway, 'p'), ask('tools/list'));
  expect(message['result']?.tools.length).toBeGreaterThan(0);
  expect(gateway.alive()).toBe(true);
  expect(gateway.log()).not.toContain('hunter2');
  expect(await gateway.stop()).toBe(0);
});

it('ends where the code is its own, and does not say either what was thrown', async () => {
  const folder = scratch();
  const own = join(folder, '@mayday');
  mkdirSync(own);
  const module = join(own, 'part.mjs');
  writeFileSync(
    module,
    "process.on('SIGUSR2', () => setTimeout(() => { throw new TypeError('password hunter2'); }, 1));",
  );
  const gateway = await startGateway({ upstreams: { p: stdio() } }, { folder, preload: [module] });
  process.kill(gateway.pid, 'SIGUSR2');
  await expect.poll(gateway.alive, { timeout: 10_000 }).toBe(false);
  expect(gateway.log()).toContain(
    'mayday: bug: an exception that nobody caught (TypeError), at part.mjs:1\n',
  );
  expect(gateway.log()).not.toContain('hunter2');
});

/** A promise that nobody waits for, in code that an operator brings along, ends no gateway. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { scratch, startGateway } from './support/gateway.ts';
import { at } from './support/house.ts';
import { post } from './support/http.ts';
import { ask } from './support/messages.ts';
import { stdio } from './support/world.ts';

it('goes on, and tells the operator where it was without what it says', async () => {
  const folder = scratch();
  const module = join(folder, 'careless.mjs');
  writeFileSync(module, "process.on('SIGUSR2', () => void Promise.reject(new Error('password hunter2')));");
  const gateway = await startGateway({ upstreams: { p: stdio() } }, { folder, preload: [module] });
  process.kill(gateway.pid, 'SIGUSR2');
  await expect
    .poll(gateway.log, { timeout: 10_000 })
    .toMatch(/nobody waits for was rejected, at careless\.mjs:1/);
  const { message } = await post(at(gateway, 'p'), ask('tools/list'));
  expect(message['result']?.tools.length).toBeGreaterThan(0);
  expect(gateway.alive()).toBe(true);
  expect(gateway.log()).not.toContain('hunter2');
  expect(await gateway.stop()).toBe(0);
});

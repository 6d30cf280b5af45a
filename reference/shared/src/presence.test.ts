import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { tempFolder } from '@mayday/reference-shared/testing';
import { expect, it, onTestFinished } from 'vitest';
import { openPresence } from './presence.ts';

const PROGRAM = `
  import { openPresence } from ${JSON.stringify(new URL('./presence.ts', import.meta.url).href)};
  process.stdout.write(String(openPresence(process.argv[1]).id()));
  setInterval(() => {}, 1000);
`;
const NODE = [process.execPath, '--input-type=module', '-e', PROGRAM];

/** A process in a container has a number of its own; where the machine allows no such thing, any process will do. */
const CONTAINER = ['unshare', '-Urpf', '--mount-proc', '--kill-child'] as const;
const [unshare, ...flags] = CONTAINER;
const allowed = spawnSync(unshare, [...flags, 'true']).status === 0;

it.each([
  ['on this machine', []],
  ['in a container', allowed ? CONTAINER : []],
])('tells a process %s from one that was killed', async (_where, around) => {
  const folder = tempFolder();
  const [program = '', ...words] = [...around, ...NODE, folder];
  const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [said] = await once(child.stdout, 'data');
  const other = Number(String(said));
  const { has, id, close } = openPresence(folder);
  expect([has(other), has(id()), has(7)]).toEqual([true, true, false]);
  expect(readdirSync(folder)).toHaveLength(2);
  child.kill('SIGKILL');
  await once(child, 'close');
  expect([has(other), has(other), has(id())]).toEqual([false, false, true]);
  close();
  expect(readdirSync(folder)).toEqual([]);
});

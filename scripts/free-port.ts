/**
 * A port for a program that has to be told one, and is slow to take it: until then nobody else may get the same. So ports
 * do not come from those that the system hands out, and each process that asks has a hundred of its own.
 */
import { once } from 'node:events';
import { createServer } from 'node:net';

const FIRST = 10_240;
const EACH = 100;
const PROCESSES = 220; // the last port is below those that Linux hands out
const first = FIRST + (process.pid % PROCESSES) * EACH;
let asked = Math.floor(Math.random() * EACH);

/** A port that nobody has, and nobody else is told. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < EACH; tries += 1) {
    const port = first + (asked++ % EACH);
    if (await isFree(port)) return port;
  }
  throw new Error(`No port from ${first} to ${first + EACH - 1} is free: end what listens there`);
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1');
  try {
    await once(probe, 'listening');
  } catch {
    return false;
  }
  probe.close();
  await once(probe, 'close');
  return true;
}

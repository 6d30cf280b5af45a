/** SQLite waits for a lock by holding up the whole process. Here the process goes on, and asks again. */
import { setTimeout as pause } from 'node:timers/promises';
import { StoreError } from '../store-error.ts';

/** How long another process may hold the file before a call fails. */
const PATIENCE_MS = 5000;
const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 50;

/**
 * A port, each of whose methods is one transaction, asked again while another process holds the file: whoever finds it
 * held has changed nothing.
 */
export function patient<P extends object>(port: P, patienceMs: number = PATIENCE_MS): P {
  const methods = Object.entries(port).map(([name, method]) => [
    name,
    patiently(method as Method, patienceMs),
  ]);
  return Object.fromEntries(methods) as P;
}

type Method = (...args: readonly unknown[]) => unknown;

function patiently(method: Method, patienceMs: number): Method {
  return (...args) => {
    const until = performance.now() + patienceMs;
    const again = (thrown: unknown): Promise<unknown> => retried(() => method(...args), thrown, until);
    try {
      const result = method(...args);
      return result instanceof Promise ? result.catch(again) : result;
    } catch (thrown) {
      return isHeld(thrown) ? again(thrown) : raise(thrown);
    }
  };
}

async function retried(work: () => unknown, first: unknown, until: number): Promise<unknown> {
  let thrown = first;
  for (
    let ms = FIRST_PAUSE_MS;
    isHeld(thrown) && performance.now() < until;
    ms = Math.min(LONGEST_PAUSE_MS, ms * 2)
  ) {
    await pause(ms);
    try {
      return await work();
    } catch (next) {
      thrown = next;
    }
  }
  throw thrown;
}

function isHeld(thrown: unknown): boolean {
  return thrown instanceof StoreError && thrown.problem === 'slow';
}

function raise(thrown: unknown): never {
  throw thrown;
}

/**
 * Preloaded into a gateway, this lets its clocks and timers run a hundred times faster, so that a documented default of five
 * minutes can be seen in three seconds. Sockets and processes keep their own pace.
 */
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers';
import promises from 'node:timers/promises';
import { promisify } from 'node:util';

const SPEED = 100;
const began = Date.now();
const { setTimeout: later, setInterval: often } = timers;
const wait = promises.setTimeout;
const realNow = Date.now;
const realPerformance = performance.now.bind(performance);

function faster(run: typeof later): typeof later {
  const quick = (callback: () => void, ms = 0, ...rest: []): NodeJS.Timeout =>
    run(callback, ms / SPEED, ...rest);
  return quick as typeof later;
}

const setTimeoutFaster = faster(later);
const waitFaster = (ms = 0, ...rest: []): Promise<void> => wait(ms / SPEED, ...rest);
Object.defineProperty(setTimeoutFaster, promisify.custom, { value: waitFaster });

timers.setTimeout = setTimeoutFaster;
timers.setInterval = faster(often as unknown as typeof later) as unknown as typeof often;
promises.setTimeout = waitFaster as typeof wait;
globalThis.setTimeout = timers.setTimeout;
globalThis.setInterval = timers.setInterval;
AbortSignal.timeout = (ms): AbortSignal => {
  const controller = new AbortController();
  const expire = (): void => controller.abort(new DOMException('The operation timed out', 'TimeoutError'));
  later(expire, ms / SPEED).unref();
  return controller.signal;
};
Date.now = () => began + (realNow() - began) * SPEED;
performance.now = () => realPerformance() * SPEED;
syncBuiltinESMExports();

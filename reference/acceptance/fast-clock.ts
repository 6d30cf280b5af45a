/**
 * Loaded before a program: its waits and time limits pass at once and are written down, one number a line, in the file that
 * `ACCEPTANCE_WAITS` names. Timers of Node, of libraries and short ones stay what they are. `ACCEPTANCE_RANDOM` fixes chance.
 */
import { appendFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';

const file = process.env['ACCEPTANCE_WAITS'] ?? '';
const chance = process.env['ACCEPTANCE_RANDOM'];
if (chance !== undefined) {
  Math.random = () => Number(chance);
}

/** Only waits that code of this repository asks for are the sample's own. */
function isOurs(ms: number | undefined): ms is number {
  const frames = (new Error().stack ?? '').split('\n').slice(1);
  const caller = frames.find((line) => !line.includes('fast-clock')) ?? '';
  const here = caller.includes('file:') && !caller.includes('node_modules');
  return here && ms !== undefined && ms >= 300 && ms <= 50_000;
}

function shortened(ms: number | undefined): number | undefined {
  if (!isOurs(ms)) {
    return ms;
  }
  if (file !== '') {
    appendFileSync(file, `${ms}\n`);
  }
  return 1;
}

const slow = globalThis.setTimeout;
const slowPromise = timers.setTimeout;
globalThis.setTimeout = ((run: (...rest: unknown[]) => void, ms?: number, ...rest: unknown[]) =>
  slow(run, shortened(ms), ...rest)) as typeof setTimeout;
timers.setTimeout = (ms, value, options) => slowPromise(shortened(ms), value, options);
const slowSignal = AbortSignal.timeout.bind(AbortSignal);
AbortSignal.timeout = (ms) => slowSignal(shortened(ms) ?? ms);
syncBuiltinESMExports();

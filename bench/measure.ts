/** Timing two things in one run: interleaved rounds, medians, and their ratio. */

/** One thing to time; it returns something, so that it cannot be optimised away. */
export interface Contender {
  readonly name: string;
  run(): unknown;
}

/** Nanoseconds of the processor's time that a call takes, as the lower quartile over rounds: what other work on the machine adds is not ours. */
export interface Timing {
  readonly name: string;
  readonly ns: number;
}

/** The time this thread had the processor, in milliseconds; the wall clock where Node does not tell. */
export function threadClock(): number {
  const usage = process.threadCpuUsage?.();
  return usage ? (usage.user + usage.system) / 1000 : performance.now();
}

let sink: unknown;

/** Times contenders in turns, so that a slow moment of the machine hits all of them. */
export function race(
  contenders: readonly Contender[],
  options: { rounds?: number; roundMs?: number } = {},
): Timing[] {
  const { rounds = 15, roundMs = 40 } = options;
  const samples = contenders.map(() => [] as number[]);
  for (const contender of contenders) warmUp(contender, WARM_UP_MS);
  const calls = contenders.map((contender) => calibrate(contender, roundMs));
  for (let round = 0; round < rounds; round += 1) {
    contenders.forEach((contender, at) => {
      samples[at]?.push(time(contender, calls[at] as number));
    });
  }
  return contenders.map(({ name }, at) => ({ name, ns: lowerQuartile(samples[at] as number[]) }));
}

const WARM_UP_MS = 300;

/** Compiles what the engine compiles lazily: code, regular expressions, tables. */
function warmUp(contender: Contender, ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end) sink = contender.run();
}

function calibrate(contender: Contender, roundMs: number): number {
  let calls = 1;
  for (let ns = 0; ns * calls < roundMs * 1e6 && calls < 1e7; calls *= 2) ns = time(contender, calls);
  return calls;
}

function time(contender: Contender, calls: number): number {
  const start = threadClock();
  for (let call = 0; call < calls; call += 1) sink = contender.run();
  return ((threadClock() - start) * 1e6) / calls;
}

function lowerQuartile(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 4)] ?? Number.NaN;
}

/** Keeps the last result alive. */
export function lastResult(): unknown {
  return sink;
}

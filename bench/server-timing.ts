/**
 * Does the time of a refusal tell why it was refused? Calls with each reason take turns in random order; for
 * every pair of reasons, the two samples are compared by how often the one is slower than the other (the
 * area under the curve of an attacker who guesses from one call). 0.5 is blind guessing; fails beyond the
 * tolerance. A reason that is deliberately slower by 100 µs shows that the measurement would see it.
 */
import { InMemoryTransport, McpServer } from '@modelcontextprotocol/server';
import { digestKey, type Guard, guard, type KeyRecord, keys, scopes } from '../packages/server/src/index.ts';

const SAMPLES = Number(process.env['SAMPLES'] ?? 4000);
const TOLERANCE = 0.06;

/** The same numbers each run, so that a run can be repeated. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const records: { readonly [digest: string]: KeyRecord } = {
  [digestKey('qx_live_revoked')]: { principal: 'bob', revoked: true },
  [digestKey('qx_live_expired')]: { principal: 'eve', expiresAt: 1 },
};

interface Case {
  readonly name: string;
  readonly tool: string;
  readonly authorization?: string;
}

async function measure(guards: readonly Guard[], cases: readonly Case[]): Promise<Map<string, number[]>> {
  const server = guard(new McpServer({ name: 'timing', version: '1' }), { guards, deadlineMs: false });
  for (const name of ['sensitive', 'scoped', 'disabled']) {
    const handle = server.registerTool(name, {}, async () => ({ content: [] }));
    if (name === 'disabled') handle.disable();
  }
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  let answered: () => void = () => {};
  near.onmessage = () => answered();
  await near.start();
  let id = 0;
  const one = async ({ tool, authorization }: Case): Promise<number> => {
    const message = { jsonrpc: '2.0', id: ++id, method: 'tools/call', params: { name: tool } };
    const extra = {
      request: new Request('http://localhost/', {
        headers: authorization === undefined ? {} : { authorization },
      }),
    };
    const start = process.hrtime.bigint();
    await new Promise<void>((resolve) => {
      answered = resolve;
      far.onmessage?.(message as never, extra as never);
    });
    return Number(process.hrtime.bigint() - start);
  };
  const random = createRandom(42);
  const times = new Map(cases.map(({ name }) => [name, [] as number[]]));
  for (let round = -SAMPLES / 4; round < SAMPLES; round++) {
    const order = [...cases].sort(() => random() - 0.5);
    for (const item of order) {
      const time = await one(item);
      if (round >= 0) times.get(item.name)?.push(time);
    }
  }
  return times;
}

/** How often a call of `a` is slower than one of `b`, ties counting half. */
function slowerThan(a: readonly number[], b: readonly number[]): number {
  const sorted = [...b].sort((x, y) => x - y);
  let wins = 0;
  for (const time of a) wins += (lowerBound(sorted, time) + lowerBound(sorted, time + 1)) / 2;
  return wins / (a.length * b.length);
}

function lowerBound(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

let failed = false;
function compare(title: string, times: Map<string, number[]>, expectDifference = false): void {
  const names = [...times.keys()];
  for (const [i, a] of names.entries()) {
    for (const b of names.slice(i + 1)) {
      const share = slowerThan(times.get(a) ?? [], times.get(b) ?? []);
      const told = Math.abs(share - 0.5) > TOLERANCE;
      console.log(
        `${title}: ${a} slower than ${b} in ${(share * 100).toFixed(1)} % of pairs${told ? ' (told apart)' : ''}`,
      );
      if (told !== expectDifference) failed = true;
    }
  }
}

const reach = [scopes({ opaque: true, sensitive: ['sensitive'], required: { scoped: ['a'] } })];
compare(
  'tool',
  await measure(reach, [
    { name: 'unknown', tool: 'unknown1' },
    { name: 'disabled', tool: 'disabled' },
    { name: 'sensitive', tool: 'sensitive' },
    { name: 'out of scope', tool: 'scoped' },
  ]),
);
compare(
  'key',
  await measure(
    [keys({ lookup: (digest) => records[digest] })],
    [
      { name: 'unknown', tool: 'scoped', authorization: 'Bearer qx_live_unknown' },
      { name: 'revoked', tool: 'scoped', authorization: 'Bearer qx_live_revoked' },
      { name: 'expired', tool: 'scoped', authorization: 'Bearer qx_live_expired' },
      { name: 'malformed', tool: 'scoped', authorization: 'Bearer qx live expired' },
    ],
  ),
);
const leaky: Guard = {
  name: 'leaky',
  before(call) {
    const until = performance.now() + (call.name === 'scoped' ? 0.1 : 0);
    while (performance.now() < until);
  },
};
compare(
  'control',
  await measure(
    [leaky, ...reach],
    [
      { name: 'unknown', tool: 'unknown1' },
      { name: 'out of scope, 100 µs slower', tool: 'scoped' },
    ],
  ),
  true,
);
process.exitCode = failed ? 1 : 0;

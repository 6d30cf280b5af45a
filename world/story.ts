/** A story: everything that will happen in a world, as data. The same story always ends the same way. */
import fc from 'fast-check';

/** Who calls: our client over either SDK, the official one alone, or our policies without an SDK. */
const CLIENTS = ['ours over v1', 'ours over v2', 'official', 'policies'] as const;

/** What the agent and the server are made of, and what stands between them. */
export interface Setting {
  readonly client: (typeof CLIENTS)[number];
  readonly way: 'direct' | 'gateway';
  readonly server: 'v1' | 'v2' | 'bare';
  readonly guarded: boolean;
  /** Are declarations believed? Where they are not, tools of unguarded servers lie in them. */
  readonly trusted: boolean;
  /** Our client's `attemptTimeoutMs` and `hedgeAfterMs`. */
  readonly attemptTimeoutMs: number | undefined;
  readonly hedgeAfterMs: number | undefined;
  /** The gateway's `timeout_ms`. */
  readonly gatewayTimeoutMs: number;
}

/** What tools say about themselves. `erase` says that a second call does no harm, and that it cannot be undone. */
export const TOOLS = {
  look: { readOnlyHint: true },
  pay: {},
  renew: { idempotentHint: true, destructiveHint: false },
  erase: { idempotentHint: true, destructiveHint: true },
} as const;

/** The name of a tool. */
type ToolName = keyof typeof TOOLS;

/** What happens to a request, or to its answer, between the agent and the gateway. */
const DOOR_FATES = [
  'passes',
  'refused',
  'reset before',
  'reset after',
  'request lost',
  'answer lost',
  'answer cut',
  'answer late',
  '503 instead',
  '502 instead',
  '429 before',
] as const;

/** What happens to a line, or to its answer, in the pipe to a server. */
const PIPE_FATES = [
  'passes',
  'request lost',
  'request late',
  'answer lost',
  'answer twice',
  'answer late',
  'half a line',
  'another id',
  'dies before',
  'dies after',
  'refused, then told',
  'refused, then dies',
] as const;

/** How a tool ends. */
const ENDINGS = [
  'fine',
  'says fetch failed',
  'says 503',
  'says 429',
  'says refused',
  'throws fetch failed',
  'throws 429',
  'throws 503',
  'throws ECONNREFUSED',
  'throws ENOTFOUND',
  'throws a rate limit',
  'throws unavailable',
  'throws a protocol error',
  'asks for a visit',
  'declares maybe',
  'declares no',
  'hangs',
  'dies',
] as const;

export type DoorFate = (typeof DOOR_FATES)[number];
export type PipeFate = (typeof PIPE_FATES)[number];
export type Ending = (typeof ENDINGS)[number];

/** One run of a tool: so many of its two effects, then an end. */
export interface Work {
  readonly effects: 0 | 1 | 2;
  readonly ending: Ending;
  readonly takesMs: number;
}

/** One call of the agent, and what happens to the first, second, … try of it at each place; then all is well. */
export interface CallPlan {
  readonly at: number;
  readonly tool: ToolName;
  /** Calls with the same number carry the same idempotency key. */
  readonly key: number | undefined;
  /** Under one key, other arguments are another call. */
  readonly amount: number;
  readonly deadlineMs: number | undefined;
  readonly cancelAfterMs: number | undefined;
  readonly door: readonly DoorFate[];
  readonly pipe: readonly PipeFate[];
  readonly work: readonly Work[];
  /** The last of them happens again and again. */
  readonly stubborn: boolean;
}

/** Something that happens to a part as a whole. */
interface Mishap {
  readonly at: number;
  readonly what: 'gateway dies' | 'servers die';
  /** How long nobody is there. */
  readonly downMs: number;
  /** What the gateway keeps of its keys. */
  readonly keepsAnswers: boolean;
}

/** A whole story. */
export interface Story {
  readonly setting: Setting;
  readonly calls: readonly CallPlan[];
  readonly mishaps: readonly Mishap[];
  readonly seed: number;
}

/** Mostly what goes well at once, or the worlds would be nothing but outages. */
function mostly<T>(usual: T, all: readonly T[]): fc.Arbitrary<T> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant(usual) },
    { weight: 2, arbitrary: fc.constantFrom(...all) },
  );
}

function rarely<T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });
}

/** Only an SDK's server has a way to ask. */
const ENDINGS_ALONE = ENDINGS.filter((ending) => ending !== 'asks for a visit');

const workIn = (make: Make): fc.Arbitrary<Work> =>
  fc.record({
    effects: fc.constantFrom(0, 1, 2),
    ending: fc.constantFrom(...(make === 'whole' ? ENDINGS : ENDINGS_ALONE)),
    takesMs: fc.constantFrom(1, 20, 400, 3000, 30_000),
  });

const callIn = (make: Make): fc.Arbitrary<CallPlan> =>
  fc.record({
    at: fc.integer({ min: 0, max: 4000 }),
    tool: fc.constantFrom<ToolName>('look', 'pay', 'pay', 'pay', 'renew', 'erase'),
    key: fc.oneof(
      { weight: 3, arbitrary: fc.constant(undefined) },
      { weight: 2, arbitrary: fc.integer({ min: 0, max: 3 }) },
    ),
    amount: fc.constantFrom(1, 1, 1, 2),
    deadlineMs: rarely(fc.constantFrom(50, 1000, 5000, 20_000)),
    cancelAfterMs: rarely(fc.constantFrom(0, 3, 30, 1000)),
    door: fc.array(mostly('passes', DOOR_FATES), { maxLength: 4 }),
    pipe: fc.array(mostly('passes', PIPE_FATES), { maxLength: 4 }),
    work: fc.array(workIn(make), { maxLength: 4 }),
    stubborn: fc.constantFrom(false, false, false, true),
  });

const mishap: fc.Arbitrary<Mishap> = fc.record({
  at: fc.integer({ min: 0, max: 5000 }),
  what: fc.constantFrom('gateway dies', 'servers die'),
  downMs: fc.constantFrom(0, 40, 3000),
  keepsAnswers: fc.boolean(),
});

/** What worlds are made of: everything there is, or our policies alone, which are a hundred times as fast. */
export type Make = 'whole' | 'policies';

function settings(make: Make, where: Partial<Setting>): fc.Arbitrary<Setting> {
  const any = fc.record({
    client:
      make === 'whole'
        ? fc.constantFrom('ours over v1', 'ours over v2', 'official')
        : fc.constant('policies' as const),
    way: fc.constantFrom('direct', 'gateway'),
    server: make === 'whole' ? fc.constantFrom('v1', 'v2') : fc.constant('bare' as const),
    guarded: fc.boolean(),
    trusted: fc.boolean(),
    attemptTimeoutMs: rarely(fc.constantFrom(10, 700)),
    hedgeAfterMs: rarely(fc.constantFrom(2, 300)),
    gatewayTimeoutMs: fc.constantFrom(2000, 300_000),
  });
  return any.map((setting) => withSomethingOfOurs({ ...setting, ...where }));
}

/** Where the official client talks straight to a server, the guard is all there is of ours, and trusts its author. */
function withSomethingOfOurs(given: Setting): Setting {
  const isBare = given.client === 'official' && given.way === 'direct';
  return isBare ? { ...given, guarded: true, trusted: true } : given;
}

/** Stories of up to `calls` calls, in worlds that are made so. */
export function stories(make: Make, calls: number, where: Partial<Setting> = {}): fc.Arbitrary<Story> {
  return fc.record({
    setting: settings(make, where),
    calls: fc.array(callIn(make), { minLength: 1, maxLength: calls, size: 'max' }),
    mishaps: fc.array(mishap, { maxLength: 2 }),
    seed: fc.nat(),
  });
}

/** The simulated day: 24 hours of a second each, the same for every strategy. */

/** One hour of the day, on this machine. */
export const HOUR_MS = 1000;
export const DAY_MS = 24 * HOUR_MS;

/** A call may take this long in all; everything that ends later is a failure. */
export const DEADLINE_MS = 12_000;

/** One attempt may take this long. */
export const ATTEMPT_MS = 1500;

export const AGENTS = 200;

/** Calls a second, all agents together. */
const RATE = 100;

/** Requests a second that the server takes; what comes on top is told to come back in a second. */
export const CAPACITY = 240;

/** From hour to hour. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Seven of ten requests are refused or slow. */
export const BROWNOUT: Span = { from: 3, to: 5.5 };
/** All are refused. */
export const OUTAGE: Span = { from: 14, to: 17 };
/** Three times the usual traffic. */
export const PEAK: Span = { from: 11, to: 12 };
/** Away from trouble and from its aftermath. */
export const STEADY: readonly Span[] = [
  { from: 0, to: 3 },
  { from: 10, to: 14 },
  { from: 21, to: 24 },
];

export function within(span: Span, ms: number): boolean {
  return ms >= span.from * HOUR_MS && ms < span.to * HOUR_MS;
}

export interface Tool {
  readonly name: string;
  readonly share: number;
  readonly annotations: { readonly readOnlyHint?: boolean; readonly idempotentHint?: boolean };
  readonly dead?: boolean;
}

export const TOOLS: readonly Tool[] = [
  { name: 'search', share: 0.5, annotations: { readOnlyHint: true } },
  { name: 'get_order', share: 0.2, annotations: { readOnlyHint: true } },
  { name: 'create_order', share: 0.2, annotations: {} },
  { name: 'set_status', share: 0.06, annotations: { idempotentHint: true } },
  { name: 'legacy_report', share: 0.04, annotations: { readOnlyHint: true }, dead: true },
];

export function toolOf(name: string): Tool {
  return TOOLS.find((tool) => tool.name === name) as Tool;
}

/** One call that an agent makes, whatever becomes of the others. */
export interface PlannedCall {
  readonly id: number;
  readonly agent: number;
  readonly at: number;
  readonly tool: string;
}

/** A number in [0, 1) that depends on nothing but its arguments. */
export function draw(seed: number, ...parts: readonly number[]): number {
  let hash = seed >>> 0;
  for (const part of parts) {
    hash = Math.imul(hash ^ (part + 0x9e3779b9), 0x85ebca6b);
    hash ^= hash >>> 13;
    hash = Math.imul(hash, 0xc2b2ae35);
    hash ^= hash >>> 16;
  }
  return (hash >>> 0) / 2 ** 32;
}

/** All calls of the day, in order. */
export function planDay(seed: number): readonly PlannedCall[] {
  const calls: PlannedCall[] = [];
  let at = 0;
  for (let id = 0; at < DAY_MS; id += 1) {
    const rate = within(PEAK, at) ? RATE * 3 : RATE;
    at += (-Math.log(1 - draw(seed, id, 1)) / rate) * 1000;
    calls.push({ id, at, agent: Math.floor(draw(seed, id, 2) * AGENTS), tool: pickTool(draw(seed, id, 3)) });
  }
  return calls;
}

function pickTool(drawn: number): string {
  let sum = 0;
  for (const tool of TOOLS) {
    sum += tool.share;
    if (drawn < sum) return tool.name;
  }
  return TOOLS[0]!.name;
}

/** What must hold in every world, whatever happens in it. Typed from the documents, not from the code. */
import type { Answer } from './agent.ts';
import type { Visited } from './gateway.ts';
import type { Ledger } from './ledger.ts';
import type { CallPlan, Story } from './story.ts';

/** What became of one call. */
export interface Call {
  readonly plan: CallPlan;
  readonly order: string;
  readonly startedAt: number;
  answeredAt: number | undefined;
  /** Answers it has got. */
  answers: number;
  answer: Answer | undefined;
}

/** Everything that can be known about a world after its end. */
export interface History {
  readonly story: Story;
  readonly calls: readonly Call[];
  readonly ledger: Ledger;
  /** Exchanges with the gateway, where there is one. */
  readonly visits: readonly Visited[];
  readonly bugs: readonly unknown[];
  /** When the world ended. */
  readonly endedAt: number;
}

/** Tools that may be executed any number of times: they only read, or say that a second time does no harm. */
const HARMLESS: readonly string[] = ['look', 'renew'];

function isHarmful({ tool }: CallPlan): boolean {
  return !HARMLESS.includes(tool);
}

/** Attempts of one owner: our client's default, the gateway's, and one more after a session was renewed. */
const ATTEMPTS = { ours: 8, gateway: 3, alone: 1, renewed: 1 } as const;

/** Failures that open a circuit, by the documents of client and gateway. */
const OPENS_AFTER = 5;

/** An answer has a tick to get through the last promise. */
const TICK_MS = 5;

const DEFAULT_DEADLINE_MS = 60_000;

/** Every law that this history breaks, as sentences. */
export function broken(history: History): readonly string[] {
  return [
    ...twice(history),
    ...twiceUnderOneKey(history),
    ...unanswered(history),
    ...late(history),
    ...multiplied(history),
    ...mixedUp(history),
    ...untrue(history),
    ...begunTooLate(history),
    ...heldBackTooSoon(history),
    ...keptWaiting(history),
    ...repeatedBelow(history),
    ...history.ledger.answeredTwice.map((order) => `A server answered ${order} twice`),
    ...history.bugs.map((bug) => `The gateway failed itself: ${String(bug)}`),
  ];
}

/** No write is executed twice without an idempotency key. */
function twice({ calls, ledger }: History): readonly string[] {
  return calls.flatMap(({ plan, order }) => {
    if (plan.key !== undefined || !isHarmful(plan)) return [];
    return [0, 1].flatMap((part) => {
      const times = ledger.effects.filter((effect) => effect.order === order && effect.part === part).length;
      return times > 1 ? [`${plan.tool} ${order} was executed ${times} times`] : [];
    });
  });
}

/** With a key there is one effect at most, as long as the store lives, whatever the arguments are. */
function twiceUnderOneKey({ story, calls, ledger }: History): readonly string[] {
  // Somebody must know about keys: the gateway, or the guard.
  if (story.setting.way === 'direct' && !story.setting.guarded) return [];
  const keyOf = new Map(
    calls.map(({ plan, order }) => [
      order,
      isHarmful(plan) && plan.key !== undefined ? `${plan.tool} ${plan.key}` : undefined,
    ]),
  );
  const counts = new Map<string, number>();
  for (const { order, part, epoch } of ledger.effects) {
    const key = keyOf.get(order);
    if (key === undefined) continue;
    const place = `${key} part ${part} (${epoch})`;
    counts.set(place, (counts.get(place) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, times]) => times > 1)
    .map(([key, times]) => `Under key ${key}: ${times} executions`);
}

/** Every call gets exactly one answer. */
function unanswered({ calls }: History): readonly string[] {
  return calls
    .filter(({ answers }) => answers !== 1)
    .map(({ order, answers }) => `${order} got ${answers} answers`);
}

/** Deadlines hold. The official client says its own to others, and waits for as long as it always does. */
function late({ story, calls }: History): readonly string[] {
  return calls.flatMap(({ plan, order, startedAt, answeredAt }) => {
    const own = story.setting.client === 'official' ? undefined : plan.deadlineMs;
    const until = startedAt + (own ?? DEFAULT_DEADLINE_MS) + TICK_MS;
    return answeredAt !== undefined && answeredAt > until
      ? [`${order} was answered ${answeredAt - until} ms too late`]
      : [];
  });
}

/** Retries do not multiply: all runs of a call are those of one owner, who may start two beside each other. */
function multiplied({ story, calls, ledger }: History): readonly string[] {
  const { client, way, hedgeAfterMs } = story.setting;
  const owner = client === 'official' ? (way === 'gateway' ? 'gateway' : 'alone') : 'ours';
  return [...new Set(calls.map(({ order }) => order))].flatMap((order) => {
    const made = calls.filter((call) => call.order === order).length;
    const allowed = made * (ATTEMPTS[owner] + ATTEMPTS.renewed) * (hedgeAfterMs === undefined ? 1 : 2);
    const runs = ledger.runs.filter((run) => run.order === order).length;
    return runs > allowed ? [`${order} ran ${runs} times, ${allowed} are allowed`] : [];
  });
}

/** What a caller is told with a refusal, while a tool is left alone: what its own call before has failed of. */
const LAST_TIME = /(?<=\bNot sent: .*); the last time: .*/s;

/** Nobody gets the answer to another call. */
function mixedUp({ calls }: History): readonly string[] {
  return calls.flatMap(({ order, answer }) => {
    const named = answer?.text.replace(LAST_TIME, '').match(/Order ([\w.]+):/)?.[1];
    return named !== undefined && named !== order ? [`${order} got the answer to ${named}`] : [];
  });
}

/** Who is told that nothing was executed can rely on it. */
function untrue({ calls, ledger }: History): readonly string[] {
  return calls.flatMap(({ plan, order, answer }) => {
    if (plan.key !== undefined || answer?.executed !== 'no' || ledger.takenBack.has(order)) return [];
    return ledger.effects.some((effect) => effect.order === order)
      ? [`${order} was told that it was not executed`]
      : [];
  });
}

/** A guarded server begins nothing that nobody waits for any more. */
function begunTooLate({ story, ledger, calls }: History): readonly string[] {
  if (!story.setting.guarded) return [];
  return ledger.runs.flatMap(({ order, at }) => {
    const mine = calls.filter((call) => call.order === order);
    const until = Math.max(
      ...mine.map((call) => call.startedAt + (call.plan.deadlineMs ?? Number.POSITIVE_INFINITY)),
    );
    return at > until + TICK_MS ? [`${order} began ${at - until} ms after its deadline`] : [];
  });
}

/** A circuit opens after as many failures as the documents say, not after half of them. */
function heldBackTooSoon({ story, calls, ledger }: History): readonly string[] {
  // Who is that impatient takes one silence for many.
  if (story.setting.attemptTimeoutMs !== undefined || ledger.troubles >= OPENS_AFTER) return [];
  return calls
    .filter(({ answer }) => answer?.text.includes('left alone for now') === true)
    .map(({ order }) => `${order} was held back after ${ledger.troubles} failures`);
}

/** The gateway answers within its own time limit and its caller's deadline, whatever its servers do. */
function keptWaiting({ story, visits, endedAt: end }: History): readonly string[] {
  return visits.flatMap(({ body, askedAt, endedAt = end }) => {
    const deadline = Number(/"dev.mayday\/deadline":(\d+)/.exec(body)?.[1] ?? Number.POSITIVE_INFINITY);
    const until = Math.min(askedAt + story.setting.gatewayTimeoutMs, Math.max(askedAt, deadline)) + TICK_MS;
    return endedAt > until ? [`The gateway kept a caller waiting ${endedAt - until} ms too long`] : [];
  });
}

/** Who counts its attempts is the only one to repeat them. */
function repeatedBelow({ story, ledger }: History): readonly string[] {
  if (story.setting.client === 'official' || story.setting.way === 'direct') return [];
  return [...ledger.sent].flatMap(([order, sent]) => {
    const asked = ledger.asked.get(order) ?? 0;
    return sent > asked ? [`The gateway sent ${order} ${sent} times and was asked ${asked} times`] : [];
  });
}

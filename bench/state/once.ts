/** Orders that are repeated at many gateways because their answers were lost: is any of them paid twice? */
import { setTimeout as pause } from 'node:timers/promises';
import { type Answer, ask, chances, faultIn, many, type Node, startNode, textIn, toolCall } from './nodes.ts';
import { type Ending, openTill } from './till.ts';

/** How much of it. */
export interface OnceOptions {
  readonly store: string;
  readonly orders: number;
  /** Of each order. */
  readonly retries: number;
  readonly nodes: number;
  /** Orders under way at a time. */
  readonly atATime: number;
  /** Between two kills. */
  readonly killEveryMs: number;
  readonly seed: number;
}

/** What came of it. */
export interface OnceResult {
  readonly orders: number;
  readonly retries: number;
  /** Questions whose answer the caller never read, and payments whose answer the upstream lost. */
  readonly lost: { readonly byCaller: number; readonly byServer: number };
  readonly kills: number;
  readonly paid: { readonly once: number; readonly twice: number; readonly never: number };
  /** Orders whose caller was told of a payment. */
  readonly answered: number;
  /** Orders of which two payments were told. */
  readonly differing: number;
  /** Orders that were told as paid, or as nothing that was ever done, against what the upstream counted. */
  readonly untrue: number;
  readonly bugs: readonly string[];
}

const ENDINGS: readonly Ending[] = [
  'answered',
  'answered',
  'answered',
  'answered',
  'answered',
  'late',
  'cut',
  'cut',
  'half',
  'status',
];

/** So long a caller waits that does not go away at once. */
const PATIENCE_MS = 3000;
/** Of the callers, every third goes away within so long. */
const HASTY_MS = 25;

/** Runs it. */
export async function repeatOrders(options: OnceOptions): Promise<OnceResult> {
  const chance = chances(options.seed);
  const till = await openTill((order) => ENDINGS[Number(order.slice(1)) % ENDINGS.length] ?? 'answered');
  const settings = { store: options.store, upstreams: { till: { url: till.url } } };
  const nodes: Node[] = [];
  while (nodes.length < options.nodes) nodes.push(await startNode(settings));
  const bugs: string[] = [];
  const noted = (node: Node): void => void bugs.push(...node.told.filter((line) => line.includes('bug: ')));
  let [isOver, kills, byCaller, retries, differing, untrue, answered] = [false, 0, 0, 0, 0, 0, 0];

  async function killing(): Promise<void> {
    for (;;) {
      for (let left = options.killEveryMs; left > 0 && !isOver; left -= 50) await pause(50);
      if (isOver) return;
      const at = Math.floor(chance() * nodes.length);
      const node = nodes[at] as Node;
      await node.kill();
      kills += 1;
      noted(node);
      nodes[at] = await startNode(settings);
    }
  }

  /** Asks any of the gateways; every third caller does not wait. */
  async function attempt(order: string, isPatient: boolean): Promise<Answer | undefined> {
    const { url } = nodes[Math.floor(chance() * nodes.length)] as Node;
    const cutMs = isPatient || chance() > 1 / 3 ? PATIENCE_MS : Math.ceil(chance() * HASTY_MS);
    const answer = await ask(`${url}/till/mcp`, { body: toolCall('pay', { order }, order), cutMs });
    if (answer === undefined) byCaller += 1;
    return answer;
  }

  async function repeat(i: number): Promise<void> {
    const order = `A${i}`;
    const answers = [await attempt(order, false)];
    for (let made = 0; made < options.retries; ) {
      // Two at a time: the second does not know of the first.
      const twins = Math.min(2, options.retries - made);
      made += twins;
      retries += twins;
      const isLast = made === options.retries;
      answers.push(...(await Promise.all(Array.from({ length: twins }, () => attempt(order, isLast)))));
    }
    const texts = new Set(answers.map(textIn).filter((text) => text !== undefined));
    if (texts.size > 0) answered += 1;
    if (texts.size > 1) differing += 1;
    const isPaid = till.paid.has(order);
    const isDenied = answers.every((answer) => faultIn(answer)?.executed === 'no');
    if (isPaid ? isDenied : texts.size > 0) untrue += 1;
  }

  const killer = killing();
  await many(options.orders, options.atATime, repeat);
  isOver = true;
  await killer;
  for (const node of nodes) {
    await node.stop();
    noted(node);
  }
  till.close();
  const counts = [...till.paid.values()];
  return {
    orders: options.orders,
    retries,
    lost: { byCaller, byServer: till.lost },
    kills,
    paid: {
      once: counts.filter((count) => count === 1).length,
      twice: counts.filter((count) => count > 1).length,
      never: options.orders - counts.length,
    },
    answered,
    differing,
    untrue,
    bugs,
  };
}

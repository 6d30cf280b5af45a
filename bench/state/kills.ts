/** Two gateways on one store, killed again and again in the middle of their work: what was said to be done is looked for afterwards. */
import { setTimeout as pause } from 'node:timers/promises';
import { type Answer, ask, chances, faultIn, many, type Node, startNode, textIn, toolCall } from './nodes.ts';
import { openTill, type Till } from './till.ts';

/** How much of it. */
export interface KillOptions {
  readonly store: string;
  readonly kills: number;
  readonly seed: number;
}

/** What was acknowledged, and what of it is not so. */
export interface KillResult {
  readonly kills: number;
  /** Questions whose answer a kill took away: nobody knows what became of them. */
  readonly cutOff: number;
  /** Questions that were refused, by why. */
  readonly refused: ReadonlyMap<string, number>;
  readonly keys: { readonly made: number; readonly revoked: number; readonly wrong: number };
  readonly approvals: {
    readonly granted: number;
    readonly used: number;
    readonly lost: number;
    readonly twice: number;
  };
  readonly records: { readonly kept: number; readonly lost: number; readonly twice: number };
  readonly audit: { readonly rows: number; readonly lost: number; readonly isWhole: boolean };
  readonly bugs: readonly string[];
}

const OPS = 'key-of-the-operator';
const CALLERS = ['ann', 'ben', 'cat', 'dan', 'eve'];
/** Consents that are kept for later, so that they outlive kills. */
const KEPT_FOR_LATER = 40;

/** Between two things of a lane: what is looked for at the end grows with all that was done. */
const REST_MS = 10;

const SETTINGS = {
  keys: [
    { name: 'ops', key: OPS, role: 'operator' },
    ...CALLERS.map((name) => ({ name, key: `key-of-${name}` })),
  ],
  access: { rules: [{ approve: ['till/pay'] }] },
  admin: { requests_per_minute: 1_000_000 },
};

interface MadeKey {
  readonly key: string;
  state: 'good' | 'revoked' | 'unsure';
}

interface Consent {
  readonly order: string;
  readonly caller: string;
  state: 'granted' | 'used' | 'unsure';
}

/** Everything that a gateway has acknowledged. */
class Ledger {
  readonly keys = new Map<string, MadeKey>();
  readonly consents = new Map<string, Consent>();
  readonly records = new Map<string, string>();
  /** Action and target of rows that have to be there. */
  readonly rows: string[] = [];
  readonly heads: string[] = [];
  cutOff = 0;
  readonly refused = new Map<string, number>();

  /** Nothing is known of what was asked, or it was not done. */
  unsure(answer: Answer | undefined): void {
    if (answer === undefined) this.cutOff += 1;
    else {
      const why = `${answer.status} ${faultIn(answer)?.kind ?? ''}`;
      this.refused.set(why, (this.refused.get(why) ?? 0) + 1);
    }
  }
}

/** Runs it. */
export async function killAmidWork({ store, kills, seed }: KillOptions): Promise<KillResult> {
  const chance = chances(seed);
  const till = await openTill(() => 'answered');
  const settings = { ...SETTINGS, store, upstreams: { till: { url: till.url } } };
  const nodes: Node[] = [await startNode(settings), await startNode(settings)];
  const ledger = new Ledger();
  const bugs: string[] = [];
  const noted = (node: Node): void => void bugs.push(...node.told.filter((line) => line.includes('bug: ')));
  let isOver = false;
  let gone: Node | undefined;
  const house: House = {
    ledger,
    chance,
    till,
    ask(path, question) {
      const alive = nodes.filter((node) => node !== gone);
      const { url } = alive[Math.floor(chance() * alive.length)] as Node;
      return ask(`${url}${path}`, { key: OPS, ...question });
    },
  };
  const lanes = [makeKeys, useConsents, useConsents, keepRecords].map(async (work, lane) => {
    for (let i = 0; !isOver; i += 1) {
      await work(house, `${lane}-${i}`);
      await pause(REST_MS);
    }
  });
  for (let killed = 0; killed < kills; killed += 1) {
    await pause(100 + chance() * 700);
    const at = killed % nodes.length;
    const node = nodes[at] as Node;
    const killing = node.kill();
    gone = node; // whoever asked it by now is cut off
    await killing;
    noted(node);
    nodes[at] = await startNode(settings);
    const { status, body } = (await house.ask(`${ADMIN}/audit/verify`, { method: 'GET' })) ?? {
      status: 0,
      body: {},
    };
    if (status === 200 && body.ok === true) ledger.heads.push(`${body.rows}:${body.head}`);
  }
  isOver = true;
  await Promise.all(lanes);
  const [keys, approvals, records, audit] = [
    await lookForKeys(house),
    await lookForConsents(house),
    await lookForRecords(house),
    await lookForRows(house),
  ];
  for (const node of nodes) {
    await node.stop();
    noted(node);
  }
  till.close();
  return { kills, cutOff: ledger.cutOff, refused: ledger.refused, keys, approvals, records, audit, bugs };
}

const ADMIN = '/-/admin/v1';

interface House {
  readonly ledger: Ledger;
  readonly chance: () => number;
  readonly till: Till;
  ask(path: string, question: Parameters<typeof ask>[1]): Promise<Answer | undefined>;
}

/** A change by the operator that was acknowledged with this status. */
async function changed(
  house: House,
  path: string,
  status: number,
  body: object = {},
): Promise<Answer['body']> {
  const answer = await house.ask(`${ADMIN}${path}`, { body });
  if (answer?.status === status) return answer.body;
  house.ledger.unsure(answer);
  return undefined;
}

async function makeKeys(house: House, name: string): Promise<void> {
  const { ledger } = house;
  const made = await changed(house, '/keys', 201, { name: `made-${name}` });
  if (made === undefined) return;
  const entry: MadeKey = { key: made.key, state: 'good' };
  ledger.keys.set(made.id, entry);
  ledger.rows.push(`keys.create ${made.id}`);
  if (house.chance() < 0.5) return;
  entry.state = 'unsure';
  if ((await changed(house, `/keys/${made.id}/revoke`, 200)) === undefined) return;
  entry.state = 'revoked';
  ledger.rows.push(`keys.revoke ${made.id}`);
}

function pay(
  house: House,
  { order, caller }: Pick<Consent, 'order' | 'caller'>,
): Promise<Answer | undefined> {
  return house.ask('/till/mcp', { body: toolCall('pay', { order }), key: `key-of-${caller}` });
}

async function useConsents(house: House, name: string): Promise<void> {
  const { ledger, chance } = house;
  const order = `pay-${name}`;
  const caller = CALLERS[Math.floor(chance() * CALLERS.length)] ?? 'ann';
  const asked = await pay(house, { order, caller });
  const id = faultIn(asked)?.details?.approval_id;
  if (typeof id !== 'string') return ledger.unsure(asked);
  if ((await changed(house, `/approvals/${id}/approve`, 200)) === undefined) return;
  const consent: Consent = { order, caller, state: 'granted' };
  ledger.consents.set(id, consent);
  ledger.rows.push(`approvals.approve ${id}`);
  const waiting = [...ledger.consents].filter(([, { state }]) => state === 'granted');
  const isMany = waiting.length > KEPT_FOR_LATER;
  const [next] = isMany ? waiting : waiting.slice(-1);
  if (next !== undefined && (isMany || chance() < 0.7)) await use(house, ...next);
}

async function use(house: House, id: string, consent: Consent): Promise<void> {
  consent.state = 'unsure';
  const answer = await pay(house, consent);
  if (textIn(answer) === undefined) house.ledger.unsure(answer);
  else {
    consent.state = 'used';
    house.ledger.rows.push(`approvals.use ${id}`);
  }
}

function keep(house: House, order: string): Promise<Answer | undefined> {
  return house.ask('/till/mcp', { body: toolCall('note', { order }, order), key: `key-of-${CALLERS[0]}` });
}

async function keepRecords(house: House, name: string): Promise<void> {
  const order = `note-${name}`;
  const answer = await keep(house, order);
  const text = textIn(answer);
  if (text === undefined) house.ledger.unsure(answer);
  else house.ledger.records.set(order, text);
}

const AT_A_TIME = 4;

/** Keys that were made are good, and open the door; those that were revoked do not. */
async function lookForKeys(house: House): Promise<KillResult['keys']> {
  const { body } = (await house.ask(`${ADMIN}/keys`, { method: 'GET' })) ?? { body: {} };
  const states = new Map<string, string>(
    (body.keys ?? []).map(({ id, state }: { id: string; state: string }) => [id, state]),
  );
  const sure = [...house.ledger.keys].filter(([, { state }]) => state !== 'unsure');
  let wrong = 0;
  await many(sure.length, AT_A_TIME, async (i) => {
    const [id, { key, state }] = sure[i] as [string, MadeKey];
    const answer = await house.ask('/till/mcp', { body: LIST, key });
    const isGood = states.get(id) === state && answer?.status === (state === 'good' ? 200 : 401);
    if (!isGood) wrong += 1;
  });
  const revoked = sure.filter(([, { state }]) => state === 'revoked').length;
  return { made: house.ledger.keys.size, revoked, wrong };
}

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

/** What was consented to goes through, and only once; what was used, or may have been, never again. */
async function lookForConsents(house: House): Promise<KillResult['approvals']> {
  const all = [...house.ledger.consents.values()];
  let lost = 0;
  await many(all.length, AT_A_TIME, async (i) => {
    const consent = all[i] as Consent;
    const { state } = consent;
    const answer = await pay(house, consent);
    if (state === 'granted' && textIn(answer) === undefined) lost += 1;
    await pay(house, consent);
  });
  const paid = (order: string): number => house.till.paid.get(order) ?? 0;
  const twice = [...house.till.paid].filter(([order, count]) => order.startsWith('pay-') && count > 1).length;
  lost += all.filter(({ order, state }) => state === 'used' && paid(order) === 0).length;
  return { granted: all.length, used: all.filter(({ state }) => state === 'used').length, lost, twice };
}

/** Whoever asks again is told the same, and nothing is done again. */
async function lookForRecords(house: House): Promise<KillResult['records']> {
  const all = [...house.ledger.records];
  let lost = 0;
  // Of older calls is only known that they were made: their answers are kept for as many as the store's bounds say.
  const answersKept = all.slice(-ANSWERS_KEPT);
  await many(answersKept.length, AT_A_TIME, async (i) => {
    const [order, text] = answersKept[i] as [string, string];
    if (textIn(await keep(house, order)) !== text) lost += 1;
  });
  await many(
    all.length - answersKept.length,
    AT_A_TIME,
    async (i) => void (await keep(house, all[i]?.[0] ?? '')),
  );
  const twice = [...house.till.paid].filter(
    ([order, count]) => order.startsWith('note-') && count > 1,
  ).length;
  return { kept: all.length, lost, twice };
}

const ANSWERS_KEPT = 900;
const PAGE = 1000;

/** Each acknowledged change has its row, and no row was changed since somebody noted it. */
async function lookForRows(house: House): Promise<KillResult['audit']> {
  const found = new Set<string>();
  let rows = 0;
  for (;;) {
    const answer = await house.ask(`${ADMIN}/audit?limit=${PAGE}&after=${rows}`, { method: 'GET' });
    const page: readonly { action: string; target: string }[] = answer?.body?.rows ?? [];
    for (const { action, target } of page) found.add(`${action} ${target}`);
    rows += page.length;
    if (page.length < PAGE) break;
  }
  let isWhole = true;
  for (const head of house.ledger.heads.slice(-20)) {
    const answer = await house.ask(`${ADMIN}/audit/verify?known=${head}`, { method: 'GET' });
    isWhole &&= answer?.body?.ok === true;
  }
  return { rows, lost: house.ledger.rows.filter((row) => !found.has(row)).length, isWhole };
}

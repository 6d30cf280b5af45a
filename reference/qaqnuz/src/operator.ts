/** The operator's side: brands, keys, approvals and the audit log, over the same database as the servers. */
import { lines } from '@mayday/reference-shared';
import type { Store } from './store/index.ts';
import { TOOLS } from './tools.ts';

type Command = (store: Store, words: readonly string[], now: number) => string;

const DAY_MS = 86_400_000;
/** The scopes that a tool takes: a key for any other opens nothing. */
const SCOPES: readonly string[] = [...new Set(Object.values(TOOLS).map(({ scope }) => scope))];
/** A principal is `brand/key`: a brand's name has no slash in it. */
const BRAND = /^[a-z0-9][a-z0-9_-]{0,62}$/i;
/** As `issue_refund` takes them. */
const ORDER = /^.{1,64}$/u;
const MOST_LOGGED = 10_000;

/** What an operator can ask for. */
export const COMMANDS: { readonly [name: string]: Command } = {
  'add-brand': (store, [brand = '']) => {
    expect(BRAND.test(brand), 'a brand of letters, digits, _ and -, at most 63', brand);
    store.keys.addBrand(brand);
    return `Added ${brand}`;
  },
  brands: (store) => lines(store.keys.brands()),
  entitle: (store, [brand = '', to = '']) => {
    expect(to === 'on' || to === 'off', 'entitle BRAND on|off', `${brand} ${to}`);
    expect(store.keys.entitle(brand, to === 'on'), 'a brand that there is', brand);
    return `${brand} is ${to}`;
  },
  'issue-key': (store, [brand = '', scopes = '', days], now) => {
    const wanted = scopes.split(',');
    expect(store.keys.isEntitled(brand), 'a brand that is entitled', brand);
    expect(
      wanted.every((scope) => SCOPES.includes(scope)),
      `scopes of ${SCOPES.join(', ')}`,
      scopes,
    );
    expect(days === undefined || /^\d{1,5}$/.test(days), 'a number of days', days ?? '');
    const expiresAt = days === undefined ? undefined : now + Number(days) * DAY_MS;
    const { id, key } = store.keys.issue(brand, wanted, expiresAt);
    return `${id} ${key}`;
  },
  'add-order': (store, [brand = '', order = '', cents = '']) => {
    expect(store.keys.isBrand(brand), 'a brand that there is', brand);
    expect(ORDER.test(order), 'an order of at most 64 characters', order);
    expect(/^[1-9]\d{0,11}$/.test(cents), 'what was paid, in cents', cents);
    expect(store.orders.add(brand, order, Number(cents)), 'an order that is new', order);
    return `Added ${order}`;
  },
  keys: (store, [brand]) => lines(store.keys.list(brand)),
  'revoke-key': (store, [id = '']) => {
    expect(store.keys.revoke(id), 'the id of a key; keys lists them', id);
    return `Revoked ${id}`;
  },
  approvals: (store, _words, now) => lines(store.approvals.waiting(now)),
  grant: (store, [id = ''], now) => decide(store, id, 'granted', now),
  deny: (store, [id = ''], now) => decide(store, id, 'denied', now),
  log: (store, [limit = '20']) => {
    expect(
      /^\d{1,5}$/.test(limit) && Number(limit) <= MOST_LOGGED,
      `a number of calls up to ${MOST_LOGGED}`,
      limit,
    );
    return lines(store.audit.latest(Number(limit)));
  },
};

/** Runs one command; throws a sentence for the operator when it cannot. */
export function operate(store: Store, [name = '', ...words]: readonly string[], now: number): string {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) throw new TypeError(`Expected one of ${Object.keys(COMMANDS).join(', ')}`);
  return command(store, words, now);
}

function expect(isGood: boolean, what: string, got: string): void {
  if (!isGood) throw new TypeError(`Expected ${what}; got ${JSON.stringify(got.slice(0, 100))}`);
}

function decide(store: Store, id: string, to: 'granted' | 'denied', now: number): string {
  expect(store.approvals.decide(id, to, now), 'a request that waits; approvals lists them', id);
  return `${to === 'granted' ? 'Granted' : 'Denied'} ${id}`;
}

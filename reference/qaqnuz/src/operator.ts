/** The operator's side: brands, keys, approvals and the audit log, over the same database as the servers. */
import type { Store } from './store/index.ts';

type Command = (store: Store, words: readonly string[]) => string;

const DAY_MS = 86_400_000;
const SCOPE = /^[a-z]+\.[a-z]+$/;

const COMMANDS: { readonly [name: string]: Command } = {
  'add-brand': (store, [brand = '']) => {
    store.keys.addBrand(brand);
    return `Added ${brand}`;
  },
  entitle: (store, [brand = '', to = 'on']) =>
    done(store.keys.entitle(brand, to === 'on'), `${brand} is ${to}`),
  'issue-key': (store, [brand = '', scopes = '', days]) => {
    const wanted = scopes.split(',');
    if (!store.keys.isEntitled(brand)) throw new TypeError(`Expected a brand that is entitled, got ${brand}`);
    if (!wanted.every((scope) => SCOPE.test(scope)))
      throw new TypeError(`Expected scopes like contacts.read,stock.read, got ${scopes}`);
    if (days !== undefined && !(Number(days) > 0))
      throw new TypeError(`Expected a number of days, got ${days}`);
    const expiresAt = days === undefined ? undefined : Date.now() + Number(days) * DAY_MS;
    const { id, key } = store.keys.issue(brand, wanted, expiresAt);
    return `${id} ${key}`;
  },
  'revoke-key': (store, [id = '']) => done(store.keys.revoke(id), `Revoked ${id}`),
  approvals: (store) => lines(store.approvals.waiting()),
  grant: (store, [id = '']) => done(store.approvals.decide(id, 'granted'), `Granted ${id}`),
  deny: (store, [id = '']) => done(store.approvals.decide(id, 'denied'), `Denied ${id}`),
  log: (store, [limit = '20']) => lines(store.audit.latest(Number(limit))),
};

/** Runs one command; throws a sentence for the operator when it cannot. */
export function operate(store: Store, [name = '', ...words]: readonly string[]): string {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) throw new TypeError(`Expected one of ${Object.keys(COMMANDS).join(', ')}`);
  return command(store, words);
}

function done(isDone: boolean, said: string): string {
  if (!isDone) throw new TypeError('There is no such thing, or it was decided before');
  return said;
}

function lines(rows: readonly object[]): string {
  return rows.map((row) => JSON.stringify(row)).join('\n');
}

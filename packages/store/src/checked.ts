/** What callers get wrong is told alike by all engines, before anything is asked or changed. */
import {
  type IdempotencyStore,
  integer,
  type KeyClaim,
  lifetime,
  milliseconds,
  type RateWish,
} from '@mayday/policy';
import type { AuditRow, CredentialName, Deed, JournalFault, NewKey, Store } from './ports.ts';

/** The same store; what is no text, no number or no time where there has to be one is refused with a `TypeError`. */
export function checked(store: Store): Store {
  return {
    ...store,
    ...decided(store),
    ...counted(store),
    ...recorded(store),
    ...sealed(store),
    ...journalled(store),
  };
}

/** All times that are reckoned with stay exact below this: some three thousand years. */
const LONGEST_MS = 1e14;

function span(name: string, value: number): void {
  lifetime(name, value, 0);
  if (value > LONGEST_MS) throw wrong(name, `at most ${LONGEST_MS} milliseconds`);
}

function text(name: string, value: unknown): void {
  if (typeof value !== 'string') throw wrong(name, 'text');
}

function maybeText(name: string, value: unknown): void {
  if (value !== undefined) text(name, value);
}

function texts(values: { readonly [name: string]: unknown }): void {
  for (const [name, value] of Object.entries(values)) text(name, value);
}

function moment(name: string, value: unknown): void {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw wrong(name, 'Unix time in milliseconds');
}

function wrong(name: string, wanted: string): TypeError {
  return new TypeError(`Expected \`${name}\` to be ${wanted}`);
}

function counted({ rates, places }: Store): Pick<Store, 'rates' | 'places'> {
  return {
    rates: {
      take(wish) {
        checkWish(wish);
        return rates.take(wish);
      },
      takeAll(wishes) {
        wishes.forEach(checkWish);
        apart(wishes);
        return rates.takeAll(wishes);
      },
    },
    places: {
      acquireAll(wishes) {
        for (const { key, limit } of wishes) {
          text('key', key);
          integer('limit', limit, 0, 1);
        }
        apart(wishes);
        return places.acquireAll(wishes);
      },
      acquire(wish) {
        text('key', wish.key);
        integer('limit', wish.limit, 0, 1);
        if (wish.queue !== Number.POSITIVE_INFINITY) integer('queue', wish.queue, 0, 0);
        return places.acquire(wish);
      },
    },
  };
}

/** What is taken in one step is taken from different things. */
function apart(wishes: readonly { readonly key: string }[]): void {
  if (wishes.length > 1 && new Set(wishes.map(({ key }) => key)).size < wishes.length)
    throw wrong('key', 'another one in each wish');
}

function checkWish({ key, limit, windowMs, algorithm = 'window' }: RateWish): void {
  text('key', key);
  integer('limit', limit, 0, 1);
  span('windowMs', windowMs);
  if (algorithm !== 'window' && algorithm !== 'bucket') throw wrong('algorithm', "'window' or 'bucket'");
}

/** An engine whose claims die with its process renews none. */
function renewing(idempotency: IdempotencyStore): Pick<IdempotencyStore, 'renew'> {
  if (idempotency.renew === undefined) return {};
  return {
    renew(claim) {
      text('key', claim.key);
      maybeText('token', claim.token);
      span('leaseMs', claim.leaseMs);
      return idempotency.renew?.(claim);
    },
  };
}

function decided({ approvals, idempotency }: Store): Pick<Store, 'approvals' | 'idempotency'> {
  const named = <T>(ask: (id: string) => T): ((id: string) => T) => {
    return (id) => {
      text('id', id);
      return ask(id);
    };
  };
  return {
    approvals: {
      claim(request) {
        text('fingerprint', request.fingerprint);
        maybeText('caller', request.caller);
        span('ttlMs', request.ttlMs);
        return approvals.claim(request);
      },
      confirm: named((id) => approvals.confirm(id)),
      release: named((id) => approvals.release(id)),
      approve: named((id) => approvals.approve(id)),
      reject: named((id) => approvals.reject(id)),
      waiting: () => approvals.waiting(),
      digestKey: () => approvals.digestKey(),
    },
    idempotency: {
      claim(claim) {
        checkClaim(claim);
        return idempotency.claim(claim);
      },
      finish(done) {
        texts({ key: done.key, answer: done.answer });
        maybeText('token', done.token);
        return idempotency.finish(done);
      },
      free(key, token) {
        text('key', key);
        maybeText('token', token);
        return idempotency.free(key, token);
      },
      ...renewing(idempotency),
    },
  };
}

function checkClaim({ key, fingerprint, owner, leaseMs, ttlMs, token }: KeyClaim): void {
  texts({ key, fingerprint, owner });
  maybeText('token', token);
  span('leaseMs', leaseMs);
  span('ttlMs', ttlMs);
}

function recorded({ keys, sessions }: Store): Pick<Store, 'keys' | 'sessions'> {
  return {
    keys: {
      async create(wanted) {
        checkKey(wanted);
        return keys.create(wanted);
      },
      async createOnly(wanted) {
        checkKey(wanted);
        return keys.createOnly(wanted);
      },
      async lookup(digest) {
        text('digest', digest);
        return keys.lookup(digest);
      },
      async rotate(id, options) {
        text('id', id);
        const overlapMs = milliseconds('overlapMs', options.overlapMs, 0);
        if (overlapMs > LONGEST_MS) throw wrong('overlapMs', `at most ${LONGEST_MS} milliseconds`);
        const { ttlMs } = options;
        if (ttlMs !== undefined) span('ttlMs', ttlMs);
        return keys.rotate(id, { overlapMs, ttlMs });
      },
      async revoke(id) {
        text('id', id);
        return keys.revoke(id);
      },
      list: () => keys.list(),
      wereMade: (isKnown) => keys.wereMade(isKnown),
    },
    sessions: {
      async open(session) {
        const { id, owner, node, ttlMs } = session;
        texts({ id, owner, node });
        span('ttlMs', ttlMs);
        return sessions.open(session);
      },
      async find(id) {
        text('id', id);
        return sessions.find(id);
      },
      async renew(id, ttlMs) {
        text('id', id);
        span('ttlMs', ttlMs);
        return sessions.renew(id, ttlMs);
      },
      async end(id) {
        text('id', id);
        return sessions.end(id);
      },
    },
  };
}

function sealed({ credentials }: Store): Pick<Store, 'credentials'> {
  const checkName = ({ caller, upstream }: CredentialName): void => texts({ caller, upstream });
  return {
    credentials: {
      async set(name, secret) {
        checkName(name);
        if (typeof secret !== 'string' || secret === '') throw wrong('secret', 'text that is not empty');
        return credentials.set(name, secret);
      },
      async find(name) {
        checkName(name);
        return credentials.find(name);
      },
      async remove(name) {
        checkName(name);
        return credentials.remove(name);
      },
      list: () => credentials.list(),
      check: () => credentials.check(),
    },
  };
}

function checkKey({ id, principal, tenant, scopes = [], ttlMs }: NewKey): void {
  if (id !== undefined && !/^[0-9a-f]{12}$/.test(id)) throw wrong('id', 'twelve hexadecimal digits');
  text('principal', principal);
  maybeText('tenant', tenant);
  if (!Array.isArray(scopes) || scopes.some((scope) => typeof scope !== 'string'))
    throw wrong('scopes', 'a list of texts');
  if (ttlMs !== undefined) span('ttlMs', ttlMs);
}

function journalled({ faults, audit }: Store): Pick<Store, 'faults' | 'audit'> {
  return {
    faults: {
      async append(happened, batch) {
        if (!Array.isArray(happened)) throw wrong('faults', 'a list');
        for (const fault of happened) checkFault(fault);
        maybeText('batch', batch);
        return faults.append(happened, batch);
      },
      async list(query = {}) {
        maybeText('fingerprint', query.fingerprint);
        maybeText('after', query.after);
        maybeText('before', query.before);
        return faults.list(query);
      },
      async groups(query = {}) {
        maybeText('fingerprint', query.fingerprint);
        return faults.groups(query);
      },
      async counts(query) {
        text('fingerprint', query.fingerprint);
        moment('from', query.from);
        moment('to', query.to);
        return faults.counts(query);
      },
    },
    audit: {
      async append(deed) {
        checkDeed(deed);
        return audit.append(deed);
      },
      async list(query = {}) {
        integer('after', query.after, 0, 0);
        return audit.list(query);
      },
      async verify(known) {
        if (known !== undefined) checkRow(known);
        return audit.verify(known);
      },
    },
  };
}

function checkFault(fault: JournalFault): void {
  const { fingerprint, kind, origin, upstream, message, agoMs } = Object(fault) as JournalFault;
  texts({ fingerprint, kind, origin, message });
  maybeText('upstream', upstream);
  if (agoMs !== undefined) milliseconds('agoMs', agoMs, 0);
}

function checkDeed({ actor, action, target }: Deed): void {
  texts({ actor, action });
  maybeText('target', target);
}

/** A row that cannot be one would be looked for nowhere, and found to be in order. */
function checkRow({ seq, hash }: Pick<AuditRow, 'seq' | 'hash'>): void {
  integer('seq', seq, 0, 1);
  text('hash', hash);
}

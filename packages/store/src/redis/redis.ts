/** State in Redis or Valkey: shared by all nodes, by the time of the server. */
import { randomUUID } from 'node:crypto';
import { lifetime } from '@mayday/policy';
import { credentialsOver } from '../credentials.ts';
import { heldConsents } from '../held-consents.ts';
import { keysOver } from '../keys.ts';
import { LeasedPlaces } from '../places.ts';
import type { Store } from '../ports.ts';
import { type Bounds, limitsOf } from '../settings.ts';
import { StoreError } from '../store-error.ts';
import { redisApprovals } from './approvals.ts';
import { redisAudit } from './audit.ts';
import { connect } from './connect.ts';
import { redisCredentialRows } from './credentials.ts';
import { redisFaults } from './faults.ts';
import { redisIdempotency } from './idempotency.ts';
import { expectKept, readVolatile, risksOf } from './keeping.ts';
import { openPlaces, openRates, redisRates, redisSeats } from './limits.ts';
import { type Link, listOf, numberOf, script, textOf } from './link.ts';
import { redisKeyRows, redisSessions } from './records.ts';
import { watched } from './watched.ts';

/** How a store in Redis is opened. */
export interface RedisOptions extends Bounds {
  readonly url: string;
  readonly onDown?: 'open' | 'closed' | undefined;
  readonly timeoutMs?: number | undefined;
  readonly prefix?: string | undefined;
  readonly volatile?: boolean | undefined;
  readonly secret?: string | undefined;
}

/** A connection, and how things are named there. */
export interface Access {
  readonly link: Link;
  /** All keys of one thing have one hash tag, so that they stay together. */
  readonly keyOf: (thing: string) => string;
  /** Is this a failure that limits are let through for? */
  readonly isOpen: (thrown: unknown) => boolean;
}

/** Opens a store in Redis. */
export async function openRedis(options: RedisOptions): Promise<Store> {
  const limits = limitsOf(options);
  const { onDown = 'closed', prefix = 'mayday', volatile: isKnown = false } = options;
  if (onDown !== 'open' && onDown !== 'closed')
    throw new TypeError("Expected `onDown` to be 'open' or 'closed'");
  if (!/^[\w.:-]{1,100}$/.test(prefix))
    throw new TypeError('Expected `prefix` to be 1 to 100 letters, digits, and . : - _');
  if (typeof isKnown !== 'boolean') throw new TypeError('Expected `volatile` to be true or false');
  const { url, isVolatile } = readVolatile(options.url);
  const link = await connect(url, lifetime('timeoutMs', options.timeoutMs, 1000));
  if (!isKnown && !isVolatile) await expectKept(link);
  const access: Access = {
    link,
    keyOf: (thing) => `${prefix}:{${thing}}`,
    isOpen: (thrown) => onDown === 'open' && thrown instanceof StoreError && thrown.problem !== 'closed',
  };
  const seats = watched(redisSeats(access, limits.placeLeaseMs), link);
  const places = new LeasedPlaces(seats, limits.placeLeaseMs);
  const consents = heldConsents(watched(redisApprovals(access, limits), link), limits.approvalLeaseMs);
  return {
    engine: 'redis',
    rates: openRates(watched(redisRates(access), link), access),
    places: openPlaces(places, access),
    approvals: consents.approvals,
    idempotency: watched(redisIdempotency(access, limits), link),
    keys: keysOver(watched(redisKeyRows(access), link)),
    credentials: credentialsOver(watched(redisCredentialRows(access), link), options.secret),
    faults: watched(redisFaults(access, limits), link),
    sessions: watched(redisSessions(access), link),
    audit: watched(redisAudit(access), link),
    health: healthOver(link, access.keyOf('health')),
    close: async () => {
      consents.close();
      await places.close();
      link.close();
    },
  };
}

/** Beside it stand a name for all that is kept here, which nobody changes, and a count that only grows. */
const PROBE = script(`
redis.call('SET', KEYS[1], '1', 'PX', 1000)
redis.call('SET', KEYS[1] .. ':name', ARGV[1], 'NX')
return { redis.call('GET', KEYS[1] .. ':name'), redis.call('INCR', KEYS[1] .. ':count') }
`);

const EMPTIED =
  'Redis was emptied or replaced while it was in use: what was kept is gone, and repeats of earlier calls are made again; find out who does that';

const WENT_BACK =
  'Redis has lost what was written last, as after a restart from a copy or a change to a replica that was behind: keys that were revoked since may be good again, and consents that other gateways have used; look through both';

/** Writes something that is gone at once, the way everything is written, and looks at what would lose state some day. */
function healthOver(link: Link, key: string): Store['health'] {
  let known: { readonly name: string; readonly count: number } | undefined;
  const losses = new Set<string>();
  return async () => {
    try {
      const before = known;
      const said = listOf(await link.ask({ script: PROBE, key, values: [randomUUID()] }), 2);
      known = { name: textOf(said[0]), count: numberOf(said[1]) };
      if (before !== undefined && known.name !== before.name) losses.add(EMPTIED);
      else if (before !== undefined && known.count <= before.count) losses.add(WENT_BACK);
      return { ok: true, warnings: [...losses, ...(await risksOf(link))] };
    } catch (thrown) {
      return { ok: false, problem: (thrown as Error).message, warnings: [] };
    }
  };
}

/** Approvals in Redis. */
import { randomUUID } from 'node:crypto';
import type { Approval, WaitingApproval } from '@mayday/policy';
import { consentLeaseMs, type LeasedApprovals, newDigestKey } from '../held-consents.ts';
import type { Limits } from '../settings.ts';
import { StoreError } from '../store-error.ts';
import { digestOf, packed } from '../text.ts';
import { isYes, jsonOf, listOf, numberOf, script, textOf } from './link.ts';
import { lying } from './problem.ts';
import type { Access } from './redis.ts';

/** Fields: r what was asked, s its state, x when consent or request end, t ttl, f and c its other keys, o whose claim. */
const SHARED = `
local base = KEYS[1]
local all = base .. ':all'
local function row(id) return base .. ':id:' .. id end
local function atLeast(key, till)
  if redis.call('PTTL', key) < till - now then redis.call('PEXPIREAT', key, string.format('%.0f', till)) end
end
local function lasts(id, till)
  local key = row(id)
  local names = redis.call('HMGET', key, 'f', 'c')
  redis.call('ZADD', all, till, id)
  redis.call('ZADD', base .. names[2], till, id)
  for _, shared in ipairs({ all, base .. names[2], base .. ':n' }) do atLeast(shared, till) end
  redis.call('PEXPIREAT', key, string.format('%.0f', till))
  redis.call('PEXPIREAT', base .. names[1], string.format('%.0f', till))
end
local function drop(id)
  local names = redis.call('HMGET', row(id), 'f', 'c')
  if not names[1] then return end
  redis.call('DEL', row(id), base .. names[1])
  redis.call('ZREM', all, id)
  redis.call('ZREM', base .. names[2], id)
end
local function free(id)
  redis.call('HSET', row(id), 's', 'approved', 'o', '')
  lasts(id, tonumber(redis.call('HGET', row(id), 'x')))
end
`;

const CLAIM = script(`${SHARED}
local print, caller, body, ttl, lease, fresh, owner = unpack(ARGV)
local byPrint, byCaller = ':f:' .. print, ':c:' .. caller
local id = redis.call('GET', base .. byPrint)
local state = id and redis.call('HGET', row(id), 's')
if state == 'claimed' then return { 'taken', id } end
if state == 'approved' then
  redis.call('HSET', row(id), 's', 'claimed', 'o', owner)
  lasts(id, now + math.ceil(lease))
  return { 'claimed', id }
end
if state then return { state, id } end
growing(all)
redis.call('ZREMRANGEBYSCORE', all, '-inf', now)
redis.call('ZREMRANGEBYSCORE', base .. byCaller, '-inf', now)
if redis.call('ZCARD', all) >= tonumber(ARGV[8]) then return { 'full' } end
if redis.call('ZCARD', base .. byCaller) >= tonumber(ARGV[9]) then return { 'full' } end
local till = string.format('%.0f', now + math.ceil(ttl))
redis.call('HSET', row(fresh), 'r', body, 's', 'waiting', 'x', till, 't', ttl, 'a', string.format('%.0f', now),
  'n', redis.call('INCR', base .. ':n'), 'f', byPrint, 'c', byCaller)
redis.call('SET', base .. byPrint, fresh)
lasts(fresh, tonumber(till))
return { 'waiting', fresh }
`);

const SETTLE = script(`${SHARED}
local id, how, owner = ARGV[1], ARGV[2], ARGV[3]
local found = redis.call('HMGET', row(id), 's', 'o')
if found[1] ~= 'claimed' or (owner ~= '' and found[2] ~= owner) then return 0 end
if how == 'confirm' then drop(id) else free(id) end
return 1
`);

const RENEW = script(`${SHARED}
for i = 2, #ARGV do
  if redis.call('HGET', row(ARGV[i]), 's') == 'claimed' then lasts(ARGV[i], now + math.ceil(ARGV[1])) end
end
return 1
`);

/** A claim whose answer never arrived. */
const UNCLAIM = script(`${SHARED}
local id = redis.call('GET', base .. ':f:' .. ARGV[1])
if not id then return 0 end
local found = redis.call('HMGET', row(id), 's', 'o')
if found[1] == 'claimed' and found[2] == ARGV[2] then free(id) end
return 1
`);

const DECIDE = script(`${SHARED}
local id = ARGV[1]
local found = redis.call('HMGET', row(id), 's', 't')
if found[1] ~= 'waiting' then return 0 end
local till = string.format('%.0f', now + math.ceil(found[2]))
redis.call('HSET', row(id), 's', ARGV[2], 'x', till)
lasts(id, tonumber(till))
return 1
`);

const WAITING = script(`${SHARED}
local found = {}
for _, id in ipairs(redis.call('ZRANGEBYSCORE', all, '(' .. string.format('%.0f', now), '+inf')) do
  local part = redis.call('HMGET', row(id), 's', 'r', 'a', 'x', 'n')
  if part[1] == 'waiting' then table.insert(found, { id, part[2], part[3], part[4], part[5] }) end
end
return found
`);

const DIGEST_KEY = script(`
local known = redis.call('GET', KEYS[1] .. ':digests')
if not known then redis.call('SET', KEYS[1] .. ':digests', ARGV[1]) end
return known or ARGV[1]
`);

/** How often it is tried to give a consent back. */
const AGAIN_MS = 500;

const DONE = (): boolean => true;

/** What is closed is not asked again; whatever else went wrong may be over soon. */
function isClosed(thrown: unknown): boolean {
  return thrown instanceof StoreError && thrown.problem === 'closed';
}

/** Approvals in Redis. */
export function redisApprovals({ link, keyOf }: Access, limits: Limits): LeasedApprovals {
  const leaseMs = consentLeaseMs(limits.approvalLeaseMs);
  const key = keyOf('approvals');
  /** Of claims that have not reported back. */
  const owners = new Map<string, string>();
  const settle = async (id: string, how: string, owner = ''): Promise<void> => {
    await link.ask({ script: SETTLE, key, values: [id, how, owner] });
  };
  /**
   * The call was not made: whoever waits for its consent need not wait until the claim is over by itself. Only of this claim:
   * it may have been given back unseen, and be another's by now.
   */
  const giveBack = async (id: string): Promise<void> => {
    const owner = owners.get(id);
    if (owner === undefined) return;
    for (let leftMs = leaseMs; leftMs > 0 && owners.get(id) === owner; leftMs -= AGAIN_MS) {
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS).unref());
      if (owners.get(id) !== owner || (await settle(id, 'release', owner).then(DONE, isClosed))) break;
    }
    if (owners.get(id) === owner) owners.delete(id);
  };
  const decide = async (id: string, state: string): Promise<boolean> =>
    isYes(await link.ask({ script: DECIDE, key, values: [id, state] }));
  return {
    async claim({ fingerprint, caller, upstream, target, arguments: given, ttlMs }) {
      const body = packed({ fingerprint, caller, upstream, target, arguments: given });
      const [print, owner] = [digestOf(fingerprint), randomUUID()];
      const bounds = [limits.maxApprovals, limits.maxApprovalsPerCaller];
      const who = digestOf(packed(caller ?? null));
      const values = [print, who, body, ttlMs, leaseMs, randomUUID(), owner, ...bounds];
      const undo = () => link.ask({ script: UNCLAIM, key, values: [print, owner] });
      const found = approvalOf(listOf(await link.ask({ script: CLAIM, key, values, undo }), 1).map(textOf));
      if (found.state === 'claimed') owners.set(found.id, owner);
      return found;
    },
    confirm: (id) => settle(id, 'confirm').finally(() => owners.delete(id)),
    async release(id) {
      try {
        await settle(id, 'release');
        owners.delete(id);
      } catch (thrown) {
        if (isClosed(thrown)) owners.delete(id);
        else void giveBack(id);
        throw thrown;
      }
    },
    async renew(ids) {
      await link.ask({ script: RENEW, key, values: [leaseMs, ...ids] });
    },
    async waiting() {
      const found = listOf(await link.ask({ script: WAITING, key, values: [] })).map((one) => listOf(one, 5));
      return [...found]
        .sort((a, b) => numberOf(a[4]) - numberOf(b[4]))
        .map(([id, request, askedAt, expiresAt]) => ({
          ...jsonOf<Omit<WaitingApproval, 'id' | 'askedAt' | 'expiresAt'>>(request),
          id: textOf(id),
          askedAt: numberOf(askedAt),
          expiresAt: numberOf(expiresAt),
        }));
    },
    digestKey: async () => textOf(await link.ask({ script: DIGEST_KEY, key, values: [newDigestKey()] })),
    approve: (id) => decide(id, 'approved'),
    reject: (id) => decide(id, 'rejected'),
  };
}

function approvalOf([state, id]: readonly string[]): Approval {
  if (state === 'full') return { state };
  if (id === undefined) throw lying();
  if (state === 'waiting' || state === 'rejected') return { state, id };
  if (state === 'claimed' || state === 'taken') return { state, id };
  throw lying();
}

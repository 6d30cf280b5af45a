/** Rates and places in Redis. */
import { type ConcurrencyStore, costOf, type RateStore } from '@mayday/policy';
import type { LeasedPlaces, Seat, Seats } from '../places.ts';
import { StoreError } from '../store-error.ts';
import { digestOf } from '../text.ts';
import { numberOf, script } from './link.ts';
import { lying } from './problem.ts';
import type { Access } from './redis.ts';

/** What is written first is what a full Redis refuses: then nothing has changed. */
const WINDOW = script(`
local log, sum = KEYS[1] .. ':l', KEYS[1] .. ':s'
local cost, limit, window = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local used, stale, freed, leaves = tonumber(redis.call('GET', sum) or '0'), 0, 0, now
local function walk(visit)
  local from = 0
  while true do
    local part = redis.call('LRANGE', log, from, from + 99)
    for _, entry in ipairs(part) do
      local at, count = string.match(entry, '^(%d+) (%d+)$')
      if not visit(tonumber(at), tonumber(count)) then return end
    end
    if #part < 100 then return end
    from = from + 100
  end
end
local newest = tonumber(string.match(redis.call('LINDEX', log, -1) or '', '^%d+') or '0')
if newest > now then
  -- The clock was set back: it makes nobody wait longer than a window.
  redis.call('RPUSH', log, string.format('%.0f %.0f', now, used))
  redis.call('LTRIM', log, -1, -1)
end
walk(function(at, count)
  if at > now - window then return false end
  stale, used = stale + 1, used - count
  return true
end)
if stale == redis.call('LLEN', log) then used = 0 end
local fits = used + cost <= limit
redis.call('SET', sum, string.format('%.0f', fits and used + cost or used), 'PX', math.ceil(window))
redis.call('LTRIM', log, stale, -1)
if fits then
  local last = redis.call('LINDEX', log, -1)
  local at, count = string.match(last or '', '^(%d+) (%d+)$')
  if tonumber(at) == now then
    redis.call('LSET', log, -1, string.format('%.0f %.0f', now, count + cost))
  else
    redis.call('RPUSH', log, string.format('%.0f %.0f', now, cost))
  end
  redis.call('PEXPIRE', log, math.ceil(window))
  return 0
end
walk(function(at, count)
  freed, leaves = freed + count, at
  return freed < used + cost - limit
end)
return math.ceil(leaves + window - now)
`);

const BUCKET = script(`
local cost, limit, window = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local known, empty = tonumber(redis.call('GET', KEYS[1]) or '0'), now + window
local full = math.min(math.max(known, now), empty) + cost * window / limit
local wait = full - window - now
-- The clock was set back: the bucket counts as empty from now on, and fills.
if known > empty then redis.call('SET', KEYS[1], string.format('%.6f', empty), 'PX', math.ceil(window)) end
if wait > 0.01 then return math.ceil(wait - 0.01) end
redis.call('SET', KEYS[1], string.format('%.6f', full), 'PX', math.max(1, math.ceil(full - now)))
return 0
`);

/** Rate limits in Redis. */
export function redisRates({ link, keyOf }: Access): RateStore {
  return {
    async take(wish) {
      const { key, limit, windowMs, algorithm = 'window' } = wish;
      const values = [costOf(wish), limit, windowMs];
      const named = keyOf(`rate:${algorithm}:${digestOf(key)}`);
      const question = { script: algorithm === 'bucket' ? BUCKET : WINDOW, key: named, values };
      const waitMs = numberOf(await link.ask(question));
      if (waitMs < 0) throw lying();
      return waitMs;
    },
  };
}

/** Rate limits, as far as Redis can be asked. */
export function openRates(rates: RateStore, { isOpen }: Access): RateStore {
  return {
    async take(wish) {
      try {
        return await rates.take(wish);
      } catch (thrown) {
        if (isOpen(thrown)) return 0;
        throw thrown;
      }
    },
  };
}

const ENTER = script(`
local held, line, alive = KEYS[1] .. ':h', KEYS[1] .. ':q', KEYS[1] .. ':w'
local id, limit, queue, lease = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
growing(held)
redis.call('ZREMRANGEBYSCORE', held, '-inf', now)
for _, gone in ipairs(redis.call('ZRANGEBYSCORE', alive, '-inf', now)) do
  redis.call('ZREM', line, gone)
  redis.call('ZREM', alive, gone)
end
local rank, waiting = redis.call('ZRANK', line, id), redis.call('ZCARD', line)
local fits = redis.call('ZCARD', held) + (rank or waiting) < limit
if not fits and not rank and waiting >= queue then return 'full' end
if fits then
  redis.call('ZADD', held, now + lease, id)
  redis.call('ZREM', line, id)
  redis.call('ZREM', alive, id)
else
  if not rank then
    local last = redis.call('ZRANGE', line, -1, -1, 'WITHSCORES')
    redis.call('ZADD', line, (last[2] or 0) + 1, id)
  end
  redis.call('ZADD', alive, now + lease, id)
end
for _, key in ipairs({ held, line, alive }) do redis.call('PEXPIRE', key, lease) end
return fits and 'held' or 'waiting'
`);

const LEAVE = script(`
for _, part in ipairs({ ':h', ':q', ':w' }) do redis.call('ZREM', KEYS[1] .. part, ARGV[1]) end
return 1
`);

const RENEW = script(`
for _, id in ipairs({ unpack(ARGV, 2) }) do redis.call('ZADD', KEYS[1] .. ':h', 'XX', now + ARGV[1], id) end
redis.call('PEXPIRE', KEYS[1] .. ':h', ARGV[1])
return 1
`);

/** How many a script takes at a time. */
const BATCH = 500;

/** Who holds a concurrency place and who waits for one, in Redis. */
export function redisSeats({ link, keyOf }: Access, leaseMs: number): Seats {
  const lease = Math.ceil(leaseMs);
  const named = (key: string): string => keyOf(`place:${digestOf(key)}`);
  const leave = async ({ key, id }: Seat): Promise<void> => {
    await link.ask({ script: LEAVE, key: named(key), values: [id], undo: () => leave({ key, id }) });
  };
  return {
    async enter(seat, { limit, queue }) {
      const values = [seat.id, limit, queue, lease];
      const question = { script: ENTER, key: named(seat.key), values, undo: () => leave(seat) };
      const state = await link.ask(question);
      if (state === 'held' || state === 'waiting' || state === 'full') return state;
      throw lying();
    },
    leave,
    async renew(seats) {
      const idsOf = new Map<string, string[]>();
      for (const { key, id } of seats) idsOf.set(key, [...(idsOf.get(key) ?? []), id]);
      for (const [key, ids] of idsOf)
        for (let i = 0; i < ids.length; i += BATCH)
          await link.ask({ script: RENEW, key: named(key), values: [lease, ...ids.slice(i, i + BATCH)] });
    },
  };
}

/** Places, as far as Redis can be asked. */
export function openPlaces(places: LeasedPlaces, { isOpen }: Access): ConcurrencyStore {
  return {
    async acquire(wish) {
      try {
        return await places.acquire(wish);
      } catch (thrown) {
        if (thrown instanceof StoreError && isOpen(thrown)) return { release: () => undefined };
        throw thrown;
      }
    },
  };
}

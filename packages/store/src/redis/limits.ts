/** Rates and places in Redis. */
import {
  type Awaitable,
  costOf,
  type Place,
  type PlaceLedger,
  type RateLedger,
  type RateStanding,
  type RateWish,
} from '@mayday/policy';
import type { LeasedPlaces, Seat, Seats } from '../places.ts';
import { StoreError } from '../store-error.ts';
import { digestOf } from '../text.ts';
import { isYes, listOf, numberOf, script } from './link.ts';
import { lying } from './problem.ts';
import type { Access } from './redis.ts';

/**
 * A call against some limits: first each of them is looked at, then all of them count it or none does. What is written
 * first is what a full Redis refuses: then nothing has changed.
 */
const TAKE_ALL = script(`
local function number(value) return string.format('%.0f', value) end
local function walk(log, from, visit)
  local size = 1
  while true do
    local part = redis.call('LRANGE', log, from, from + size - 1)
    for _, entry in ipairs(part) do
      local at, count = string.match(entry, '^(%d+) (%d+)$')
      if not visit(tonumber(at), tonumber(count)) then return end
    end
    if #part < size then return end
    from, size = from + size, math.min(100, size * 10)
  end
end
local function window(name, cost, limit, span)
  local log, sum = name .. ':l', name .. ':s'
  local used, stale, oldest, wait = tonumber(redis.call('GET', sum) or '0'), 0, nil, 0
  local newest = tonumber(string.match(redis.call('LINDEX', log, -1) or '', '^%d+') or '0')
  if newest > now then
    -- The clock was set back: it makes nobody wait longer than a window.
    redis.call('RPUSH', log, number(now) .. ' ' .. number(used))
    redis.call('LTRIM', log, -1, -1)
    newest = now
  end
  walk(log, 0, function(at, count)
    if at > now - span then
      oldest = at
      return false
    end
    stale, used = stale + 1, used - count
    return true
  end)
  if not oldest then used = 0 end
  if used + cost > limit then
    local freed, leaves = 0, now
    walk(log, stale, function(at, count)
      freed, leaves = freed + count, at
      return freed < used + cost - limit
    end)
    wait = math.ceil(leaves + span - now)
  end
  local function add()
    local life = math.ceil(span)
    used = used + cost
    redis.call('SET', sum, number(used), 'PX', life)
    if stale > 0 then redis.call('LTRIM', log, stale, -1) end
    if oldest and newest == now then
      local count = string.match(redis.call('LINDEX', log, -1), '^%d+ (%d+)$')
      redis.call('LSET', log, -1, number(now) .. ' ' .. number(count + cost))
    else
      redis.call('RPUSH', log, number(now) .. ' ' .. number(cost))
    end
    redis.call('PEXPIRE', log, life)
    oldest = oldest or now
  end
  local function level()
    return math.max(0, limit - used), oldest and math.ceil(oldest + span - now) or 0
  end
  return { wait = wait, add = add, level = level }
end
local function bucket(name, cost, limit, span)
  local known, empty = tonumber(redis.call('GET', name) or '0'), now + span
  local unit = span / limit
  local full = math.min(math.max(known, now), empty)
  -- The clock was set back: the bucket counts as empty from now on, and fills.
  if known > empty then redis.call('SET', name, string.format('%.6f', empty), 'PX', math.ceil(span)) end
  local wait = full + cost * unit - empty
  local function add()
    full = full + cost * unit
    redis.call('SET', name, string.format('%.6f', full), 'PX', math.max(1, math.ceil(full - now)))
  end
  local function level()
    local missing = math.max(0, full - now - 0.01)
    if missing == 0 then return limit, 0 end
    local left = math.max(0, math.floor((span - missing) / unit))
    return left, math.max(1, math.ceil(missing - span + (left + 1) * unit))
  end
  return { wait = wait > 0.01 and math.ceil(wait - 0.01) or 0, add = add, level = level }
end
growing(KEYS[1])
local looks, fits, standings = {}, true, {}
for i = 1, #ARGV, 5 do
  local look = ARGV[i + 1] == 'bucket' and bucket or window
  local name = KEYS[1] .. ':' .. ARGV[i + 1] .. ':' .. ARGV[i]
  looks[#looks + 1] = look(name, tonumber(ARGV[i + 2]), tonumber(ARGV[i + 3]), tonumber(ARGV[i + 4]))
  fits = fits and looks[#looks].wait == 0
end
for _, look in ipairs(looks) do
  if fits then look.add() end
  local left, grows = look.level()
  for _, value in ipairs({ look.wait, left, grows }) do standings[#standings + 1] = value end
end
return standings
`);

/** Rate limits in Redis. */
export function redisRates({ link, keyOf }: Access): RateLedger {
  const takeAll = async (wishes: readonly RateWish[]): Promise<readonly RateStanding[]> => {
    const values = wishes.flatMap((wish) => {
      const { key, limit, windowMs, algorithm = 'window' } = wish;
      return [digestOf(key), algorithm, costOf(wish), limit, windowMs];
    });
    const said = listOf(await link.ask({ script: TAKE_ALL, key: keyOf('rates'), values })).map(numberOf);
    if (said.length !== 3 * wishes.length || said.some((value) => value < 0)) throw lying();
    return wishes.map((_, i) => {
      const [waitMs = 0, remaining = 0, growsMs = 0] = said.slice(3 * i);
      return { waitMs, remaining, growsMs };
    });
  };
  return { take: async (wish) => (await takeAll([wish]))[0]?.waitMs ?? 0, takeAll };
}

/** Rate limits, as far as Redis can be asked. */
export function openRates(rates: RateLedger, { isOpen }: Access): RateLedger {
  const orElse = async <T>(asked: Awaitable<T>, otherwise: T): Promise<T> => {
    try {
      return await asked;
    } catch (thrown) {
      if (isOpen(thrown)) return otherwise;
      throw thrown;
    }
  };
  return {
    take: (wish) => orElse(rates.take(wish), 0),
    takeAll: (wishes) => orElse(rates.takeAll(wishes), []),
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

/** Whoever waits comes first. */
const ENTER_ALL = script(`
local lease = tonumber(ARGV[1])
growing(KEYS[1])
for i = 2, #ARGV, 3 do
  local held, line, alive = KEYS[1] .. ARGV[i] .. ':h', KEYS[1] .. ARGV[i] .. ':q', KEYS[1] .. ARGV[i] .. ':w'
  local holding = redis.call('ZCOUNT', held, '(' .. now, '+inf')
  local waiting = redis.call('ZCARD', line) > 0 and redis.call('ZCOUNT', alive, '(' .. now, '+inf') or 0
  if holding + waiting >= tonumber(ARGV[i + 2]) then return 0 end
end
for i = 2, #ARGV, 3 do
  local held = KEYS[1] .. ARGV[i] .. ':h'
  redis.call('ZADD', held, now + lease, ARGV[i + 1])
  redis.call('ZREMRANGEBYSCORE', held, '-inf', now)
  redis.call('PEXPIRE', held, lease)
end
return 1
`);

const LEAVE = script(`
for i = 1, #ARGV, 2 do
  for _, part in ipairs({ ':h', ':q', ':w' }) do redis.call('ZREM', KEYS[1] .. ARGV[i] .. part, ARGV[i + 1]) end
end
return 1
`);

const RENEW = script(`
for i = 2, #ARGV, 2 do
  local held = KEYS[1] .. ARGV[i] .. ':h'
  redis.call('ZADD', held, 'XX', now + ARGV[1], ARGV[i + 1])
  redis.call('PEXPIRE', held, ARGV[1])
end
return 1
`);

/** How many a script takes at a time. */
const BATCH = 500;

/** Who holds a concurrency place and who waits for one, in Redis. */
export function redisSeats({ link, keyOf }: Access, leaseMs: number): Seats {
  const lease = Math.ceil(leaseMs);
  const key = keyOf('places');
  const nameOf = (seat: Seat): string => `:${digestOf(seat.key)}`;
  const namesOf = (seats: readonly Seat[]): string[] => seats.flatMap((seat) => [nameOf(seat), seat.id]);
  const leave = async (seats: readonly Seat[]): Promise<void> => {
    for (const some of batches(seats))
      await link.ask({ script: LEAVE, key, values: namesOf(some), undo: () => leave(some) });
  };
  return {
    async enter(seat, { limit, queue }) {
      const values = [seat.id, limit, queue, lease];
      const named = `${key}${nameOf(seat)}`;
      const state = await link.ask({ script: ENTER, key: named, values, undo: () => leave([seat]) });
      if (state === 'held' || state === 'waiting' || state === 'full') return state;
      throw lying();
    },
    async enterAll(seats) {
      const values = [lease, ...seats.flatMap((seat) => [nameOf(seat), seat.id, seat.limit])];
      return isYes(await link.ask({ script: ENTER_ALL, key, values, undo: () => leave(seats) }));
    },
    leave,
    async renew(seats) {
      for (const some of batches(seats))
        await link.ask({ script: RENEW, key, values: [lease, ...namesOf(some)] });
    },
  };
}

function batches(seats: readonly Seat[]): readonly (readonly Seat[])[] {
  return Array.from({ length: Math.ceil(seats.length / BATCH) }, (_, i) =>
    seats.slice(i * BATCH, (i + 1) * BATCH),
  );
}

/** Places, as far as Redis can be asked. */
export function openPlaces(places: LeasedPlaces, { isOpen }: Access): PlaceLedger {
  const orFree = async (asked: Promise<Place | undefined>): Promise<Place | undefined> => {
    try {
      return await asked;
    } catch (thrown) {
      if (thrown instanceof StoreError && isOpen(thrown)) return { release: () => undefined };
      throw thrown;
    }
  };
  return {
    acquire: (wish) => orFree(places.acquire(wish)),
    acquireAll: (wishes) => orFree(places.acquireAll(wishes)),
  };
}

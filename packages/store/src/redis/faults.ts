/** The fault journal in Redis. */
import type { FaultGroup, Faults, JournalEntry, JournalFault } from '../ports.ts';
import { type Limits, MINUTE_MS, pageSize } from '../settings.ts';
import { digestOf, packed } from '../text.ts';
import { jsonOf, listOf, numberOf, type Reply, script, textOf } from './link.ts';
import type { Access } from './redis.ts';

/**
 * Entries are in one stream; another for each fingerprint has their ids alone. Whoever got no answer comes again with the
 * same batch, which is known by its name.
 */
const APPEND = script(`
local base, age, most, batch = KEYS[1], math.ceil(ARGV[1]), ARGV[2], ARGV[3]
local events, last = base .. ':e', base .. ':last'
local oldest = string.format('%.0f', now - age)
if batch ~= '' and not redis.call('SET', base .. ':b:' .. batch, '1', 'NX', 'PX', 3600000) then return 1 end
for i = 4, #ARGV, 4 do
  local print, body, group, at = ARGV[i], ARGV[i + 1], ARGV[i + 2], now - tonumber(ARGV[i + 3])
  local minute = string.format('%.0f', math.floor(at / 60000))
  local own, summary, minutes = base .. ':e:' .. print, base .. ':g:' .. print, base .. ':m:' .. print
  local id = redis.call('XADD', events, 'MAXLEN', most, '*', 'b', body, 't', string.format('%.0f', at))
  redis.call('XADD', own, 'MAXLEN', most, id, 'b', '')
  if tonumber(redis.call('HGET', summary, 'z') or '0') <= now - age then redis.call('DEL', summary) end
  local seen = redis.call('HMGET', summary, 'a', 'z')
  local first, latest = math.min(seen[1] or at, at), math.max(seen[2] or at, at)
  redis.call('HINCRBY', summary, 'c', 1)
  redis.call('HSET', summary, 'b', group, 'a', string.format('%.0f', first), 'z', string.format('%.0f', latest))
  local seq = tonumber(string.match(id, '%-(%d+)$'))
  redis.call('ZADD', last, latest * 1000 + math.min(seq, 999), print)
  if redis.call('HINCRBY', minutes, minute, 1) == 1 and redis.call('HLEN', minutes) > age / 60000 + 10 then
    for _, old in ipairs(redis.call('HKEYS', minutes)) do
      if tonumber(old) * 60000 < now - age - 60000 then redis.call('HDEL', minutes, old) end
    end
  end
  for _, key in ipairs({ own, summary }) do redis.call('PEXPIRE', key, age) end
  redis.call('PEXPIRE', minutes, age + 60000)
end
redis.call('XTRIM', events, 'MINID', oldest)
redis.call('ZREMRANGEBYSCORE', last, '-inf', (now - age) * 1000)
for _ = 1, redis.call('ZCARD', last) - most do
  local print = redis.call('ZPOPMIN', last)[1]
  for _, part in ipairs({ ':e:', ':g:', ':m:' }) do redis.call('DEL', base .. part .. print) end
end
for _, key in ipairs({ events, last }) do redis.call('PEXPIRE', key, age) end
return 1
`);

const LIST = script(`
local events, print, after, count = KEYS[1] .. ':e', ARGV[2], ARGV[3], tonumber(ARGV[4])
local last = ARGV[5] == '' and '+' or '(' .. ARGV[5]
local from = string.format('%.0f', now - math.ceil(ARGV[1]) + 1)
local stream = print == '' and events or events .. ':' .. print
local found = after == '' and redis.call('XREVRANGE', stream, last, from, 'COUNT', count)
  or redis.call('XRANGE', stream, '(' .. after, last, 'COUNT', count)
local rows = {}
for _, entry in ipairs(found) do
  local whole = print == '' and entry or redis.call('XRANGE', events, entry[1], entry[1])[1]
  if whole then table.insert(rows, { whole[1], whole[2][2], whole[2][4] or '' }) end
end
return rows
`);

const GROUPS = script(`
local rows, oldest, named = {}, '(' .. string.format('%.0f', (now - math.ceil(ARGV[1])) * 1000), ARGV[3]
local prints = named ~= '' and { named }
  or redis.call('ZREVRANGEBYSCORE', KEYS[1] .. ':last', '+inf', oldest, 'LIMIT', 0, ARGV[2])
for _, print in ipairs(prints) do
  local row = redis.call('HMGET', KEYS[1] .. ':g:' .. print, 'b', 'c', 'a', 'z')
  if row[1] then table.insert(rows, row) end
end
return rows
`);

const COUNTS = script(`return redis.call('HGETALL', KEYS[1] .. ':m:' .. ARGV[1])`);

/** How many faults a script takes at a time. */
const BATCH = 200;

/** A fault journal in Redis. */
export function redisFaults({ link, keyOf }: Access, limits: Limits): Faults {
  const key = keyOf('faults');
  const age = limits.faultAgeMs;
  return {
    async append(faults, batch) {
      for (let i = 0; i < faults.length; i += BATCH) {
        const values = faults.slice(i, i + BATCH).flatMap(partsOf);
        const name = batch === undefined ? '' : digestOf(`${i} ${batch}`);
        await link.ask({ script: APPEND, key, values: [age, limits.maxFaults, name, ...values] });
      }
    },
    async list({ fingerprint, after = '', before = '', limit } = {}) {
      if (placeOf(before) === BEGINNING) return [];
      const print = fingerprint === undefined ? '' : digestOf(fingerprint);
      const values = [age, print, placeOf(after), pageSize(limit), placeOf(before)];
      return listOf(await link.ask({ script: LIST, key, values })).map(entryOf);
    },
    async groups({ fingerprint, limit } = {}) {
      const named = fingerprint === undefined ? '' : digestOf(fingerprint);
      const values = [age, pageSize(limit), named];
      return listOf(await link.ask({ script: GROUPS, key, values })).map(groupOf);
    },
    async counts({ fingerprint, from, to }) {
      const flat = listOf(await link.ask({ script: COUNTS, key, values: [digestOf(fingerprint)] })).map(
        numberOf,
      );
      const [first, last] = [Math.floor(from / MINUTE_MS), Math.floor(to / MINUTE_MS)];
      return flat
        .flatMap((minute, i) => (i % 2 === 0 ? [{ minute, count: flat[i + 1] as number }] : []))
        .filter(({ minute }) => minute >= first && minute <= last)
        .sort((a, b) => a.minute - b.minute)
        .map(({ minute, count }) => ({ at: minute * MINUTE_MS, count }));
    },
  };
}

/** Nothing can be before it: Redis takes the question for a mistake. */
const BEGINNING = '0-0';

/** What is no place of this journal is before all of them. Redis counts to 2^64, which has 20 digits. */
function placeOf(id: string): string {
  return id === '' || (/^\d{1,19}-\d{1,19}$/.test(id) && /[1-9]/.test(id)) ? id : BEGINNING;
}

function partsOf({ agoMs = 0, ...fault }: JournalFault): readonly (string | number)[] {
  const { fingerprint, kind, origin, upstream, message } = fault;
  const group = packed({ fingerprint, kind, origin, upstream, message });
  return [digestOf(fingerprint), packed(fault), group, Math.floor(agoMs)];
}

function entryOf(reply: Reply): JournalEntry {
  const [id, body, happened] = listOf(reply, 3);
  // Older entries have no time but that of their id.
  const at = Number.parseInt(textOf(happened) || textOf(id), 10);
  return { ...jsonOf<JournalFault>(body), id: textOf(id), at };
}

function groupOf(reply: Reply): FaultGroup {
  const [body, count, first, last] = listOf(reply, 4);
  const said = jsonOf<Omit<JournalFault, 'details' | 'agoMs'>>(body);
  return { ...said, count: numberOf(count), firstSeen: numberOf(first), lastSeen: numberOf(last) };
}

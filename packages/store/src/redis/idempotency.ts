/** Exactly once, in Redis. */
import { randomUUID } from 'node:crypto';
import type { IdempotencyStore, KeyState } from '@mayday/policy';
import { keptState } from '../kept-state.ts';
import { Marks } from '../marks.ts';
import type { Limits } from '../settings.ts';
import { digestOf, packed } from '../text.ts';
import { listOf, type Reply, script, textOf } from './link.ts';
import { lying } from './problem.ts';
import type { Access } from './redis.ts';

/** Fields: f what was asked, o whose claim, l until when it runs, e that it ended, a the answer. */
const SHARED = `
local base = KEYS[1]
local row, index, answers, counter = base .. ':k:' .. ARGV[1], base .. ':i', base .. ':a', base .. ':n'
local function atLeast(key, ms)
  if redis.call('PTTL', key) < ms then redis.call('PEXPIRE', key, math.ceil(ms)) end
end
`;

const CLAIM = script(`${SHARED}
local known = redis.pcall('HMGET', row, 'f', 'l', 'e', 'a')
if known.err then return redis.call('EXISTS', row) == 1 and { 'unreadable' } or known end
if known[1] then
  if known[3] then return { 'done', known[1], known[4] or '""' } end
  return { (tonumber(known[2]) or 0) > now and 'running' or 'lost', known[1] }
end
if redis.call('EXISTS', row) == 1 then return { 'unreadable' } end
growing(index)
redis.call('ZREMRANGEBYSCORE', index, '-inf', now)
if redis.call('ZCARD', index) >= tonumber(ARGV[6]) then return { 'full' } end
local lease, ttl = tonumber(ARGV[4]), tonumber(ARGV[5])
local life = math.ceil(math.max(lease, ttl))
redis.call('HSET', row, 'f', ARGV[2], 'o', ARGV[3], 'l', string.format('%.0f', now + math.ceil(lease)))
redis.call('PEXPIRE', row, life)
redis.call('ZADD', index, now + life, ARGV[1])
atLeast(index, life)
return { 'claimed' }
`);

const FINISH = script(`${SHARED}
local known = redis.call('HMGET', row, 'o', 'e')
if known[1] and known[1] ~= ARGV[2] or known[2] then return 0 end
local ttl = math.ceil(ARGV[6])
redis.call('HSET', row, 'f', ARGV[5], 'o', ARGV[2], 'e', '1', 'a', ARGV[3])
redis.call('PEXPIRE', row, ttl)
redis.call('ZADD', index, now + ttl, ARGV[1])
redis.call('ZADD', answers, redis.call('INCR', counter), ARGV[1])
for _, key in ipairs({ index, answers, counter }) do atLeast(key, ttl) end
while redis.call('ZCARD', answers) > tonumber(ARGV[4]) do
  local oldest = base .. ':k:' .. redis.call('ZPOPMIN', answers)[1]
  redis.call('HDEL', oldest, 'a')
end
return 1
`);

const RENEW = script(`${SHARED}
local known = redis.call('HMGET', row, 'o', 'e')
if known[1] ~= ARGV[2] or known[2] then return 0 end
local lease = math.ceil(ARGV[3])
redis.call('HSET', row, 'l', string.format('%.0f', now + lease))
if (tonumber(redis.call('ZSCORE', index, ARGV[1])) or 0) < now + lease then
  redis.call('ZADD', index, now + lease, ARGV[1])
end
for _, key in ipairs({ row, index }) do atLeast(key, lease) end
return 1
`);

const FREE = script(`${SHARED}
local known = redis.call('HMGET', row, 'o', 'e')
if known[1] ~= ARGV[2] or known[2] then return 0 end
redis.call('DEL', row)
redis.call('ZREM', index, ARGV[1])
return 1
`);

/** Keys and their answers in Redis. */
export function redisIdempotency({ link, keyOf }: Access, limits: Limits): IdempotencyStore {
  const marks = new Marks();
  const free = (named: string, digest: string, mark: string): Promise<unknown> =>
    link.ask({ script: FREE, key: named, values: [digest, mark] });
  return {
    async claim(wanted) {
      const { key, fingerprint, owner, leaseMs, ttlMs } = wanted;
      const [named, digest, mark] = [keyOf(`once:${digestOf(owner)}`), digestOf(key), randomUUID()];
      const values = [digest, packed(fingerprint), mark, leaseMs, ttlMs, limits.maxKeysPerOwner];
      const undo = () => free(named, digest, mark);
      const state = stateOf(await link.ask({ script: CLAIM, key: named, values, undo }));
      if (state.state === 'claimed') marks.hold(wanted, packed([named, mark, packed(fingerprint), ttlMs]));
      return state;
    },
    async finish(done) {
      const held = marks.of(done);
      if (held === '') return;
      // All of it: a claim that a Redis has forgotten is as good as one that it knows.
      const [named, mark, asked, ttlMs] = JSON.parse(held);
      const values = [digestOf(done.key), mark, packed(done.answer), limits.maxAnswersPerOwner, asked, ttlMs];
      await link.ask({ script: FINISH, key: named, values });
      marks.drop(done);
    },
    async renew(claim) {
      const held = marks.of(claim);
      if (held === '') return;
      const [named, mark] = JSON.parse(held);
      await link.ask({ script: RENEW, key: named, values: [digestOf(claim.key), mark, claim.leaseMs] });
      marks.renew(claim);
    },
    async free(key, token) {
      const held = marks.of({ key, token });
      if (held === '') return;
      const [named, mark] = JSON.parse(held);
      await free(named, digestOf(key), mark);
      marks.drop({ key, token });
    },
  };
}

function stateOf(reply: Reply): KeyState {
  const [state, fingerprint, answer] = listOf(reply, 1);
  if (state === 'claimed' || state === 'full' || state === 'unreadable') return { state };
  if (state === 'running' || state === 'lost' || state === 'done')
    return keptState(state, textOf(fingerprint), state === 'done' ? textOf(answer) : null);
  throw lying();
}

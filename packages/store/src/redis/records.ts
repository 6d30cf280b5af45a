/** Keys and sessions in Redis. */
import type { KeyRow, KeyRows, ReadKey } from '../keys.ts';
import type { Sessions } from '../ports.ts';
import { digestOf, packed } from '../text.ts';
import { isYes, jsonOf, listOf, numberOf, type Reply, script } from './link.ts';
import { lying } from './problem.ts';
import type { Access } from './redis.ts';

const NOW = script(`return string.format('%.0f', now)`);

const READ = script(`
local id = ARGV[2]
if ARGV[1] == 'digest' then id = redis.call('GET', KEYS[1] .. ':d:' .. ARGV[2]) end
if not id then return {} end
local found = redis.call('HMGET', KEYS[1] .. ':id:' .. id, 'b', 'v', 'u')
if not found[1] then return {} end
return { found[1], found[2], found[3] or '0' }
`);

const ALL = script(`
local rows = {}
for _, id in ipairs(redis.call('SMEMBERS', KEYS[1] .. ':all')) do
  local found = redis.call('HMGET', KEYS[1] .. ':id:' .. id, 'b', 'v', 'u')
  if found[1] then table.insert(rows, { found[1], found[2], found[3] or '0' }) end
end
return rows
`);

const WRITE = script(`
local id, body, version, among = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local row = KEYS[1] .. ':id:' .. id
local known = redis.call('HMGET', row, 'v', 'g')
if tonumber(known[1] or '0') ~= version then return 0 end
if among >= 0 and redis.call('SCARD', KEYS[1] .. ':all') ~= among then return 0 end
-- What has no secret any more only shrinks: then what is removed comes first, and a full Redis takes all of it.
if #ARGV < 5 then redis.call('DEL', KEYS[1] .. ':d:') end
redis.call('HSET', row, 'b', body, 'v', version + 1, 'g', table.concat({ unpack(ARGV, 5) }, ' '))
redis.call('SADD', KEYS[1] .. ':all', id)
for digest in string.gmatch(known[2] or '', '%S+') do redis.call('DEL', KEYS[1] .. ':d:' .. digest) end
for i = 5, #ARGV do redis.call('SET', KEYS[1] .. ':d:' .. ARGV[i], id) end
return 1
`);

const COUNT = script(`return redis.call('SCARD', KEYS[1] .. ':all')`);

const TOUCH = script(`
local row = KEYS[1] .. ':id:' .. ARGV[1]
if redis.call('EXISTS', row) == 1 then redis.call('HSET', row, 'u', ARGV[2]) end
return 1
`);

// An id of no row: it is passed over where rows are read.
const WERE_MADE = script(`
local are = redis.call('EXISTS', KEYS[1] .. ':all')
if are == 0 and ARGV[1] == '1' then are = redis.call('SADD', KEYS[1] .. ':all', '') end
return are
`);

/** Rows of keys in Redis. */
export function redisKeyRows({ link, keyOf }: Access): KeyRows {
  const key = keyOf('keys');
  const read = async (by: string, name: string): Promise<ReadKey | undefined> =>
    readKey(await link.ask({ script: READ, key, values: [by, digestOf(name)] }));
  return {
    async now() {
      const now = numberOf(await link.ask({ script: NOW, key, values: [] }));
      if (now <= 0) throw lying();
      return now;
    },
    byDigest: (digest) => read('digest', digest),
    byId: (id) => read('id', id),
    async all() {
      const rows = listOf(await link.ask({ script: ALL, key, values: [] }));
      return rows.map(readKey).filter((row) => row !== undefined);
    },
    async count() {
      return numberOf(await link.ask({ script: COUNT, key, values: [] }));
    },
    async write(row, version, among = -1) {
      const digests = row.secrets.map(({ digest }) => digestOf(digest));
      const values = [digestOf(row.id), packed(row), version, among, ...digests];
      return isYes(await link.ask({ script: WRITE, key, values }));
    },
    async touch(id, at) {
      await link.ask({ script: TOUCH, key, values: [digestOf(id), at] });
    },
    async wereMade(isKnown) {
      return isYes(await link.ask({ script: WERE_MADE, key, values: [isKnown ? 1 : 0] }));
    },
  };
}

function readKey(reply: Reply): ReadKey | undefined {
  const [body, version, used] = listOf(reply);
  if (body === undefined) return undefined;
  const lastUsedAt = numberOf(used) || undefined;
  return { row: jsonOf<KeyRow>(body), version: numberOf(version), lastUsedAt };
}

const OPEN = script(`
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('HSET', KEYS[1], 'o', ARGV[1], 'n', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1
`);

const FIND = script(`
local found = redis.call('HMGET', KEYS[1], 'o', 'n')
if not found[1] then return {} end
return { found[1], found[2], string.format('%.0f', now + redis.call('PTTL', KEYS[1])) }
`);

const EXTEND = script(`return redis.call('PEXPIRE', KEYS[1], ARGV[1])`);
const END = script(`return redis.call('DEL', KEYS[1])`);

/** Sessions in Redis. */
export function redisSessions({ link, keyOf }: Access): Sessions {
  const named = (id: string): string => keyOf(`session:${digestOf(id)}`);
  return {
    async open({ id, owner, node, ttlMs }) {
      const values = [packed(owner), packed(node), Math.ceil(ttlMs)];
      return isYes(await link.ask({ script: OPEN, key: named(id), values }));
    },
    async find(id) {
      const [owner, node, until] = listOf(await link.ask({ script: FIND, key: named(id), values: [] }));
      if (owner === undefined) return undefined;
      const said = { owner: jsonOf<string>(owner), node: jsonOf<string>(node) };
      return { id, ...said, expiresAt: numberOf(until) };
    },
    async renew(id, ttlMs) {
      return isYes(await link.ask({ script: EXTEND, key: named(id), values: [Math.ceil(ttlMs)] }));
    },
    async end(id) {
      await link.ask({ script: END, key: named(id), values: [] });
    },
  };
}

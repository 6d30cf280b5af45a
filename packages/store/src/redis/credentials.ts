/** Credentials in Redis. */
import type { CredentialRow, CredentialRows } from '../credentials.ts';
import type { CredentialName } from '../ports.ts';
import { digestOf, packed } from '../text.ts';
import { isYes, jsonOf, listOf, numberOf, type Reply, script } from './link.ts';
import type { Access } from './redis.ts';

const PUT = script(`
local at = string.format('%.0f', now)
redis.call('HSET', KEYS[1] .. ':rows', ARGV[1], ARGV[2])
redis.call('HSETNX', KEYS[1] .. ':created', ARGV[1], at)
redis.call('HSET', KEYS[1] .. ':changed', ARGV[1], at)
return { redis.call('HGET', KEYS[1] .. ':created', ARGV[1]), at }
`);

const READ = `
local function read(id)
  local row = redis.call('HGET', KEYS[1] .. ':rows', id)
  if not row then return {} end
  return { row, redis.call('HGET', KEYS[1] .. ':created', id), redis.call('HGET', KEYS[1] .. ':changed', id) }
end
`;

const GET = script(`${READ} return read(ARGV[1])`);

const ALL = script(`${READ}
local rows = {}
for _, id in ipairs(redis.call('HKEYS', KEYS[1] .. ':rows')) do table.insert(rows, read(id)) end
return rows
`);

const REMOVE = script(`
redis.call('HDEL', KEYS[1] .. ':created', ARGV[1])
redis.call('HDEL', KEYS[1] .. ':changed', ARGV[1])
return redis.call('HDEL', KEYS[1] .. ':rows', ARGV[1])
`);

/** Rows of credentials in Redis. */
export function redisCredentialRows({ link, keyOf }: Access): CredentialRows {
  const key = keyOf('credentials');
  const idOf = ({ caller, upstream }: CredentialName): string => digestOf(packed([caller, upstream]));
  return {
    async put(name, sealed) {
      const { caller, upstream } = name;
      const values = [idOf(name), packed({ caller, upstream, sealed })];
      const [created, changed] = listOf(await link.ask({ script: PUT, key, values }));
      return { caller, upstream, createdAt: numberOf(created), changedAt: numberOf(changed) };
    },
    get: async (name) => readRow(await link.ask({ script: GET, key, values: [idOf(name)] })),
    remove: async (name) => isYes(await link.ask({ script: REMOVE, key, values: [idOf(name)] })),
    async all() {
      const rows = listOf(await link.ask({ script: ALL, key, values: [] }));
      return rows.map(readRow).filter((row) => row !== undefined);
    },
  };
}

function readRow(reply: Reply): CredentialRow | undefined {
  const [row, created, changed] = listOf(reply);
  if (row === undefined) return undefined;
  const kept = jsonOf<Pick<CredentialRow, 'caller' | 'upstream' | 'sealed'>>(row);
  return { ...kept, createdAt: numberOf(created), changedAt: numberOf(changed) };
}

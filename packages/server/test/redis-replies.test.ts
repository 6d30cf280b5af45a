/** What Redis replies to a command that was made from the arguments reaches whoever sent them. */
import { describe, expect, it } from 'vitest';
import { error, said } from './thrown.ts';

const WRONGTYPE = 'WRONGTYPE Operation against a key holding the wrong kind of value';
const GROUP = 'BUSYGROUP Consumer Group name already exists';
const INDEX = 'ERR index out of range';

describe('a reply over what the caller sent', () => {
  it.each<readonly [string, object, string]>([
    [WRONGTYPE, { key: 'orders' }, 'invalid_arguments'],
    [WRONGTYPE, { keys: ['orders', 'carts'] }, 'invalid_arguments'],
    [WRONGTYPE, { redis_key: 'orders' }, 'invalid_arguments'],
    [WRONGTYPE, { sourceKey: 'orders' }, 'invalid_arguments'],
    [WRONGTYPE, { list: 'orders', value: 7 }, 'invalid_arguments'],
    [WRONGTYPE, { stream: 'orders' }, 'invalid_arguments'],
    [WRONGTYPE, { hash: 'orders', field: 'a' }, 'invalid_arguments'],
    [WRONGTYPE, { command: 'LPUSH orders 7' }, 'invalid_arguments'],
    [WRONGTYPE, { keyName: 'orders' }, 'invalid_arguments'],
    [INDEX, { key: 'l', index: 99 }, 'invalid_arguments'],
    [INDEX, { key: 'l', position: 99, value: 'x' }, 'invalid_arguments'],
    [INDEX, { command: 'LSET l 99 x' }, 'invalid_arguments'],
    ['ERR DB index is out of range', { db: 99 }, 'invalid_arguments'],
    ['ERR invalid DB index', { database: 'x' }, 'invalid_arguments'],
    [GROUP, { stream: 's', group: 'g' }, 'conflict'],
    [GROUP, { key: 's', groupName: 'g' }, 'conflict'],
    [GROUP, { key: 's', consumer_group: 'g' }, 'conflict'],
    ['ERR increment or decrement would overflow', { key: 'n', amount: 9e18 }, 'invalid_arguments'],
    ['ERR increment would produce NaN or Infinity', { key: 'n', by: 1e308 }, 'invalid_arguments'],
    ['ERR min or max is not a float', { key: 'z', min: 'a', max: 'b' }, 'invalid_arguments'],
    [
      'ERR source and destination objects are the same',
      { source: 'a', destination: 'a' },
      'invalid_arguments',
    ],
    ['ERR timeout is negative', { key: 'l', timeout: -1 }, 'invalid_arguments'],
    ['ERR value is not an integer or out of range', { key: 'n' }, 'invalid_arguments'],
    ['ERR hash value is not an integer', { key: 'n', field: 'f' }, 'invalid_arguments'],
    ['ERR value is not a valid float', { key: 'n' }, 'invalid_arguments'],
    ['NOSCRIPT No matching script. Please use EVAL.', { sha: 'e0e1' }, 'not_found'],
    ['ERR no such key', { key: 'orders', newKey: 'x' }, 'not_found'],
    ['BUSYKEY Target key name already exists.', { key: 'orders' }, 'conflict'],
    [
      "NOGROUP No such key 'orders:stream' or consumer group 'g'",
      { key: 'orders:stream', group: 'g' },
      'not_found',
    ],
  ])('%s to %j', async (reply, args, kind) => {
    const words = reply.replace(/\.$/, '');
    const all = await Promise.all([
      said(new Error(reply), args),
      said(error(reply, { name: 'ReplyError' }), args),
      said(error(reply, { name: 'SimpleError' }), args),
    ]);
    expect(all.map(([told, text]) => [told, text.slice(0, words.length)])).toEqual([
      [kind, words],
      [kind, words],
      [kind, words],
    ]);
  });

  it('is proven by the command that the client kept', async () => {
    const kept = (args: readonly unknown[]): Error =>
      error(WRONGTYPE, { name: 'ReplyError', command: { name: 'get', args } });
    expect(await said(kept(['k1']), { id: 'k1' })).toMatchObject(['invalid_arguments', expect.anything()]);
    expect(await said(kept(['session:7']), { key: 'k1' })).toMatchObject(['internal', expect.anything()]);
  });

  it.each([`ReplyError: ${WRONGTYPE}`, `Error: ${WRONGTYPE}`])(
    'with its name before it: %s',
    async (text) => {
      const [kind, words] = await said(new Error(text), { key: 'orders' });
      expect([kind, words.includes(WRONGTYPE)]).toEqual(['invalid_arguments', true]);
    },
  );
});

describe('is the server’s own', () => {
  it.each<readonly [string, object]>([
    [WRONGTYPE, {}],
    [WRONGTYPE, { id: '7' }],
    [WRONGTYPE, { city: 'Bern', limit: 5 }],
    [WRONGTYPE, { keyword: 'tea' }],
    [WRONGTYPE, { monkey: 'tea', offset: 5 }],
    [WRONGTYPE, { listing: 'tea' }],
    [INDEX, {}],
    [INDEX, { id: '7' }],
    [INDEX, { query: 'tea' }],
    [INDEX, { key: 'orders' }],
    [GROUP, {}],
    [GROUP, { id: '7' }],
    [GROUP, { grouping: 'day' }],
    ['ERR DB index is out of range', { id: '7' }],
    ['ERR increment or decrement would overflow', { id: '7' }],
    ['ERR min or max is not a float', { id: '7' }],
    ['ERR source and destination objects are the same', { id: '7' }],
    ['ERR timeout is negative', { city: 'Bern' }],
  ])('%s to %j', async (reply, args) => {
    const [kind, words] = await said(error(reply, { name: 'ReplyError' }), args);
    expect([FOR_OPERATORS.includes(String(kind)), words.includes(reply)]).toEqual([true, false]);
  });

  it.each([
    "OOM command not allowed when used memory > 'maxmemory'.",
    'NOAUTH Authentication required.',
    'WRONGPASS invalid username-password pair or user is disabled.',
    "NOPERM this user has no permissions to run the 'get' command",
    'MISCONF Redis is configured to save RDB snapshots, but it is currently not able to persist on disk.',
    "READONLY You can't write against a read only replica.",
    "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
    'CLUSTERDOWN Hash slot not served',
    'MOVED 3999 10.0.0.5:6381',
    'BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.',
    'EXECABORT Transaction discarded because of previous errors.',
    'NOREPLICAS Not enough good replicas to write.',
    'ERR This instance has cluster support disabled',
    'ERR Client sent AUTH, but no password is set',
    'TRYAGAIN Multiple keys request during rehashing of slot',
    'WRONGTYPE of the cache: Operation against a key holding the wrong kind of value',
    'ERR index out of range in the worker table',
  ])('whoever sent a key: %s', async (reply) => {
    const [kind, words] = await said(error(reply, { name: 'ReplyError' }), { key: 'orders', group: 'g' });
    expect([FOR_OPERATORS.includes(String(kind)), words.includes(reply)]).toEqual([true, false]);
  });
});

const FOR_OPERATORS = [
  'internal',
  'misconfigured',
  'unavailable',
  'overloaded',
  'timeout',
  'upstream_failed',
];

describe('a command that the server has made itself', () => {
  it.each([
    ["ERR unknown command 'FOO', with args beginning with: 'a'", { city: 'Oslo' }],
    ['ERR unknown command `JSON.GET`', { key: 'orders' }],
    ["ERR wrong number of arguments for 'get' command", { key: 'orders' }],
  ])('is nothing that a caller can mend: %s', async (reply, args) => {
    expect((await said(error(reply, { name: 'ReplyError' }), args))[0]).toBe('internal');
  });

  it('is the caller’s where the caller has sent it', async () => {
    const [kind, text] = await said(error("ERR unknown command 'FOO'", { name: 'ReplyError' }), {
      command: 'FOO a',
    });
    expect(kind).not.toBe('internal');
    expect(text).toContain("unknown command 'FOO'");
  });
});

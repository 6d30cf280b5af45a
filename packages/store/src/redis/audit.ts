/** The audit log in Redis. */
import { link as linked, ORIGIN, Verifier } from '../chain.ts';
import type { Audit, AuditRow, Deed } from '../ports.ts';
import { pageSize } from '../settings.ts';
import { packed } from '../text.ts';
import { isYes, jsonOf, listOf, numberOf, type Reply, script } from './link.ts';
import type { Access } from './redis.ts';

const HEAD = script(`
return { string.format('%.0f', now), redis.call('LINDEX', KEYS[1], -1) or '', redis.call('LLEN', KEYS[1]) }
`);

const APPEND = script(`
if redis.call('LLEN', KEYS[1]) ~= tonumber(ARGV[1]) then return 0 end
redis.call('RPUSH', KEYS[1], ARGV[2])
redis.call('SET', KEYS[1] .. ':written', ARGV[1], 'NX')
redis.call('INCR', KEYS[1] .. ':written')
return 1
`);

/** How many rows there were ever. */
const WRITTEN = script(`return tonumber(redis.call('GET', KEYS[1] .. ':written') or '0')`);

const PAGE = script(`return redis.call('LRANGE', KEYS[1], ARGV[1], ARGV[2])`);

/** Rows that are judged at a time. */
const CHUNK = 1000;

/** An audit log in Redis. */
export function redisAudit({ link, keyOf }: Access): Audit {
  const key = keyOf('audit');
  /** One of this process at a time; others are found out by the length. */
  let turn: Promise<unknown> = Promise.resolve();

  async function append(deed: Deed): Promise<AuditRow> {
    for (;;) {
      const [at, last, length] = listOf(await link.ask({ script: HEAD, key, values: [] }), 3);
      const seq = numberOf(length);
      const hash = seq === 0 ? ORIGIN : jsonOf<AuditRow>(last).hash;
      const row = linked({ seq, hash }, deed, numberOf(at));
      const done = await link.ask({ script: APPEND, key, values: [seq, packed(row)] });
      if (isYes(done)) return row;
    }
  }

  const page = async (after: number, count: number): Promise<readonly AuditRow[]> => {
    const values = [after, after + count - 1];
    return listOf(await link.ask({ script: PAGE, key, values })).map(rowOf);
  };
  return {
    append(deed) {
      const mine = turn.then(() => append(deed));
      turn = mine.catch(() => undefined);
      return mine;
    },
    list: ({ after = 0, limit } = {}) => page(after, pageSize(limit)),
    async verify(known) {
      const verifier = new Verifier(known);
      // Counted first: what is written meanwhile is no gap.
      const written = numberOf(await link.ask({ script: WRITTEN, key, values: [] }));
      for (let after = 0; ; after += CHUNK) {
        const rows = await page(after, CHUNK);
        const isFine = rows.every((row) => verifier.takes(row));
        if (!isFine || rows.length < CHUNK) return verifier.verdict(written);
      }
    },
  };
}

/** What somebody has made unreadable is a broken row, not a broken log. */
function rowOf(reply: Reply): AuditRow {
  try {
    const row = jsonOf<AuditRow>(reply);
    if (typeof row === 'object' && row !== null) return row;
  } catch {
    // Below.
  }
  return { seq: 0, at: 0, actor: '', action: '', hash: '' };
}

/** Pages of a list. A cursor is signed, so that nobody can make one up, and lives for a while. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '@mayday/policy';
import type { Members } from '@mayday/server/rpc';
import { cut, raise } from './errors.ts';

/** A page. */
interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor?: string;
}

/** Makes pages of a list: `paginate('tools/list', tools, params)`. */
export type Paginate = <T>(method: string, items: readonly T[], params: Members) => Page<T>;

const CURSOR = /^page-(\d{1,9})-(\d{1,15})-([0-9a-f]{16})$/;

/** A paginator for the cursors of all who know the secret. */
export function createPaginate(clock: Clock, secret: Buffer, pageSize: number, ttlMs: number): Paginate {
  const sign = (method: string, offset: number, issued: number): string =>
    createHmac('sha256', secret).update(`${method} ${offset} ${issued}`).digest('hex').slice(0, 16);

  function offsetOf(method: string, cursor: unknown): number {
    if (cursor === undefined) return 0;
    if (typeof cursor !== 'string')
      throw raise('invalid_params', { details: 'Invalid parameter type: cursor must be a string' });
    const [, offset = '', issued = '', signature = ''] = CURSOR.exec(cursor) ?? [];
    const expected = sign(method, Number(offset), Number(issued));
    if (signature.length !== 16 || !timingSafeEqual(Buffer.from(signature), Buffer.from(expected)))
      throw raise('invalid_cursor', { cursor: cut(cursor) });
    if (clock.now() - Number(issued) >= ttlMs)
      throw raise('cursor_expired', { cursor, ttl_seconds: Math.ceil(ttlMs / 1000) });
    return Number(offset);
  }

  return (method, items, params) => {
    const start = offsetOf(method, params['cursor']);
    const end = start + pageSize;
    const page = items.slice(start, end);
    if (end >= items.length) return { items: page };
    const issued = clock.now();
    return { items: page, nextCursor: `page-${end}-${issued}-${sign(method, end, issued)}` };
  };
}

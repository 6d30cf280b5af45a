/** Keys and sessions in memory. */
import type { KeyRow, KeyRows, ReadKey } from '../keys.ts';
import type { Session, Sessions } from '../ports.ts';
import type { Now } from './memory.ts';

/** Rows of keys in memory. */
export function memoryKeyRows(now: Now): KeyRows {
  const byId = new Map<string, ReadKey>();
  const idOf = new Map<string, string>();
  let isMarked = false;
  const index = ({ id, secrets }: KeyRow): void => {
    for (const { digest } of secrets) idOf.set(digest, id);
  };
  return {
    now: async () => now(),
    byDigest: async (digest) => byId.get(idOf.get(digest) ?? ''),
    byId: async (id) => byId.get(id),
    async all() {
      now();
      return [...byId.values()];
    },
    count: async () => byId.size,
    async write(row, version, among = byId.size) {
      const known = byId.get(row.id);
      if ((known?.version ?? 0) !== version || among !== byId.size) return false;
      for (const { digest } of known?.row.secrets ?? []) idOf.delete(digest);
      index(row);
      byId.set(row.id, { ...known, row, version: version + 1 });
      return true;
    },
    async touch(id, lastUsedAt) {
      const known = byId.get(id);
      if (known !== undefined) byId.set(id, { ...known, lastUsedAt });
    },
    async wereMade(isKnown) {
      now();
      isMarked ||= isKnown;
      return isMarked || byId.size > 0;
    },
  };
}

/** Old sessions that are looked for with each new one. */
const SWEPT = 8;

/** Sessions in memory. */
export function memorySessions(now: Now): Sessions {
  const byId = new Map<string, Session>();
  const live = (id: string): Session | undefined => {
    const known = byId.get(id);
    return known !== undefined && known.expiresAt > now() ? known : undefined;
  };
  const sweep = (): void => {
    let looked = 0;
    for (const [id, { expiresAt }] of byId) {
      if (expiresAt <= now()) byId.delete(id);
      looked += 1;
      if (looked === SWEPT) return;
    }
  };
  return {
    async open({ id, owner, node, ttlMs }) {
      sweep();
      if (live(id) !== undefined) return false;
      byId.set(id, { id, owner, node, expiresAt: now() + ttlMs });
      return true;
    },
    async find(id) {
      now();
      return live(id);
    },
    async renew(id, ttlMs) {
      now();
      const known = live(id);
      if (known === undefined) return false;
      byId.delete(id);
      byId.set(id, { ...known, expiresAt: now() + ttlMs });
      return true;
    },
    async end(id) {
      now();
      byId.delete(id);
    },
  };
}

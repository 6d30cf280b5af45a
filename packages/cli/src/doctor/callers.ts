/** Can anybody come in? A gateway that refuses everybody looks healthy from the outside. */
import type { Settings } from '@mayday/gateway';
import { openStore, type StoredKey } from '@mayday/store';
import type { Check } from './check.ts';
import { isMissing } from './surroundings.ts';

/** What keeps everybody out. Absent where somebody can come in, or where the store cannot be asked, which is told of the store. */
export async function checkCallers({ keys, oauth, access, store }: Settings): Promise<Check | undefined> {
  if (keys.length + oauth.issuers.length > 0) return undefined;
  const made = store.url === undefined ? [] : await keysOf(store.url, store.secret).catch(() => undefined);
  if (made === undefined || made.some(({ revoked, expired }) => !revoked && !expired)) return undefined;
  if (made.length > 0) return nobody('every key of the store is revoked or has expired', MAKE);
  if (access.withoutKey !== 'refuse') return undefined;
  return nobody(
    '`access.without_key` is `refuse`, and there is no key',
    store.url === undefined ? WRITE : MAKE,
  );
}

const MAKE = 'make one with `mayday keys create`, or write one under `keys`';
const WRITE = 'write one under `keys`, or add a `store` and make one with `mayday keys create`';

function nobody(why: string, how: string): Check {
  return { what: 'callers', result: 'warning', says: `Nobody can come in: ${why}; ${how}` };
}

async function keysOf(url: string, secret: string | undefined): Promise<readonly StoredKey[]> {
  if (isMissing(url)) return [];
  const opened = await openStore({ url, secret });
  return opened.keys.list().finally(() => opened.close());
}

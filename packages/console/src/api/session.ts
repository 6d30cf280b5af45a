/** Who looks: the key of an operator, in this tab alone. It is never in an address, and never outlives the tab. */
import { type Signal, signal } from '@preact/signals';
import type { Trouble } from './ask.ts';

const PLACE = 'mayday-console-key';

/** The key; absent before somebody has signed in, and where nobody needs one. */
export const key: Signal<string | undefined> = signal(kept());

/** What is known: nothing yet, that the gateway answers, or that a key is needed, and what is wrong with the last one. */
export type Access =
  | { readonly is: 'unknown' | 'open' }
  | { readonly is: 'closed'; readonly why: Trouble | undefined };

/** Whether the gateway answers whoever looks. */
export const access: Signal<Access> = signal({ is: 'unknown' });

/** Takes a key; until the tab is closed where that is wanted, else until the page is left. */
export function signIn(secret: string, isKept: boolean): void {
  withStorage((storage) => (isKept ? storage.setItem(PLACE, secret) : storage.removeItem(PLACE)));
  key.value = secret;
}

/** Forgets the key. */
export function signOut(why: Trouble | undefined): void {
  withStorage((storage) => storage.removeItem(PLACE));
  key.value = undefined;
  access.value = { is: 'closed', why };
}

/** Looks at a trouble: whether it is one of the key. */
export function isOfKey({ status, what }: Trouble): boolean {
  return status === 401 || (status === 403 && /operator/i.test(what));
}

function kept(): string | undefined {
  return withStorage((storage) => storage.getItem(PLACE)) ?? undefined;
}

/** A browser may keep nothing, and say so by throwing. */
function withStorage<T>(use: (storage: Storage) => T): T | undefined {
  try {
    return use(sessionStorage);
  } catch {
    return undefined;
  }
}

/** Servers that a client signs in to by itself: the gateway does not, so that they would serve nobody behind it. */
import type { EntryParts } from './entry-parts.ts';
import { isObject } from './sections.ts';

/** Why such a server stays with its client. */
export const SIGNED_IN_TO =
  'the client signs in to it, which the gateway does not do; with a token under headers it could be imported';

/** Fields by which clients are told how to sign in. */
const LOGINS = ['oauth', 'auth', 'authProviderType', 'headersHelper'];

/** Does the entry say that the client signs in? */
export function saysSignIn({ others }: Pick<EntryParts, 'others'>): boolean {
  return LOGINS.some((field) => {
    const value = others[field];
    return isObject(value) ? Object.keys(value).length > 0 : Boolean(value) && value !== 'none';
  });
}

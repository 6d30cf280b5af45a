/** Whoever knocks: by a key of ours, or by the token of an issuer that is believed. */
import type { RequestHead } from '@mayday/relay';
import { isOfIssuer } from './issuer-names.ts';
import type { Keys, KnownCaller } from './keys.ts';
import type { OAuth } from './oauth/oauth.ts';
import { Stranger } from './stranger.ts';

/** Finds the caller of a request. Paths are those of endpoints: `/mcp`, `/files/mcp`, or nothing. */
export interface Callers {
  /** Does nobody come in without a credential? */
  readonly areNeeded: boolean;
  /** The caller; a promise where somebody has to be asked, which rejects where that cannot be done. */
  find(request: RequestHead, path: string): Found | Promise<Found>;
  /** The same, as far as it is known without asking anybody. */
  known(request: RequestHead, path: string): KnownCaller | undefined;
  /** What a caller of earlier settings is by these: nobody, if its credential is good no longer. */
  again(caller: KnownCaller): KnownCaller | undefined;
}

type Found = KnownCaller | Stranger | undefined;

/** By its looks; whether it is one is for the issuer's keys to say. */
const TOKEN = /^Bearer +([\w-]+\.[\w-]*\.[\w-]*)$/i;

/** A key of the store with the name of somebody who logs in: nobody could tell them apart. */
const NAMESAKE = new Stranger('name of an issuer');

/** Neither a key of ours nor anything that could be a token. */
const UNKNOWN = new Stranger('unknown');

/** Keys come first: they are known here. */
export function createCallers(keys: Keys, oauth: OAuth | undefined): Callers {
  const tokenIn = ({ headers }: RequestHead): string | undefined =>
    oauth === undefined ? undefined : TOKEN.exec(headers.authorization ?? '')?.[1];
  const unsure = (request: RequestHead): string | undefined =>
    keys.areNeeded ? (twice(request) ?? (oauth === undefined ? undefined : inQuery(request))) : undefined;

  const issuers = oauth?.issuers.map(({ settings }) => settings) ?? [];
  const isNamesake = ({ name, token }: KnownCaller): boolean =>
    token === undefined && isOfIssuer(name, issuers);
  const own = (who: Found): Found =>
    who !== undefined && !(who instanceof Stranger) && isNamesake(who) ? NAMESAKE : who;

  return {
    get areNeeded() {
      return keys.areNeeded;
    },
    find(request, path) {
      const wrong = unsure(request);
      if (wrong !== undefined) return new Stranger(wrong);
      const { authorization } = request.headers;
      const token = tokenIn(request);
      if (oauth === undefined) return keys.find(authorization, request.alike);
      if (token !== undefined) return own(keys.known(authorization)) ?? oauth.find(token, path);
      const found = keys.find(authorization, request.alike);
      const named = (who: Found): Found => own(who) ?? (authorization === undefined ? undefined : UNKNOWN);
      return found instanceof Promise ? found.then(named) : named(found);
    },
    known(request, path) {
      if (unsure(request) !== undefined) return undefined;
      const token = tokenIn(request);
      const found = keys.known(request.headers.authorization);
      if (found !== undefined) return isNamesake(found) ? undefined : found;
      return token === undefined ? undefined : oauth?.known(token, path);
    },
    again(caller) {
      if (isNamesake(caller)) return undefined;
      return caller.token === undefined ? keys.again(caller) : againWithToken(caller, keys, oauth);
    },
  };
}

/** Where nobody needs a credential any more, everybody may stay. */
function againWithToken(caller: KnownCaller, keys: Keys, oauth: OAuth | undefined): KnownCaller | undefined {
  return oauth === undefined && !keys.areNeeded ? caller : oauth?.again(caller);
}

/** Of two, each reader would take another. */
function twice({ rawHeaders }: RequestHead): string | undefined {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]?.length === AUTHORIZATION.length && rawHeaders[i]?.toLowerCase() === AUTHORIZATION)
      count++;
  return count > 1 ? 'two Authorization headers' : undefined;
}

const AUTHORIZATION = 'authorization';

/** What stands in an address is in logs and histories: it is no secret any more. */
function inQuery({ url = '' }: RequestHead): string | undefined {
  const query = url.indexOf('?');
  if (query < 0) return undefined;
  return new URLSearchParams(url.slice(query)).has('access_token') ? 'in the query' : undefined;
}

/** Redirects: which are followed, and with what. */
import type { HttpHeaders } from '@mayday/relay';
import { toUrl } from '../to-url.ts';

/** A request that was answered with a redirect. */
export interface Redirected {
  readonly status: number;
  readonly headers: HttpHeaders;
  readonly method: string;
  /** What was asked for. */
  readonly url: URL;
  /** The origin of the API. */
  readonly home: string;
  /** How many there were before. */
  readonly hops: number;
  /** Is it a place that the operator has named, beside the API's own? */
  readonly isNamed: (origin: string) => boolean;
}

/** Where to go on, or why not to. */
export type Redirect =
  | { readonly type: 'follow'; readonly url: URL; readonly method: 'GET' | 'HEAD' }
  | { readonly type: 'refuse'; readonly why: string; readonly isBroken?: boolean };

const MAX_HOPS = 5;
const MOVED: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const SEE_OTHER = 303;

/**
 * What to do about an answer that may be a redirect; `undefined` when it is none. Only what reads is asked again: what changes something may have been done,
 * and is never sent twice, but 303 says where to look at what became of it. Elsewhere than at the API's own origin only
 * what the operator has named is asked: the place may come out of an argument.
 */
export function redirectOf(redirected: Redirected): Redirect | undefined {
  const { status, headers, method, url, home, hops, isNamed } = redirected;
  if (!MOVED.has(status)) return undefined;
  const location = headers['location'];
  if (typeof location !== 'string' || location === '')
    return { type: 'refuse', why: 'does not say where to', isBroken: true };
  const next = toUrl(location, url.href);
  if (next === undefined || !/^https?:$/.test(next.protocol))
    return { type: 'refuse', why: 'leads to nothing that can be asked' };
  const isElsewhere = next.origin !== home;
  const where = isElsewhere ? next.origin : 'another path';
  if (method !== 'GET' && method !== 'HEAD' && status !== SEE_OTHER)
    return {
      type: 'refuse',
      why: `leads to ${where}, and what changes something is not sent twice; base_url may have to change`,
    };
  if (hops >= MAX_HOPS) return { type: 'refuse', why: `leads on and on, last to ${where}` };
  if (url.protocol === 'https:' && next.protocol === 'http:')
    return { type: 'refuse', why: `leads to ${where}, which is not encrypted` };
  if (isElsewhere && !isNamed(next.origin))
    return {
      type: 'refuse',
      why: `leads to ${where}, which is not followed; name it in origins, or change base_url`,
    };
  next.username = '';
  next.password = '';
  next.hash = '';
  return { type: 'follow', url: next, method: method === 'HEAD' ? 'HEAD' : 'GET' };
}

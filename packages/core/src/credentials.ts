/** What a request proves its sender with: the headers, and the parameters of an address, that tell callers apart. */
import { remembering } from './remember.ts';
import { isCookieOfTheWay, OF_THE_WAY, PROVES, TRACED, VARIES } from './sender-names.ts';

/** A header as either kind of server hands it over. */
type Value = string | readonly string[] | null | undefined;
type Named = Iterable<readonly [name: string, value: Value]>;

/** Does a header or a parameter of this name, or with a password in this value, tell who sends a request? */
export function isCredential(name: string, value = ''): boolean {
  return standingOf(name.toLowerCase(), value) === 'proves';
}

/** Whether it tells who sends a request, or how it came; `unclear` where nobody can say. */
type Standing = 'proves' | 'way' | 'unclear';

function standingOf(lower: string, value: string): Standing {
  const byName = standingOfName(lower);
  return byName === 'unclear' && hasPassword(value) ? 'proves' : byName;
}

const standingOfName = remembering((lower: string): Standing => {
  const words = lower.replace(/client[^a-z0-9]id(?![a-z0-9])/, 'clientid').split(/[^a-z0-9]+/);
  if (TRACED.test(lower) && PROVES.test(words.at(-1) ?? '')) return 'unclear';
  if (VARIES.test(lower)) return 'way';
  if (lower === 'from' || words.some((word) => PROVES.test(word))) return 'proves';
  return OF_THE_WAY.test(lower) ? 'way' : 'unclear';
});

/** Where a connection string, or the address of a database, says who opens it. */
function hasPassword(value: string): boolean {
  return /:\/\/[^/?#\s@:]*:[^/?#\s@]+@|(?:^|[;&\s])(?:password|pwd|accountkey|sharedaccesskey)\s*=/i.test(
    value.slice(0, MAX_LOOKED),
  );
}

const MAX_LOOKED = 4096;

/** What is left of cookies; `undefined` where they tell nobody apart. */
function tellingCookies(value: string): string | undefined {
  const kept = value
    .split(';')
    .map((cookie) => cookie.trim())
    .filter((cookie) => !isCookieOfTheWay(cookie.split('=')[0] ?? ''));
  return kept.length === 0 ? undefined : kept.sort().join('; ');
}

/** A credential without what is made anew for each request; its scheme is the same in capitals and without. */
function lasting(value: string): string {
  const [, scheme = '', rest = ''] = /^([!#$%&'*+.^`|~\w-]+) +(.*)$/s.exec(value) ?? [];
  if (scheme === '') return value;
  const lower = scheme.toLowerCase();
  const signer = COMPUTED.test(lower) ? SIGNER.exec(rest)?.[0] : undefined;
  return `${lower} ${signer ?? rest}`;
}

/** Schemes that sign each request: who does it is said beside. */
const COMPUTED = /^(?:aws4-\S+|digest|hawk|hmac\S*|signature)$/;
const SIGNER = /(?<![a-z])(?:credential|username|keyid|id)="?[^",/\s]+/i;

/** The session of the older transport, which the server gives anew to a client that comes back. */
const OF_SESSIONS = /^session_?id$/i;

/**
 * Everything in these headers, and in the parameters of the address, that tells who sends them, as one text to compare; `undefined` if
 * nothing does. An address is written down once for each client, so all of it counts. It holds secrets: keep its digest.
 */
export function credentialsIn(headers: Named, parameters: Named = []): string | undefined {
  const found: string[] = [];
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    if (value === undefined || value === null || !isCredential(lower, String(value))) continue;
    const said = saidIn(lower, String(value));
    if (said !== undefined) found.push(JSON.stringify([lower, said]));
  }
  for (const [name, value] of parameters)
    if (!OF_SESSIONS.test(name)) found.push(JSON.stringify(['?', name, String(value)]));
  return found.length === 0 ? undefined : found.sort().join('\n');
}

function saidIn(lower: string, value: string): string | undefined {
  if (lower === 'cookie') return tellingCookies(value);
  return lower.endsWith('authorization') ? lasting(value) : value;
}

/**
 * Headers of which nobody can say whether they tell who sends them, as one text to compare; empty where there are none. By such, two
 * requests are neither taken for one caller's nor for two. It may hold secrets: keep its digest.
 */
export function unclearIn(headers: Named): string {
  const found: string[] = [];
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    if (value !== undefined && value !== null && standingOf(lower, String(value)) === 'unclear')
      found.push(JSON.stringify([lower, String(value)]));
  }
  return found.sort().join('\n');
}

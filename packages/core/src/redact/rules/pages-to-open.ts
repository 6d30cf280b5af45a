/**
 * Pages that a person has to open before a call can succeed: to sign in, to pay. What only looks like a secret in their addresses
 * opens nothing to whoever reads it, and without it the page is lost. Passwords, and keys by a vendor's form, go all the same.
 */
import type { Span } from '../page.ts';
import { isAskedToOpen } from './asked-to-open.ts';

/** From where to where something stays. */
type Stretch = readonly [start: number, end: number];

/** Rules that judge by a name or by looks. */
const LOOSE: ReadonlySet<string> = new Set([
  'query-secret',
  'assignment',
  'token-shape',
  'near-name',
  'jwt',
  'entropy',
  'cookie',
]);

/** An address, as far as a text or the HTML and JSON around it let it go. */
const ADDRESS = /https?:\/\/(?:[^\s"'`<>()[\]{}\\|]|\\u0026)+/gi;

/** `&`, as HTML and JSON may write it, or `?`; then a name and what it is given. */
const PARAMETER = /(?:[?&]|\\u0026)(?:amp;)?([\w-]{1,40})=([^&#\\]*)/g;

/** What a request to sign in cannot be without, and what is public in it. */
const OF_REQUEST = /^(?:client_id|state|nonce|code_challenge)$/i;

/** Parameters that only a request to sign in has. */
const ASKS = /^(?:response_type|redirect_uri|code_challenge)$/i;

/** Parameters of whoever has signed in already, or is a program. */
const HANDS_OVER = /^(?:code|ticket|token|\w+_token|client_secret)$/i;

/** Parameters that open more than the page. */
const OPENS_MORE =
  /pass|pwd|secret|^(?:code|token|jwt|auth|authorization|sig|signature)$|(?:^|_)(?:access|refresh|id|api|auth|bearer)_?token$|key$/i;

const SIGNS_IN = /oauth|authori[sz]e|\/auth$|login|sign-?in|\/installations\/new$/i;

/** Parameters that lead to one payment. */
const OF_PAYMENT = /^(?:token|signature|session_id)$/i;

const PAYS =
  /^https:\/\/(?:(?:billing|invoice|verify)\.stripe\.com\/|[^/?#]+\.[a-z]+(?::\d+)?\/(?:[^?#]*\/)?(?:checkouts?|checkoutnow|pay)(?:\/|$))/i;

/** Where programs pay, or nobody from outside. */
const NOT_FOR_PEOPLE =
  /\/\/api\.|\/api\/|\/v\d+\/|^https:\/\/[^/]*\.(?:corp|internal|intra(?:net)?|lan|local|svc|home)[:/]/i;

/**
 * The findings without those that a page to open needs. What was taken for its name alone hides what stands in it, and what its
 * form says: `find` looks there once more.
 */
export function withoutPages(spans: Span[], text: string, find: (value: string) => readonly Span[]): Span[] {
  if (!spans.some(({ rule }) => LOOSE.has(rule)) || !text.includes('://')) return spans;
  const pages = [...text.matchAll(ADDRESS)].map(({ 0: address, index }) => {
    const isAsked = isAskedToOpen(text, index, index + address.length);
    return { start: index, parts: joined(staying(address, index, isAsked)) };
  });
  const stretches = pages.flatMap(({ parts }) => parts);
  if (stretches.length === 0) return spans;
  const wholes = new Set(pages.filter(({ parts }) => parts.length > 0).map(({ start }) => start));
  let next = 0;
  return [...spans]
    .sort((a, b) => a.start - b.start)
    .flatMap((span) => {
      const { rule, start, end } = span;
      while ((stretches[next]?.[1] ?? Infinity) <= start) next++;
      const [from, to] = stretches[next] ?? [Infinity, Infinity];
      if (!LOOSE.has(rule)) return [span];
      if (from <= start && end <= to) {
        // A form hangs on what stands before it.
        return find(text.slice(start - 1, end)).some((found) => !LOOSE.has(found.rule)) ? [span] : [];
      }
      return wholes.has(start) ? find(text.slice(start, end)).map((found) => moved(found, start)) : [span];
    });
}

function moved(span: Span, by: number): Span {
  return { ...span, start: span.start + by, end: span.end + by };
}

/** Neighbours as one, so that what is taken over their seam is found in them too. */
function joined(stretches: readonly Stretch[]): readonly Stretch[] {
  const out: [number, number][] = [];
  for (const [start, end] of stretches) {
    const last = out.at(-1);
    if (last?.[1] === start) last[1] = end;
    else out.push([start, end]);
  }
  return out;
}

/** Is it the address of such a page? */
export function isPageToOpen(address: string): boolean {
  return staying(address, 0, false).length > 0;
}

/** What stays of an address that stands at an offset, in its order. */
function staying(address: string, offset: number, isAsked: boolean): readonly Stretch[] {
  const [place = ''] = address.split(/[?#]/, 1);
  const parameters = [...address.matchAll(PARAMETER)];
  const names = parameters.map(([, name = '']) => name);
  const isPaid = PAYS.test(place) && !NOT_FOR_PEOPLE.test(place);
  const isOpened = isAsked || isRequest(place, names);
  if (!isOpened && !isPaid) return [];
  const isCheckout = isPaid && /\/checkout/i.test(place);
  const stays = (name: string): boolean =>
    (isCheckout && OF_PAYMENT.test(name)) || (isOpened && !OPENS_MORE.test(name));
  // Names stay in any case.
  const values = parameters.map(({ 0: whole, 1: name = '', 2: value = '', index }): Stretch => {
    const end = offset + index + whole.length;
    return [offset + index, stays(name) ? end : end - value.length];
  });
  const hash = address.indexOf('#');
  const fragment: readonly Stretch[] = hash < 0 ? [] : [[offset + hash, offset + address.length]];
  return [[offset, offset + place.length], ...values, ...fragment];
}

/** Does an address ask somebody to sign in? */
function isRequest(place: string, names: readonly string[]): boolean {
  if (names.some((name) => HANDS_OVER.test(name))) return false;
  const isTold = names.includes('client_id') && names.some((name) => ASKS.test(name));
  return isTold || (SIGNS_IN.test(place) && names.some((name) => OF_REQUEST.test(name)));
}

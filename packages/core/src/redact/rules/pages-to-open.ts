/**
 * Pages that a person has to open before a call can succeed: to sign in, to pay. What only looks like a secret in their addresses
 * opens nothing to whoever reads it, and without it the page is lost. Passwords, and keys by a vendor's form, go all the same.
 */
import type { Span } from '../page.ts';
import { SURROGATE } from '../surrogates.ts';
import { isAskedToOpen } from './asked-to-open.ts';
import { build } from './patterns.ts';

/** From where to where something stays, and whether it is a value that has a name. */
type Stretch = readonly [start: number, end: number, isNamed: boolean];

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

/** Of those, rules that judge by looks alone: in a path nothing else is forgiven. */
const LOOKS: ReadonlySet<string> = new Set(['token-shape', 'near-name', 'entropy']);

/** An address, as far as a text or the HTML and JSON around it let it go. What was cut from it does not end it. */
const ADDRESS = build(String.raw`https?:\/\/(?:[^\s"'\x60<>()[\]{}\\|]|\\u0026|${SURROGATE.source})+`, 'gi');

/** `&`, as HTML and JSON may write it, or `?`; then a name and what it is given. */
const PARAMETER = /(?:[?&]|\\u0026)(?:amp;)?([\w-]{1,40})=([^&#;\\]*)/g;

/** What a request to sign in cannot be without, and what is public in it. */
const OF_REQUEST = /^(?:client_id|state|nonce|code_challenge)$/i;

/** Parameters that only a request to sign in has. */
const ASKS = /^(?:response_type|redirect_uri|code_challenge)$/i;

/** Parameters of whoever has signed in already, or is a program. */
const HANDS_OVER = /^(?:code|ticket|token|\w+_token|client_secret)$/i;

/** Parameters by which somebody who is asked to open a page finds what was begun there. What opens more has other names. */
const OF_PAGE =
  /^(?:session(?:_?id)?|sid|request(?:_uri)?|samlrequest|relaystate|oauth_token|ba_token|authorization_request|flow(?:_?id)?|(?:login|consent|logout|device)_challenge|start|user_code|scope|redirect_uri|create_composite|response_type|access_type|prompt|audience|resource)$/i;

/** Paths that are secrets by what they are for. */
const OPENS_BY_PATH =
  /\/(?:unlock|otp|web-?hooks?|hooks?|tokens?|keys?|secrets?|codes?|pass\w*|reset|invit\w*|magic)(?:\/|$)/i;

/** Something is within it: an address with a query, JSON, another pair. */
const NESTED = /%3[df]|%7b|%22|[={}]/i;

const SIGNS_IN = /oauth|authori[sz]e|\/auth$|login|sign-?in|\/installations\/new$/i;

/** Parameters that lead to one payment. */
const OF_PAYMENT = /^(?:token|signature|session_id)$/i;

const PAYS =
  /^https:\/\/(?:(?:billing|invoice|verify)\.stripe\.com\/|[^/?#]+\.[a-z]+(?::\d+)?\/(?:[^?#]*\/)?(?:checkouts?|checkoutnow|pay)(?:\/|$))/i;

/** Where programs pay, or nobody from outside. */
const NOT_FOR_PEOPLE =
  /\/\/api\.|\/api\/|\/v\d+\/|^https:\/\/[^/]*\.(?:corp|internal|intra(?:net)?|lan|local|svc|home)[:/]/i;

/** Looks for findings in a value, without some rules. */
export type Find = (value: string, off: ReadonlySet<string>) => readonly Span[];

const NO_RULES: ReadonlySet<string> = new Set();

/** What only the strict level takes, and what keeps other rules from looking there. */
const GUESSES: ReadonlySet<string> = new Set(['entropy']);

/**
 * The findings without those that a page to open needs. What was taken for its name alone hides what stands in it, and what its
 * form says: `find` looks there once more.
 */
export function withoutPages(spans: Span[], text: string, find: Find): Span[] {
  if (!spans.some(({ rule }) => LOOSE.has(rule)) || !text.includes('://')) return spans;
  const pages = [...text.matchAll(ADDRESS)].map(({ 0: address, index }) => {
    const isAsked = isAskedToOpen(text, index, index + address.length);
    return { start: index, parts: joined(staying(address, index, isAsked)) };
  });
  const stretches = pages.flatMap(({ parts }) => parts);
  if (stretches.length === 0) return spans;
  const wholes = new Set(pages.filter(({ parts }) => parts.length > 0).map(({ start }) => start));
  const isToGo = judge(text, find);
  let next = 0;
  return [...spans]
    .sort((a, b) => a.start - b.start)
    .flatMap((span) => {
      const { rule, start, end } = span;
      while ((stretches[next]?.[1] ?? Infinity) <= start) next++;
      const stretch = stretches[next] ?? NOWHERE;
      if (!LOOSE.has(rule)) return [span];
      if (stretch[0] <= start && end <= stretch[1] && (stretch[2] || LOOKS.has(rule))) {
        return isToGo(span, stretch) ? [span] : [];
      }
      return wholes.has(start)
        ? find(text.slice(start, end), NO_RULES).map((found) => moved(found, start))
        : [span];
    });
}

const NOWHERE: Stretch = [Infinity, Infinity, false];

/** Tells whether more is known of what was found in a stretch than its name and its looks. */
function judge(text: string, find: Find): (span: Span, stretch: Stretch) => boolean {
  let read: Stretch | undefined;
  let known: readonly Span[] = [];
  let next = 0;
  // Spans and stretches come in their order.
  const isKnown = (start: number, end: number, stretch: Stretch): boolean => {
    if (read !== stretch) {
      read = stretch;
      known = find(text.slice(stretch[0], stretch[1]), LOOSE).map((found) => moved(found, stretch[0]));
      next = 0;
    }
    while ((known[next]?.end ?? Infinity) <= start) next++;
    return (known[next]?.start ?? Infinity) < end;
  };
  return ({ rule, start, end }, stretch) =>
    // A form hangs on what stands before it.
    find(text.slice(start - 1, end), GUESSES).some((found) => !LOOSE.has(found.rule)) ||
    (LOOKS.has(rule) && isKnown(start, end, stretch));
}

function moved(span: Span, by: number): Span {
  return { ...span, start: span.start + by, end: span.end + by };
}

/** Neighbours as one, so that what is taken over their seam is found in them too. */
function joined(stretches: readonly Stretch[]): readonly Stretch[] {
  const out: [number, number, boolean][] = [];
  for (const [start, end, isNamed] of stretches) {
    const last = out.at(-1);
    if (last?.[1] === start && last[2] === isNamed) last[1] = end;
    else out.push([start, end, isNamed]);
  }
  return out;
}

/** Is it the address of such a page? */
export function isPageToOpen(address: string): boolean {
  return staying(address, 0, false).length > 0;
}

/** What stays of an address that stands at an offset, in its order. */
function staying(address: string, offset: number, isAsked: boolean): readonly Stretch[] {
  const [place = ''] = address.split(/[?#;]/, 1);
  const parameters = [...address.matchAll(PARAMETER)];
  const names = parameters.map(([, name = '']) => name);
  const isPaid = PAYS.test(place) && !NOT_FOR_PEOPLE.test(place);
  const isOpened = isAsked || isRequest(place, names);
  if (!isOpened && !isPaid) return [];
  const isCheckout = isPaid && /\/checkout/i.test(place);
  const isNeeded = (name: string, value: string): boolean => {
    if (isCheckout && OF_PAYMENT.test(name)) return true;
    return isOpened && (OF_REQUEST.test(name) || OF_PAGE.test(name)) && !NESTED.test(value);
  };
  // Names stay in any case.
  const values = parameters.map(({ 0: whole, 1: name = '', 2: value = '', index }): Stretch => {
    const end = offset + index + whole.length;
    return [offset + index, isNeeded(name, value) ? end : end - value.length, true];
  });
  const hash = isPaid ? address.indexOf('#fid') : -1;
  const fragment: readonly Stretch[] = hash < 0 ? [] : [[offset + hash, offset + address.length, false]];
  const path: readonly Stretch[] =
    !isPaid && OPENS_BY_PATH.test(place) ? [] : [[offset, offset + place.length, false]];
  return [...path, ...values, ...fragment];
}

/** Does an address ask somebody to sign in? */
function isRequest(place: string, names: readonly string[]): boolean {
  if (names.some((name) => HANDS_OVER.test(name))) return false;
  const isTold = names.includes('client_id') && names.some((name) => ASKS.test(name));
  return isTold || (SIGNS_IN.test(place) && names.some((name) => OF_REQUEST.test(name)));
}

/** Headers of a refusal. Those of doors, proxies and browsers say nothing of the work; what an application adds may. */

import { entriesOf, hasItsForm, isDate, isOfOneDoor, isTime } from './header-forms.ts';
import { namesThing } from './plain-words.ts';
import { isCookieOfAnyAnswer } from './sender-names.ts';
import { UNREAD } from './wire/http.ts';

/** Words of which the names of such headers are made. */
const NAMES: ReadonlySet<string> = new Set(
  `accel accelerated accept access age agent akamai alive allow allowed alt amz amzn apigw apim app aspnet
  aspnetmvc at attribution authenticate authorization azure b3 backend buffering bunny by bytes cachable
  cache cdn cf ch challenge clacks client cloud cluster coding colo compatible connection content context
  control cookie cookies correlation count credentials critical cross csp ct cto custom data date debug
  default deprecation digest disposition dns document domain domains download duration edge eligible embedder
  enc encoding envoy error errors errortype etag event expect expires expose failure fastly features fetch
  fly foundation frame from front gateway generator github goog google guploader headers hit hits host
  hostname hsts id idempotency instance ip jsonrpc keep key keys kong language last latency length level
  limit limitation limited litespeed live lookup machine match max mcp md5 media methods mitigated modified ms
  msedge nel netlify nf nginx node nonce oauth only openai opener opt options origin overhead p3p pad padding
  parent permissions permitted pod policies policy pop powered pragma pref prefetch prevented process
  processing protection protocol proxy quota railway ranges rate ratelimit ray real ref referrer region
  remaining render report reporting request requested requestid requests reset resource response retry ridge
  rndr robots route rules runtime sampled scope sec security served server service session set signature site
  span speculation start state status strict sts style sucuri sunset surrogate svc tag time timer timing to
  token tokens trace traceid traceparent tracestate trailer transport turbo type ua upgrade upstream
  used user uuid varnish vary vercel version via warning window worker www x xss zone`.split(/\s+/),
);

/** Whose ids a door gives out: of requests, their ways and machines. Another id is of something that was made. */
const WITH_IDS: ReadonlySet<string> = new Set(
  `akamai amz amzn apigw app aws azure b3 cf client cloud colo context correlation edge envoy fastly fly github goog
  google guploader id instance kong machine mcp ms netlify nf node oauth openai parent pod process proxy railway ray ref region
  render request requestid rndr route server service session span svc trace traceid user vercel worker x zone`.split(
    /\s+/,
  ),
);

/** Links that any page has. */
const PAGE_LINK =
  /;\s*rel="?(?:preload|preconnect|dns-prefetch|modulepreload|help|license|icon|stylesheet)"?/i;

/** Are these headers such as a door sends? Where something can be found, something was made. */
export function areOfTheDoor(headers: ReadonlyMap<string, string> | undefined): boolean {
  for (const [name, value] of headers ?? []) if (!isOfTheDoor(name, value)) return false;
  return true;
}

function isOfTheDoor(name: string, value: string): boolean {
  if (name === 'location' || name === 'content-location' || name === UNREAD) return false;
  if (name === 'idempotency-key') return false; // none was sent to it: it names what was made
  if (!hasItsForm(name, value)) return false;
  if (isOfOneDoor(name)) return true;
  if (name === 'content-type') return isMediaType(value);
  if (name === 'link') return value.split(/,(?=\s*<)/).every(isOfAnyPage);
  if (name === 'retry-after') return isTime(value);
  // What is announced is yet to come, and not everybody sees it.
  if (name === 'trailer')
    return value
      .toLowerCase()
      .split(',')
      .every((later) => isOfTheDoor(later.trim(), ''));
  if (name === 'set-cookie') return value.split(/,(?=[^=;,]+=)/).every(isAnybodys);
  if (name === 'server-timing') return entriesOf(value).every(isTimeOfTheWay);
  if (/(?:^|-)rate-?limit(?:-|$)/.test(name) && !isOwnCount(value)) return false;
  if (name === 'transfer-encoding') return true;
  const parts = name.split(/[-_.]/);
  if (parts.at(-1) === 'id' && !parts.every((word) => WITH_IDS.has(word) || isNumber(word))) return false;
  // What somebody further away said, or what became of it.
  if (parts.includes('status') && /^\s*\d/.test(value) && !REFUSED.test(value)) return false;
  return parts.every((word) => NAMES.has(word) || isNumber(word));
}

/** A status that refuses; another one was met further away. */
const REFUSED = /^\s*4(?!08|09|10|2[234])\d\d\b/;

function isOfAnyPage(link: string): boolean {
  const address = /<([^>]*)>/.exec(link)?.[1];
  return PAGE_LINK.test(link) && (address === undefined || !namesThing(address));
}

/** What cookies have beside their value. */
const OF_COOKIES =
  /^(?:expires|max-age|path|domain|secure|httponly|samesite|partitioned|priority|version)?\s*(?:=|$)/i;

/** Who has ordered something may be given a cookie about it: a receipt, a message for the next page. */
function isAnybodys(cookie: string): boolean {
  const [, path] = /;\s{0,9}path=([^;]*)/i.exec(cookie) ?? [];
  const [, ...attributes] = cookie.split(';').map((part) => part.trim());
  if (!attributes.every((attribute) => OF_COOKIES.test(attribute))) return false;
  return isCookieOfAnyAnswer(cookie.split('=')[0] ?? '') && (path === undefined || !namesThing(path));
}

/** What a type of media says of itself; a list of types has more of them. */
const OF_MEDIA =
  /^(?:(?:profile|version|v|ext|odata\.[a-z]{1,20}|ieee754compatible)\s?=\s?\S{0,300}|charset\s?=\s?"?(?:utf-?\d{1,2}(?:[bl]e)?|(?:us-)?ascii|iso-8859-\d{1,2}|latin-?\d|windows-\d{3,4}|cp\d{3,4}|shift_jis|euc-(?:jp|kr)|gb(?:k|2312|18030)|big5|koi8-[ru])"?|)$/i;

/** Where the parts of an answer end that has several. */
const BOUNDARY = /^boundary\s?=\s?"?[\w'()+,./:=?-]{1,70}"?$/i;

function isMediaType(value: string): boolean {
  const [type = '', ...parameters] = value.split(';').map((part) => part.trim());
  const hasParts = /^multipart\//i.test(type);
  return parameters.every((parameter) => OF_MEDIA.test(parameter) || (hasParts && BOUNDARY.test(parameter)));
}

/** What took its time before anybody worked: networks, caches, the whole. Another name is a step of the work. */
const STEP_OF_THE_WAY =
  /^(?:cf[a-z\d]*|cdn-?cache|cache|edge|origin|ak_p|hit-?state|total|tot|dns|tcp|tls|ssl|proxy|gateway|lb|router?|request|req|rtt|ttfb|ratelimit|rate-limit(?:er)?|auth)$/i;

/** Its parameters: a time, and the word of a cache or numbers of a network. */
const OF_A_STEP = /^(?:dur="?[\d.]*"?|desc="?(?:[a-z-]*|[\d_.]*)"?)?$/i;

/** What Cloudflare counts of a connection: packets that were sent are no mails. */
const OF_CONNECTION =
  /desc="\?(?:&?(?:proto=[A-Z]{1,8}|(?:c?rtt|min_rtt|rtt_var|sent|recv|lost|retrans|sent_bytes|recv_bytes|delivery_rate|cwnd|unsent_bytes|ts|x)=\d{1,20}|cid=[\da-f]{1,40}))*"/g;

/** A value without what is counted of a connection. */
export function withoutConnection(value: string): string {
  return value.replace(OF_CONNECTION, '');
}

function isTimeOfTheWay(entry: string): boolean {
  const [name = '', ...told] = withoutConnection(entry)
    .split(';')
    .map((part) => part.trim());
  if (name === 'intid') return told.every((part) => /^desc="?[\w.-]{0,64}"?$/.test(part)); // the id of a request
  return name === '' || (STEP_OF_THE_WAY.test(name) && told.every((part) => OF_A_STEP.test(part)));
}

/** Words with which a door says what it counts, and how. */
const COUNTED: ReadonlySet<string> = new Set(
  `account all anonymous any api apikey authenticated bucket burst calls client comment concurrent core count day default endpoint
  exceeded false fixed global gmt graphql hard hour http instance ip key limit mcp minute month name per perday perhour perhr permin perminute persec persecond pk policy primary q qu quota r
  rate remaining request requests reset rpc rpm rps rest route search second secondary server session sliding soft standard t
  tenant token tokens tool tools true unauthenticated user utc w window mon tue wed thu fri sat sun jan feb mar apr may jun jul aug
  sep oct nov dec z`.split(/\s+/),
);

/** What a policy is called that says no more than how much in which time, and the key that it counts by, which is a hash. */
const OF_A_POLICY = /"\d{1,15}-in-\d{1,9}(?:ms|sec|min|hrs?|days?)"|;\s{0,3}pk=:[\w+/]{0,100}={0,2}:/g;

/** Is it a count of the door's own, or when that ends? The limit of something else was met behind it. */
function isOwnCount(value: string): boolean {
  if (isDate(value)) return true;
  const counted = value.replace(OF_A_POLICY, ' ');
  const words = counted.toLowerCase().match(/(?<![\p{L}\d])\p{L}+/gu) ?? [];
  return words.every((word) => COUNTED.has(word));
}

function isNumber(word: string): boolean {
  return /^\d*$/.test(word);
}

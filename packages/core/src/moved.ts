/** Redirects that say that a server has moved, and nothing else: whoever works on a request first answers otherwise. */
import { namesNumbered } from './made-things.ts';
import { affirms, namesThing, withoutSilent } from './plain-words.ts';
import { isToldAround } from './refusal-words.ts';
import { hasDone } from './render/done.ts';

/** Words of the pages that servers and frameworks send along with a redirect. */
const WORDS: ReadonlySet<string> = new Set(
  `301 302 303 307 308 443 80 a above address and apache at automatically be been being below caddy click continue document
  follow following for found go has have here html http if is it its link located location message moved new nginx not
  now object openresty page permanent permanently please port redirect redirected redirecting redirection redirects
  requested resource see server should target temporarily temporary that the this to url use will you your`.split(
    /\s+/,
  ),
);

/** More than such a page has. */
const MAX_LENGTH = 4000;

/** Does an HTTP answer with a `Location` say no more than where to go? */
export function isMoveAlone({
  headers,
  statusText = '',
  body,
  askedAt = 'http://localhost/',
}: {
  readonly headers: Iterable<readonly [name: string, value: string]>;
  /** The words of the status line. */
  readonly statusText?: string | undefined;
  readonly body: string;
  /** Where the request was posted to. */
  readonly askedAt?: string | undefined;
}): boolean {
  const all = [...headers].map(([name, value]) => [name.toLowerCase(), value] as const);
  const others = all.filter(([name]) => name !== 'location');
  // What is packed may go on behind its end.
  if (
    others.some(([name, value]) => name === 'content-encoding' && value !== 'identity') ||
    body.length > MAX_LENGTH
  )
    return false;
  if (!PHRASE.test(statusText.trim()) || isToldAround({ status: undefined, headers: new Map(others) }))
    return false;
  const places = all.filter(([name]) => name === 'location').map(([, value]) => value);
  if (![...places, ...(body.match(ADDRESS) ?? [])].every((place) => isEndpoint(place, askedAt))) return false;
  const text = withoutSilent(body.replace(ADDRESS, '').replace(MARKUP, ' '));
  if (affirms(text)) return false;
  return text.split(/[^\p{L}\p{N}]+/u).every((word) => word === '' || WORDS.has(word.toLowerCase()));
}

/** The phrases that HTTP has for it. */
const PHRASE =
  /^(?:(?:temporary|permanent) redirect|redirect|moved(?: permanently| temporarily)?|found|see other)?$/i;

/** Elements of such pages that have more than words in them, without the addresses. */
const MARKUP =
  /&(?:amp|quot|lt|gt|nbsp|#\d{1,4});|<a\s+href=["']{0,2}>|<meta\s+http-equiv=["']?refresh["']?\s+content=["']\d{0,3};\s*url=["']{0,2}\s*\/?>|<meta charset=["']?utf-8["']?\s*\/?>/gi;

/** In a page, in its markup as well: up to the sentence's own full stop. */
const ADDRESS =
  /(?:https?:\/\/|(?<![^\s"'(=>])\/(?![\s>]))[^\s"'<>)]*[^\s"'<>).,;:]|(?<![^\s"'(=>])\/(?=["'<)])/gi;

/** How the last step of an endpoint's path is called, beside as it was before. A letter alone says nothing. */
const ENDPOINT = /^(?:mcp|sse|api|rpc|json-?rpc|http|stream|streamable|moved|v|[a-z])\d{0,2}$/i;

/** A step on the way there. */
const STEP = /^[\w.~-]+$/;

/** A word and a number of some length, whichever comes first. Of versions, and of years, there are such, too. */
const NUMBERED =
  /^(?!(?:v|ver|version|rev|api|mcp|sse|rpc|http)[-_.~]?\d+$)[a-z]+(?:[-_.~]+[a-z]+)*[-_.~]*\d{3,}$|^(?!(?:19|20)\d\d[-_.~]|[\da-f]{8}-(?:[\da-f]{4}-){3})\d{3,}[-_.~]+[a-z]/i;

/** Is it what an item is called, in one step: `booked-991`, `order-7`? */
function isNamedItem(step: string): boolean {
  const isOfWork = /\d/.test(step) && hasDone(step.replace(/[^a-z]+/gi, ' ').trim());
  return NUMBERED.test(step) || isOfWork || namesNumbered(step);
}

/** Host, path, query and fragment, of an address on another host as well as of one on the same. */
const PARTS = /^(?:(?:https?:)?\/\/([^/?#]*))?([^?#]*)(\?[^#]*)?(#.*)?$/i;

/** A user in it would say something, too. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i;

/** Could the request be posted there as it is? An address that names an item, or has a query of its own, tells of work. */
function isEndpoint(address: string, askedAt: string): boolean {
  const [, , from = '', asked] = PARTS.exec(askedAt) ?? [];
  const [whole, host, to = '', query, fragment] = PARTS.exec(address) ?? [];
  if (whole === undefined || (host !== undefined && !HOST.test(host))) return false;
  if (fragment !== undefined || (query !== undefined && query !== asked)) return false;
  const before = stepsOf(from);
  const steps = stepsOf(to);
  const last = steps.at(-1);
  if (last !== undefined && last !== before.at(-1) && !ENDPOINT.test(last)) return false;
  return steps.every(
    (step) => before.includes(step) || (STEP.test(step) && !namesThing(`/${step}`) && !isNamedItem(step)),
  );
}

function stepsOf(path: string): readonly string[] {
  return path.split('/').filter((step) => step !== '' && step !== '.' && step !== '..');
}

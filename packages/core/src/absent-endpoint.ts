/** What is said where nobody serves an address: by routers, proxies without their backend, tunnels and platforms. */
import { type Address, addressOf, isAskedPath, isAskedPlace, PATH, PLACE } from './asked-address.ts';
import { isRecord } from './json.ts';
import { affirms, isRequestId, statementsIn, withoutSilent } from './plain-words.ts';
import { isToldAround } from './refusal-words.ts';
import { isOfAThing } from './request-ids.ts';
import { look } from './wire/look.ts';
import { saysTwice } from './wire/repeating.ts';

/** An HTTP response, with all that was said around it. */
export interface WholeResponse {
  readonly status: number;
  readonly statusText?: string | undefined;
  readonly headers: unknown;
  readonly body: string;
  /** The URL that was asked. Without it, no address that is named is known to be that. */
  readonly askedAt?: string | undefined;
}

/**
 * Whole sentences of theirs. An address that they name is the one of MCP that was asked, as MCP asks: any other may be one
 * that the server itself has asked behind the work, and whose answer it hands on.
 */
const SAYINGS: readonly RegExp[] = [
  /\bdefault backend - 404\b/gi,
  new RegExp(`\\bcannot post (?<path>/${PATH})(?![\\w/.%?-])`, 'gi'),
  new RegExp(`\\broute post:(?<path>/${PATH}) not found\\b`, 'gi'),
  new RegExp(`\\bno static resource (?<path>${PATH})\\.?(?![\\w/.%-])`, 'gi'),
  /\bno route (?:matched with those values|matches this path)\b\.?/gi,
  /\bthis page could not be found\b\.?/gi,
  /\bthe deployment could not be found on vercel\b\.?/gi,
  /\bdeployment_not_found\b/gi,
  /\bthe endpoint (?<host>[\w.-]{1,100}) is offline\b\.?/gi,
  /\berr_ngrok_\d{1,6}\b/gi,
];

/** What the statuses mean, in their own words, and who says so. */
const STATUS_ONLY =
  /^(?:(?:apache|caddy|cloudflare|error|gone|html|http|kong|mcp|method not allowed|ngrok|nginx|not found|openresty|page|route|traefik|vercel|4\d\d)(?: |$))+$/;

/** Members that say when and under which status it was said. */
const TIME = /^(?:timestamp|time|date)$/i;
const STATUS = /^(?:status|status_?code|code)$/i;
/** Members that hold the words. */
const WORDS = /^(?:errors?|message|msg|details?|title|description|reason|type|error_?code)$/i;

const MAX_DEPTH = 4;
const MAX_LENGTH = 4000;

/**
 * Does all that was said mean that nothing is served there? Then nobody has worked on what was sent, and who sends it again
 * does no harm. One word more, in the body or around it, may tell of something else.
 */
export function saysAbsence({ status, statusText, headers, body, askedAt }: WholeResponse): boolean {
  if (body.length > MAX_LENGTH) return false;
  const wire = look({ http: { status, statusText, headers, body } });
  if (wire.http === undefined || isToldAround(wire.http) || saysTwice(wire)) return false;
  const asked: Asked = { status, ...addressOf(askedAt) };
  return isSilence(wire.http.reason ?? '', asked) && isAbsence(wire.http.said ?? '', asked);
}

/** What was asked, and how it was answered. */
interface Asked extends Address {
  readonly status: number;
}

function isAbsence(said: unknown, asked: Asked, key = '', depth = MAX_DEPTH): boolean {
  if (said === null || said === undefined || said === false) return true;
  if (typeof said === 'number') return said === asked.status && STATUS.test(key);
  if (typeof said === 'string') return isCircumstance(said, key, asked) ?? isSilence(said, asked);
  if (depth === 0) return false;
  if (Array.isArray(said)) return said.every((item) => isAbsence(item, asked, key, depth - 1));
  if (!isRecord(said)) return false;
  return Object.entries(said).every(
    ([name, member]) => isKnown(name) && isAbsence(member, asked, name, depth - 1),
  );
}

/** A member that nobody knows may tell of anything, whatever its value. */
function isKnown(name: string): boolean {
  return isRequestId(name) || [PLACE, TIME, STATUS, WORDS].some((names) => names.test(name));
}

/** What about statuses in general a `type` names. */
const OF_STATUSES =
  /^(?:about:blank|https?:\/\/(?:datatracker\.ietf\.org|tools\.ietf\.org|www\.rfc-editor\.org|httpstatuses\.(?:com|io)|developer\.mozilla\.org)\/[\w./#-]{0,200})$/;

/** When, where, under which number, or in which document of everybody's it was said; `undefined` where a member says something else. */
function isCircumstance(said: string, key: string, asked: Asked): boolean | undefined {
  if (isRequestId(key)) return /^(?=.*\d)[\w.:/+=@|-]{1,128}$/.test(said) && !isOfAThing(said); // a word may tell something
  if (/^type$/i.test(key)) return OF_STATUSES.test(said);
  if (PLACE.test(key)) return isAskedPlace(said, asked);
  return TIME.test(key) ? /^[\d:.TZ+ -]{1,40}$/.test(said) : undefined;
}

/** Is nothing left where the sayings and the status' own words are taken away? */
function isSilence(text: string, asked: Asked): boolean {
  if (text.includes('://') || affirms(text)) return false; // whose address it is, nobody knows
  let rest = withoutSilent(text);
  for (const saying of SAYINGS) {
    if (![...rest.matchAll(saying)].every(({ groups }) => namesAsked(groups, asked))) return false;
    rest = rest.replace(saying, ' ');
  }
  const isNumbered = /\d/.test(rest.replaceAll(String(asked.status), ''));
  return !isNumbered && statementsIn(rest).every((statement) => STATUS_ONLY.test(statement));
}

/** Does a saying name nothing but where was asked? */
function namesAsked({ path, host }: { readonly [name: string]: string } = {}, asked: Asked): boolean {
  if (host !== undefined && host.toLowerCase() !== asked.host) return false;
  return path === undefined || isAskedPath(path, asked);
}

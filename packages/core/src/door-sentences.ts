/**
 * Sentences that doors have in their sources, each as it stands there. Their words would tell of work anywhere else
 * ("you have sent"), so they are known whole: with one word more, they are somebody else's.
 */
import { inDoorsNames } from './door-documents.ts';
import { isRecord } from './json.ts';
import { makeWire, type Wire } from './wire/wire.ts';

const MAX_DEPTH = 8;
/** Longer texts are no refusal at a door. */
const MAX_LENGTH = 4000;

/** What each of them comes to. */
const PLAINLY = 'Too Many Requests';

const TIME = '(?:second|minute|hour|day|month|year)s?';

const SENTENCES: readonly string[] = [
  // HAProxy, Apache
  '(?:you have|the user has) sent too many requests\\s+in a given amount of time',
  // Django REST framework
  `expected available in \\d{1,9} ${TIME}`,
  // Laravel
  'too many attempts',
  // Traefik
  'no bursty traffic allowed',
  // NestJS
  'throttlerexception: too many requests',
  // Flask-Limiter
  `\\d{1,9} per \\d{1,9} ${TIME}`,
  // AspNetCoreRateLimit
  'api calls quota exceeded! maximum admitted \\d{1,9} per \\d{1,9}[smhd]',
  // Apigee
  'spike arrest violation\\. allowed rate : messagerate\\{messagesperperiod=\\d{1,9}, periodinmicroseconds=\\d{1,15}, maxburstmessagecount=[\\d.]{1,12}\\}',
  'rate limit quota violation\\. quota limit {1,2}exceeded\\. identifier : _default',
  'policies\\.ratelimit\\.(?:spikearrest|quota)violation',
];

/** A sentence begins where nothing stands before it, and ends where nothing follows it. */
const SENTENCE = new RegExp(
  `(?<=^|[>\\n]|[.!?:] )(?:${SENTENCES.join('|')})(?=\\s{0,9}(?:$|[<\\n])|[.!](?:\\s|$|<))`,
  'gi',
);

/** All that Cloudflare says to a visitor without a browser. */
const RAY = /^\s{0,9}error code: 1015\s{0,9}$/;

/** What servers put below their pages, or around them. */
const BELOW: readonly RegExp[] = [
  /<address>Apache(?:\/[\d.]{1,20})?(?: \([\w ]{1,30}\))?(?: [\w.-]{1,30}\/[\w.+-]{1,30}){0,9} Server at [\w.:-]{1,200} Port \d{1,5}<\/address>/g,
  // Varnish
  /<h3>Guru Meditation:<\/h3>\s{0,9}<p>XID: \d{1,12}<\/p>\s{0,9}<hr>\s{0,9}<p>Varnish cache server<\/p>/g,
  /Powered by <a href="https:\/\/apisix\.apache\.org\/">APISIX<\/a>\./g,
  // Google
  /<body text=#000000 bgcolor=#ffffff>/g,
];

/** The answer, with such sentences in one form. */
export function inPlainWords(wire: Wire): Wire {
  const { placement, failed, text, error, result, body, http, thrown, id, hasMore } = wire;
  return makeWire(placement, failed, plainly(text), {
    error: error && { ...error, message: plainly(error.message), data: plainlyIn(error.data, MAX_DEPTH) },
    result,
    body: plainlyIn(body, MAX_DEPTH),
    http: http && { ...http, said: plainlyIn(http.said, MAX_DEPTH) },
    thrown,
    id,
    hasMore,
  });
}

function plainlyIn(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return plainly(value);
  if (depth === 0) return value;
  if (Array.isArray(value)) return value.map((item) => plainlyIn(item, depth - 1));
  if (!isRecord(value)) return value;
  const members = Object.entries(inDoorsNames(value)).map(([name, member]) => [
    name,
    plainlyIn(member, depth - 1),
  ]);
  return Object.fromEntries(members) as unknown;
}

function plainly(text: string): string {
  if (text.length > MAX_LENGTH) return text;
  if (RAY.test(text)) return PLAINLY;
  return BELOW.reduce((rest, below) => rest.replace(below, ''), text).replace(SENTENCE, PLAINLY);
}

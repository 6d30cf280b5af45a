/**
 * What the headers of any door look like in their values. Who writes something else into one of them says it on purpose:
 * a date that is an order, a directive that nobody knows.
 */
import { isRecord, parseJson } from './json.ts';
import { isNameOfThing, namesNumbered } from './made-things.ts';
import { namesThing } from './plain-words.ts';
import { isHarmlessCacheStatus, isHarmlessProxyStatus } from './proxy-status.ts';
import { isOfAThing } from './request-ids.ts';

type Form = (value: string) => boolean;

/** One of a list; what is quoted may have a comma in it. */
const ENTRY = /(?:[^",]|"[^"]*"?)+/g;

/** The entries of a list, without blanks around them. */
export function entriesOf(value: string): readonly string[] {
  return (value.match(ENTRY) ?? []).map((entry) => entry.trim()).filter((entry) => entry !== '');
}

const all =
  (form: RegExp): Form =>
  (value) =>
    form.test(value);

const each =
  (form: RegExp): Form =>
  (value) =>
    entriesOf(value).every((entry) => form.test(entry));

/** As HTTP, ISO and a `Date` write it: engines take "order 41" for a date as well. */
const DATE =
  /^(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6},? )?(?:\d{1,2}[ -][A-Z][a-z]{2}[ -]\d{2,4}|[A-Z][a-z]{2} {1,2}\d{1,2}(?: \d{4})?) [\d:]{8}(?: (?:(?:GMT|UTC)(?:[+-]\d{4})?(?: \((?:[A-Z][a-z A-Z]{1,60} Time|[A-Z]{3}[+\d:-]{0,6})\))?|\d{4}))?$|^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?$/;

/** A point in time as programs write it. */
export function isDate(value: string): boolean {
  return DATE.test(value.trim()) && !Number.isNaN(Date.parse(value));
}

/** A number of seconds, or a date; nothing at all says nothing. */
export function isTime(value: string): boolean {
  return /^\s*(?:\+?\d+(?:\.\d+)?)?\s*$/.test(value) || isDate(value);
}

const isPointInTime: Form = (value) => /^(?:0|-1|@\d{1,12}|true)$/i.test(value) || isDate(value);

/** A number, and a length of time as Go writes it. */
const NUMBER = /^\d{1,15}(?:\.\d{1,9})?$/;
const MEASURED = /^-?\d{1,15}(?:\.\d{1,9})?\s?(?:[muµn]?s|sec|seconds)?$/i;
const SPAN = /^(?:\d{1,15}(?:\.\d{1,9})?(?:h|ms?|s|[uµ]s|ns)){1,6}$/;

/** The id of a way or a machine: one word, whatever its signs are. */
const ID = /^[\w.:/+=@|;~%$!*#(){}[\]-]{1,256}$/;

/** That of a request; one that begins as another thing's may be that. */
const isIdOfRequest: Form = (value) => each(ID)(value) && !isOfAThing(value);

const DIRECTIVE =
  /^(?:public|private|durable|immutable|no-(?:cache|store|transform|siteapp)|must-(?:revalidate|understand)|proxy-revalidate|only-if-cached|(?:s-?maxage|max-(?:age|stale)|min-fresh|stale-(?:while-revalidate|if-error)|(?:post|pre)-check)\s?=\s?"?-?\d{1,15}"?|(?:private|no-cache)="[\s,]*(?:set-cookie2?[\s,]*){0,4}"|content="ESI\/1\.0")$/i;
const PROTOCOL =
  /^(?:clear|(?:h[23](?:-\w{1,8})?|h2c|quic|hq(?:-\d{1,3})?|http(?:%2F|\/)1\.1)="[\w.:[\]-]{0,100}:\d{1,5}"(?:\s*;\s*(?:ma=\d{1,12}|persist=1|v="[\d,]{1,60}"))*)$/i;
const REFERRER =
  /^(?:no-referrer(?:-when-downgrade)?|origin(?:-when-cross-origin)?|same-origin|strict-origin(?:-when-cross-origin)?|unsafe-url)$/i;
const SECURE = /^(?:max-age\s*=\s*"?\d{1,15}"?|includesubdomains|preload)$/i;

/** What became of a request in a cache, and in whose. */
const OF_CACHE =
  /^(?:\w{0,20}(?:hit|miss|pass|cache|error|exceeded|response)|bypass|dynamic|expired|none|off|on|prerender|revalidated|stale|unknown|updating)(?: from \S+.*)?$/i;

/** A version is a number and no more: whoever names one in a tag means a row of his own. */
const isTag: Form = (value) => {
  const [, opaque] = /^(?:W\/)?"([^"\s]{0,200})"$/.exec(value) ?? [];
  return opaque !== undefined && !/^\d+$/.test(opaque);
};

/** A place where a route is; not that of one item. */
const isRoute: Form = (value) => /^[\w.*:-]{0,200}\/[\w./[\]()*-]{0,200}$/.test(value) && !namesThing(value);

/** What reports of networks are sent by. */
const OF_REPORTS: ReadonlySet<string> = new Set(
  `group max_age endpoints include_subdomains url priority weight report_to success_fraction failure_fraction request_headers
  response_headers`.split(/\s+/),
);

const isReport: Form = (value) => {
  const listed = parseJson(`[${value}]`);
  return Array.isArray(listed) && listed.every((item) => isRecord(item) && isOfReports(item, 4));
};

function isOfReports(value: unknown, depth: number): boolean {
  if (depth === 0) return false;
  if (Array.isArray(value)) return value.every((item) => isOfReports(item, depth - 1));
  if (isRecord(value))
    return Object.entries(value).every(
      ([name, member]) => OF_REPORTS.has(name) && isOfReports(member, depth - 1),
    );
  return typeof value !== 'string' || /^[\w.-]{0,60}$|^(?:https?:\/)?\/[^\s"]{1,500}$/.test(value);
}

/** Headers of one door each, which mean nothing anywhere else: their names are known as they are. */
const OF_ONE_DOOR: readonly (readonly [name: RegExp, form: Form])[] = [
  [/^x-retry-in$/, all(SPAN)],
  [/^x-(?:envoy-ratelimited|local-rate-limit)$/, all(/^true$/i)],
  // Who was turned away; nobody further away is a number.
  [/^x-rate-limit-request-(?:forwarded-for|remote-addr)$/, each(/^[\da-f]*[.:[][\da-f.:[\]]{2,60}$/i)],
  [/^x-ratelimit-(?:limit|remaining)-(?:second|minute|hour|day|month|year)$/, each(NUMBER)],
  // How long until the next request, how many this one counts for, and who is not counted: governors of Rust, chi's of Go.
  [/^x-ratelimit-(?:after|increment)$/, all(NUMBER)],
  [/^x-ratelimit-whitelisted$/, all(/^(?:true|false)$/i)],
  // NestJS calls its throttlers so, and puts that behind each name.
  [/^(?:x-ratelimit-(?:limit|remaining|reset)|retry-after)-(?:short|medium|long)$/, all(NUMBER)],
  // GitLab
  [/^ratelimit-observed$/, all(NUMBER)],
  [/^ratelimit-resettime$/, isDate],
  [/^ratelimit-name$/, all(/^throttle_(?:un)?authenticated_(?:api|web)$/)],
  [/^x-ratelimit-(?:requested-tokens|burst-capacity|replenish-rate)$/, all(NUMBER)],
  [
    /^(?!retry-after$)(?:x-)?(?:ms-)?(?:rate-?limit-)?(?:retry|reset)-after(?:-(?:ms|millis|milliseconds|seconds))?$/,
    all(NUMBER),
  ],
  [/^zp-rid$/, all(/^[\da-f-]{8,64}$/i)],
  // A limit that the server itself has named, and counted.
  [/^x-kong-limit$/, () => false],
  [/^x-krakend$/, all(/^(?:version )?[\d.]{1,20}(?:-[\w.]{1,20})?$/i)],
  // All that it was to ask for has come: then it has asked.
  [/^x-krakend-completed$/, all(/^false$/i)],
  [/^akamai-grn$/, all(/^[\da-f.]{1,80}$/i)],
  [/^x-iinfo$/, all(/^\d[\d-]{0,60}(?: [A-Z0-9][\w() .-]{0,200})?$/)],
  [/^x-datadome(?:-(?:cid|isbot|botname|ruletype|riskscore))?$/, all(/^[\w~.=+/-]{1,200}$/)],
  [/^x-sucuri-(?:id|block|cache)$/, all(/^[\w-]{1,40}$/)],
  [/^x-datadog-(?:trace-id|parent-id|sampling-priority|sampled)$/, all(/^-?\d{1,40}$/)],
  [/^x-matched-path$/, isRoute],
  [/^x-envoy-decorator-operation$/, isRoute],
  [/^x-firefox-spdy$/, all(/^h[23]$/i)],
  [/^x-reference-error$/, all(/^[\da-f.]{1,80}$/i)],
  [/^x-turbo-charged-by$/, all(/^[A-Za-z]{1,30}$/)],
  [/^mime-version$/, all(/^\d(?:\.\d)?$/)],
  [/^priority$/, each(/^(?:u=\d|i(?:=\?[01])?)$/)],
  [/^feature-policy$/, all(/^[\w\s'*:/.;,-]{1,2000}$/)],
  [/^reporting-endpoints$/, each(/^[\w-]{1,60}="(?:https?:\/)?\/[^"\s]{1,500}"$/)],
];

/** The form of values under names that are made of words of doors. */
const BY_NAME: readonly (readonly [name: RegExp, form: Form])[] = [
  [/^(?:date|expires|last-modified|sunset|deprecation)$/, isPointInTime],
  [/^(?:pragma|(?:[a-z]+-)*(?:cache|surrogate)-control)$/, each(DIRECTIVE)],
  [/^keep-alive$/, each(/^(?:timeout|max)\s?=\s?\d{1,9}$/i)],
  [/^connection$/, each(/^(?:close|keep-alive|upgrade|te|trailers?|transfer-encoding|http2-settings)$/i)],
  [/^transfer-encoding$/, each(/^(?:chunked|identity|gzip|x-gzip|deflate|compress|br|zstd)$/i)],
  [/^content-encoding$/, each(/^(?:identity|gzip|x-gzip|deflate|compress|br|zstd|aws-chunked)$/i)],
  [/^upgrade$/, each(/^(?:h2c?|h3|websocket|(?:http|tls)\/\d\.\d)$/i)],
  [/^accept-ranges$/, each(/^(?:bytes|none)$/i)],
  [/^cf-ray$/, each(/^[\da-f]{1,20}(?:-[A-Z]{3})?$/)],
  [/^traceparent$/, each(/^[\da-f-]{1,80}$/i)],
  [/^(?:nel|report-to)$/, isReport],
  [/^alt-svc$/, each(PROTOCOL)],
  [/^etag$/, isTag],
  [/^x-frame-options$/, each(/^(?:deny|sameorigin|allowall|allow-from https?:\/\/[\w.:-]{1,200}\/?)$/i)],
  [/^x-content-type-options$/, each(/^nosniff$/i)],
  [/^referrer-policy$/, each(REFERRER)],
  [
    /^strict-transport-security$/,
    (value) => value.split(/[;,]/).every((part) => part.trim() === '' || SECURE.test(part.trim())),
  ],
  [
    /^(?:access-control|timing)-allow-origin$/,
    each(/^(?:\*|null|[a-z][\w.+-]{1,30}:\/\/[\w.:[\]-]{1,200})$/i),
  ],
  [/^access-control-allow-credentials$/, each(/^(?:true|false)$/i)],
  [/^access-control-max-age$/, each(/^-?\d{1,12}$/)],
  [/^x-timer$/, all(/^S?[\d.]{1,40}(?:,V[SE]\d{1,12})*$/)],
  [
    /^(?:age|content-length|x-runtime|(?:.*-)?(?:latency|duration|hits|(?:response|service|process|processing|request)-time))$/,
    each(MEASURED),
  ],
  [/^x-msedge-ref$/, all(/^(?:Ref [A-Z]: [\w:.-]{1,100}(?: |$)){1,6}$/)],
  [/(?:^|-)(?:instance|node|pod|rndr|server|vercel)-id$/, each(ID)],
  [/(?:^|-)(?:id|requestid|traceid|ray|rid|ref)$/, isIdOfRequest],
  [/^proxy-status$/, isHarmlessProxyStatus],
  [/^cache-status$/, isHarmlessCacheStatus],
  [/^(?:content-md5|(?:content-)?digest)$/, each(/[a-z\d+/]{22}={1,2}:?$/i)],
  [/(?:^|-)cache(?:-(?:lookup|status))?$/, each(OF_CACHE)],
];

const FORMS = [...OF_ONE_DOOR, ...BY_NAME];

/** A word, and the number of what it means: versions have a dot in them, or stand behind a stroke. */
const NUMBERED = /\p{L}{3}\s+#?\d{1,15}(?![\d.\w:/%-])/u;

/** Is it a header that one door has of its own? */
export function isOfOneDoor(name: string): boolean {
  return OF_ONE_DOOR.some(([names]) => names.test(name));
}

/** Has a value the form that its header has, and does it name nothing that may have been made? */
export function hasItsForm(name: string, value: string): boolean {
  const said = value.trim();
  if (said === '') return name !== 'x-krakend-completed';
  // Servers call their sessions as they like. Whose it is, and whether it was opened by this, is for those to judge who know it.
  if (name === 'mcp-session-id') return each(ID)(said);
  // Headers are written in plain signs: others are somebody's own words.
  if (/\P{ASCII}/u.test(said) || namesNumbered(said) || isNameOfThing(said)) return false;
  const form = FORMS.find(([names]) => names.test(name))?.[1];
  return form === undefined ? WITH_AMOUNTS.test(name) || isDate(said) || !NUMBERED.test(said) : form(said);
}

/** Waits and challenges are judged by their words, cookies by their names. */
const WITH_AMOUNTS =
  /^(?:retry-after|set-cookie|www-authenticate|proxy-authenticate|content-type|p3p|status|warning)$|(?:^|-)(?:error|status)(?:-|$)/;

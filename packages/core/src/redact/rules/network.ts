import { type Detector, isAlnum, mark, matchAt, type Page, STRUCTURE } from '../page.ts';
import { charSet, runStart } from '../runs.ts';
import type { Trigger } from '../scan.ts';

const IPV4 = /(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}(?![\w-]|\.\d)/y;
/** Loopback, wildcards, masks and public resolvers point at nobody. */
const NOBODY =
  /^(?:127\.|0\.|255\.|169\.254\.169\.254$|8\.8\.[84]\.[84]$|1\.[01]\.[01]\.[01]$|9\.9\.9\.9$|[01]\.\d{1,2}\.\d{1,2}\.\d{1,2}$)/;
const VERSION =
  /(?:(?:^|[^a-z])(?:v|ver|version|release|build|rev|chrome|firefox|safari|edge|opera|chromium|oid|section|sec|chapter|appendix|clause)|§)[ :.=("'v]{0,3}$/i;
const PART = /[@/©]$/;

const PRIVATE = /^(?:10|192\.168|172\.(?:1[6-9]|2\d|3[01]))\./;

/** An IPv4 address that is not part of a version number. */
const detectIpv4: Detector = (page, start) => {
  const { text } = page;
  let from = start + 1;
  while (from > 0 && start - from < 3 && /\d/.test(text[from - 1] as string)) {
    from--;
  }
  if (from < page.covered || /[\w.-]/.test(text[from - 1] ?? '')) {
    return;
  }
  const address = matchAt(IPV4, text, from)?.[0];
  if (!address) {
    return;
  }
  const loopback = NOBODY.test(address);
  if ((loopback && !page.switches.isOn('loopback')) || isVersion(page, from, address)) {
    return;
  }
  mark(page, from, from + address.length, loopback ? 'loopback' : 'ip', 'ip', STRUCTURE);
};

function isVersion(page: Page, from: number, address: string): boolean {
  const before = page.text.slice(Math.max(0, from - 12), from);
  return VERSION.test(before) || (PART.test(before) && !before.endsWith('://') && !PRIVATE.test(address));
}

const GROUPS = charSet(/[0-9a-fA-F:]/);
const IPV6 = /(?:[0-9a-f]{1,4}:{1,2}){2,8}(?:[0-9a-f]{1,4})?(?:%\w{1,15})?(?![\w:])/iy;

const isHexOrColon = (char: string | undefined): boolean => char !== undefined && /[0-9a-fA-F:]/.test(char);
const UNIQUE_LOCAL = /fd[0-9a-f]{2}:/iy;
const detectUniqueLocal: Detector = (page, start, end) => {
  if (matchAt(UNIQUE_LOCAL, page.text, start)) {
    detectIpv6(page, start, end);
  }
};

/** An IPv6 address other than loopback. */
const detectIpv6: Detector = (page, start) => {
  const { text } = page;
  if (text[start - 1] === ':' || (!isHexOrColon(text[start + 2]) && !isHexOrColon(text[start - 1]))) {
    return;
  }
  const from = Math.max(runStart(page, GROUPS, start), start - 40);
  if (from < page.covered || /\w/.test(text[from - 1] ?? '')) {
    return;
  }
  const address = matchAt(IPV6, text, from)?.[0];
  if (!address || !/\d/.test(address)) {
    return;
  }
  const groups = address.split(':');
  const short = address.includes('::');
  if (
    /:::|::.*::/.test(address) ||
    groups.length > 9 ||
    (short ? groups.filter(Boolean).length < 2 : groups.length !== 8)
  ) {
    return;
  }
  mark(page, from, from + address.length, 'ip', 'ip', STRUCTURE);
};

const SUFFIXES = [
  'internal',
  'local',
  'lan',
  'corp',
  'intra',
  'intranet',
  'private',
  'home.arpa',
  'localdomain',
  'consul',
  'svc',
  'rds.amazonaws.com',
  'cache.amazonaws.com',
  'database.windows.net',
  'ec2.internal',
  'cluster.local',
  'priv',
  'prod',
  'staging',
];
const HOST = charSet(/[\w.-]/);
const LONGEST_HOST = 200;
const HOST_END = /(?![\w-]|\.[A-Za-z]|\()/y;
const NOT_HOST =
  /^(?:\.|this\.|self\.|settings\.|config\.|env\.|System\.|com\.|org\.|java|jdk\.|node\.)|\.env\.|__/;

/** Suffixes that code uses too: `node.local` may be a property. */
const AMBIGUOUS = /^[^.]+\.(?:prod|staging|svc|priv|private|intra|local)$/i;
const HOST_WORD =
  /(?:hosts?|server|upstream|node|from|to|at|connect|reach|resolve|lookup|ENOTFOUND|EAI_AGAIN|address|dns|domain|@)["'`:= ]{0,3}$/i;

function hasHostEvidence(text: string, from: number, end: number, host: string): boolean {
  return (
    /[-\d]/.test(host) ||
    /^:\d/.test(text.slice(end, end + 2)) ||
    text.slice(Math.max(0, from - 3), from) === '://' ||
    HOST_WORD.test(text.slice(Math.max(0, from - 14), from))
  );
}

const ZONE = /\.(?:internal|corp|intranet|intra|lan)(?:\.[a-z0-9-]{1,63}){1,4}(?![\w-])/iy;
const PUBLIC_END = /\.(?:com|net|org|io|dev|app|cloud|[a-z]{2})$/i;

/** A private zone inside a public domain: `billing.internal.example.com`. */
function detectInnerZone(page: Page, start: number, end: number): void {
  const zone = matchAt(ZONE, page.text, start)?.[0] ?? '';
  const from = Math.max(runStart(page, HOST, start), start - 100);
  if (start + zone.length > end && PUBLIC_END.test(zone) && from < start && from >= page.covered) {
    mark(page, from, start + zone.length, 'private-host', 'host', STRUCTURE);
  }
}

/** A host under a suffix that only private networks use. */
const detectPrivateHost: Detector = (page, start, end) => {
  const { text } = page;
  if (!matchAt(HOST_END, text, end)) {
    detectInnerZone(page, start, end);
    return;
  }
  let from = Math.max(runStart(page, HOST, start), start - LONGEST_HOST);
  while (from < start && /[.-]/.test(text[from] as string)) {
    from++;
  }
  if (from === start || from < page.covered || text[from - 1] === '.') {
    return;
  }
  const host = text.slice(from, end);
  if (
    host.indexOf('.') < 2 ||
    NOT_HOST.test(host) ||
    (/[/\\]/.test(text[from - 1] ?? '') && text.slice(from - 3, from) !== '://')
  ) {
    return;
  }
  if (AMBIGUOUS.test(host) && !hasHostEvidence(text, from, end, host)) {
    return;
  }
  mark(page, from, end, 'private-host', 'host', STRUCTURE);
};

const INSTANCE = /ip-\d{1,3}(?:-\d{1,3}){3}(?:\.[\w.-]{1,80}\w)?/iy;
const detectInstance: Detector = (page, start) => {
  if (!isAlnum(page.text.charCodeAt(start - 1)) && matchAt(INSTANCE, page.text, start)) {
    mark(page, start, INSTANCE.lastIndex, 'private-host', 'host', STRUCTURE);
  }
};

const LOOKUP =
  /(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|EHOSTUNREACH|(?:server )?host(?:name)?|server at|name or service not known|resolve host|dial tcp|lookup|translate host name|connect to)[ :]{1,2}(?:name )?\\{0,2}["'`]?([A-Za-z][\w-]{1,62})(?=["'`)\\]|:\d|\s|$|,)/iy;
const detectLookup: Detector = (page, start) => {
  const { text } = page;
  const found = start < page.covered ? null : matchAt(LOOKUP, text, start);
  const name = found?.[1] ?? '';
  if (
    !found ||
    /^(?:localhost|is|not|was|and|or|the|a|an|name|failed|for|to|in|on|at|by|with|host|server|database|port|unknown|unreachable|undefined|null|connection|could|does|tcp|udp|header|key|error|address|it|your|this|that|of|has|must|cannot|api|upstream|remote|backend|service)$/i.test(
      name,
    )
  ) {
    return;
  }
  const quoted = /["'`(]$/.test(found[0].slice(0, -name.length));
  if (
    quoted ||
    /[\d_-]/.test(name) ||
    /^:\d/.test(text.slice(start + found[0].length, start + found[0].length + 2)) ||
    /^(?:ENOTFOUND|EAI_AGAIN)/.test(found[0])
  ) {
    const at = start + found[0].length - name.length;
    mark(page, at, at + name.length, 'private-host', 'host', STRUCTURE);
  }
};

/** Triggers for addresses and names of machines. */
export function networkTriggers(): Trigger[] {
  const lookups = [
    'enotfound',
    'eai_again',
    'econnrefused',
    'etimedout',
    'ehostunreach',
    'host ',
    'hostname ',
    'server at',
    'resolve host',
    'dial tcp',
    'lookup ',
    'connect to',
    'host: ',
  ];
  return [
    ['0.0', detectIpv4],
    ['::', detectIpv6],
    ['0000:', detectIpv6],
    ['fe00:', detectIpv6],
    ['fd', detectUniqueLocal],
    ['ip-0', detectInstance],
    ...SUFFIXES.map((suffix) => [`.${suffix}`, detectPrivateHost] as const),
    ...lookups.map((word) => [word, detectLookup] as const),
  ];
}

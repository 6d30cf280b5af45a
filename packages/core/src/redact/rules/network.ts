import { type Detector, mark, matchAt, type Page, STRUCTURE } from '../page.ts';
import { charSet, runStart } from '../runs.ts';
import type { Trigger } from '../scan.ts';
import { isMachineName } from './machine-names.ts';
import { build, type Pattern, patternTriggers } from './patterns.ts';

const IPV4 = /(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}(?![\w-]|\.\d)/y;
/** Loopback, wildcards, masks and public resolvers point at nobody. */
const NOBODY =
  /^(?:127\.|0\.|255\.|169\.254\.169\.254$|8\.8\.[84]\.[84]$|1\.[01]\.[01]\.[01]$|9\.9\.9\.9$|[01]\.\d{1,2}\.\d{1,2}\.\d{1,2}$)/;
const VERSION =
  /(?:(?:^|[^a-z])(?:v|ver|version|release|build|rev|chrome|firefox|safari|edge|opera|chromium|oid|section|sec|chapter|appendix|clause|paragraph|annex|article|kapitel|abschnitt|artikel|ziffer|punkt|absatz|chapitre|capítulo|capitolo|sezione|sección|seção|hoofdstuk|rozdział|раздел|пункт|глава)|§)[ :.=("'v]{0,3}$|[<>~^]=? ?$/i;
const VERSION_WORD =
  /version|upgrad|downgrad|updat|plugin|driver|release|firmware|package|sdk|assembly|redirect|requires|installed/i;
const PART = /[@/©]$/;

/** What examples are written with. */
const EXAMPLE = /^(?:192\.0\.2|198\.51\.100|203\.0\.113)\.|^2001:0?db8:/i;
/** Somebody came from there: even an address for examples stands for that of a person then. */
const SOMEBODY =
  /(?:(?:^|[^a-z])(?:from|by|(?:un)?banned|(?:un)?blocked|clients?|users?|peer|remote|visitor|caller|source|src)|forwarded[-_]for|connecting|real)(?:[-_ ]?(?:ip|host|addr(?:ess)?))?[\\"'[(]{0,3}[ :=]{0,3}[\\"'[(]{0,3}$|(?:^|[^a-z])ip[\\"']{0,3}[:=] ?[\\"']{0,3}$/i;
const SOMEBODYS = /ip$|addr|client|user|remote|peer|forwarded/i;
/** A network, or the first of several. */
const RANGE = /^(?:\/\d| ?(?:-|–|to) ?\d)/;

/** Whether an address is of those for examples, and nobody's here. */
function isExample(page: Page, from: number, address: string): boolean {
  const { text, label = '' } = page;
  const end = from + address.length;
  return (
    EXAMPLE.test(address) &&
    (RANGE.test(text.slice(end, end + 5)) ||
      !(SOMEBODY.test(text.slice(Math.max(0, from - 32), from)) || (from === 0 && SOMEBODYS.test(label))))
  );
}

/** Networks that standards and documents of clouds name; nobody is told from them. */
const NAMED_NETWORK =
  /(?:10\.0\.0\.0\/(?:8|16|24)|172\.16\.0\.0\/(?:12|16)|172\.31\.0\.0\/16|192\.168\.0\.0\/(?:16|24)|169\.254\.0\.0\/16|100\.64\.0\.0\/10|198\.18\.0\.0\/15|2(?:24|40)\.0\.0\.0\/4)(?!\d)/y;

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
  if (
    (loopback && !page.switches.isOn('loopback')) ||
    isVersion(page, from, address) ||
    matchAt(NAMED_NETWORK, text, from) ||
    isExample(page, from, address)
  ) {
    return;
  }
  mark(page, from, from + address.length, loopback ? 'loopback' : 'ip', 'ip', STRUCTURE);
};

function isVersion(page: Page, from: number, address: string): boolean {
  const before = page.text.slice(Math.max(0, from - 56), from);
  if (before.endsWith('://')) return false;
  return (
    VERSION.test(before) ||
    VERSION_WORD.test(
      before.slice(Math.max(...['\n', ',', ';'].map((end) => before.lastIndexOf(end))) + 1),
    ) ||
    (PART.test(before) && !PRIVATE.test(address))
  );
}

const GROUPS = charSet(/[0-9a-fA-F:]/);
const IPV6 = /(?:[0-9a-f]{1,4}:{1,2}){1,8}(?:[0-9a-f]{1,4})?(?:%\w{1,15})?(?![\w:])/iy;

/** Erlang's time: `3-Feb-2026::09:14:55`. */
const TIME = /^\d{4}::\d\d:\d\d:\d\d$/;
/** How addresses that are in use start; the shortest of the others may be names in a program. */
const ASSIGNED = /^(?:f[cde]|[23])[0-9a-f]{1,3}:/i;
const isHexOrColon = (char: string | undefined): boolean => char !== undefined && /[0-9a-fA-F:]/.test(char);
const UNIQUE_LOCAL = /f[cd][0-9a-f]{2}:/iy;
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
  const found = matchAt(IPV6, text, from)?.[0];
  if (!found || !/\d/.test(found)) {
    return;
  }
  // Go and Node.js say the port right behind it.
  const address = /^(?:[^:]{1,4}:){8}\d{2,5}$|[^:]:$/.test(found)
    ? found.slice(0, found.lastIndexOf(':'))
    : found;
  const groups = address.split(':');
  const short = address.includes('::');
  if (
    /:::|::.*::/.test(address) ||
    groups.length > 9 ||
    (short ? groups.filter(Boolean).length < 2 : groups.length !== 8) ||
    (groups.length === 3 && !ASSIGNED.test(address)) ||
    (text[from - 1] === '-' && TIME.test(address)) ||
    isExample(page, from, address)
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
  'intern',
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
  // What routers for homes, and networks over others, call their machines.
  'fritz.box',
  'easy.box',
  'o2.box',
  'speedport.ip',
  'vodafone.station',
  'mshome.net',
  'attlocal.net',
  'ts.net',
  'home',
  'homelab',
  'localnet',
  'priv',
  'prod',
  'staging',
];
const HOST = charSet(/[\w.-]/);
const LONGEST_HOST = 200;
const ESCAPE = /%[\da-f]{2}/iy;

/** Where the name of a host starts that an offset is in. The sign before it may be escaped, as in a query. */
function hostStart(page: Page, at: number, reach: number): number {
  const from = Math.max(runStart(page, HOST, at), at - reach);
  return from > 0 && from + 2 <= at && matchAt(ESCAPE, page.text, from - 1) ? from + 2 : from;
}

const HOST_END = /(?![\w-]|\.[A-Za-z]|\()/y;
const NOT_HOST =
  /^(?:\.|this\.|self\.|settings\.|config\.|env\.|System\.|com\.|org\.|user\.home$|\w{1,20}\.path\.|(?:catalina|spark|hadoop|kafka|maven|gradle|process|props|pages?|nav|menu|routes?)\.home$|java|jdk\.|node\.|kubernetes\.default\.svc(?:\.cluster\.local)?$)|\.env\.|__/;

/** Suffixes that code uses too: `node.local` may be a property. */
const AMBIGUOUS =
  /^[^.]+\.(?:prod|staging|svc|priv|private|intra|intern|local|internal|home|homelab|localnet)$/;
const HOST_WORD =
  /(?:hosts?|server|upstream|node|from|to|at|connect|reach|resolve|lookup|ENOTFOUND|EAI_AGAIN|address|dns|domain|known|resolution|nslookup|dig|ping|@)["'`:= ]{0,3}$/i;

/** Before a name that ends in `.home` less is enough in no sentence: people go there, too. */
const SURELY_HOST =
  /(?:connect(?:ion|ing)? to|hosts?|server|ping|resolve|reach|lookup|ENOTFOUND|EAI_AGAIN|nslookup|dig|@)["'`:= ]{0,3}$/i;

function hasHostEvidence(text: string, from: number, end: number, host: string): boolean {
  return (
    host.includes('-') ||
    (/\d/.test(host) && !host.includes('_')) ||
    /^:\d/.test(text.slice(end, end + 2)) ||
    text.slice(Math.max(0, from - 3), from) === '://' ||
    (host.endsWith('.home') ? SURELY_HOST : HOST_WORD).test(text.slice(Math.max(0, from - 16), from))
  );
}

const ZONE = /\.(?:internal|corp|intranet|intra|intern|int|lan)(?:\.[a-z0-9-]{1,63}){1,4}(?![\w-])/iy;
const PUBLIC_END = /\.(?:com|net|org|io|dev|app|cloud|[a-z]{2})$/i;

/** A private zone inside a public domain: `billing.internal.example.com`. */
function detectInnerZone(page: Page, start: number, end: number): void {
  const zone = matchAt(ZONE, page.text, start)?.[0] ?? '';
  const from = hostStart(page, start, 100);
  if (start + zone.length > end && PUBLIC_END.test(zone) && from < start && from >= page.covered) {
    mark(page, from, start + zone.length, 'private-host', 'host', STRUCTURE);
  }
}

const STROKES = /(?:^|[^\w:/.\\\]])\/\/$/;
const PLACE = /(?::\d{1,5})?\/[\w$.-]/y;

/** `//nas.fritz.box/a`: a share, or an address without its scheme. A comment in code has no place behind its first word. */
function isBehindStrokes(text: string, from: number, end: number): boolean {
  return STROKES.test(text.slice(Math.max(0, from - 3), from)) && matchAt(PLACE, text, end) !== null;
}

/** A host under a suffix that only private networks use. */
const detectPrivateHost: Detector = (page, start, end) => {
  const { text } = page;
  if (!matchAt(HOST_END, text, end)) {
    detectInnerZone(page, start, end);
    return;
  }
  let from = hostStart(page, start, LONGEST_HOST);
  while (from < start && /[.-]/.test(text[from] as string)) {
    from++;
  }
  // `*.corp.acme.local`: all hosts of a zone.
  const isZone = text[from - 1] === '.' && text[from - 2] === '*';
  if (from === start || from < page.covered || (text[from - 1] === '.' && !isZone)) {
    return;
  }
  const host = text.slice(from, end);
  const isFirst = isBehindStrokes(text, from, end);
  if (
    host.indexOf('.') < 2 ||
    NOT_HOST.test(host) ||
    (/[/\\]/.test(text[from - 1] ?? '') && !isFirst && text.slice(from - 3, from) !== '://')
  ) {
    return;
  }
  if (
    !isZone &&
    !isFirst &&
    (AMBIGUOUS.test(host) || /[A-Z]/.test(host)) &&
    !hasHostEvidence(text, from, end, host)
  ) {
    return;
  }
  mark(page, from, end, 'private-host', 'host', STRUCTURE);
};

/** Words that stand where a host would. */
const NOT_A_HOST =
  /^(?:localhost|is|not|was|and|or|the|a|an|name|failed|for|to|in|on|at|by|with|host|server|database|port|unknown|unreachable|undefined|null|connection|could|does|tcp|udp|header|key|error|address|it|your|this|that|of|has|must|cannot|api|upstream|remote|backend|service|from|info|information|my|our|its|any|no)$/i;
const HOST_NAME = /* @__PURE__ */ (() =>
  String.raw`([A-Za-z][\w-]{1,62})(?=["'\x60)\\]|:\d|\s|$|,|\.\s|\.$|: )`)();
/** After a host a sentence goes on like this. */
const HOST_AFTER = /* @__PURE__ */ (() =>
  String.raw`(?=["'\x60):,.]|\s*$|\n| (?:on|port|\d|failed|timed|refused|is|was|closed|reset|not|unreachable|disconnected))`)();
const lookup = (before: string): RegExp => build(before + HOST_NAME, 'iy');

/** Sentences that name a host; what follows the first kind is surely one. */
const LOOKUPS: readonly Pattern[] = /* @__PURE__ */ (() => [
  ['enotfound', lookup('enotfound ')],
  ['eai_again', lookup('eai_again ')],
  ['unknownhostexception', lookup('unknownhostexception: ')],
  ['resolve host', lookup(`resolve host(?:name)?:? ["']?`)],
  ["resolve '", lookup("resolve '")],
  ["host='", lookup("host='")],
  ['host name "', lookup('host name \\\\{0,2}"')],
  ['host "', lookup('host \\\\{0,2}"')],
  ["host '", lookup("host '")],
  ['getaddrinfo for ', lookup('getaddrinfo for (?:host )?"?')],
  ['to_address,{"', lookup('to_address,\\{"')],
  ['name resolution: ', lookup('name resolution: ')],
  ['unreachable: ', lookup('unreachable: ')],
  ['address information', lookup('address information for ')],
  ['is known. (', lookup('is known\\. \\(')],
  ['refused (', lookup('refused \\(')],
  ['data source=', lookup('data source=(?:tcp:)?')],
  ['service not known: ', lookup('service not known: ')],
  ['tcp(', lookup('tcp\\(')],
  // How clients of Oracle are told where to connect: a descriptor, or an address with its service behind it.
  ['(host', /\(HOST\s?=\s?([A-Za-z][\w-]{0,62})\s?\)/iy],
  ['//', /(?<![\w:/.\\])\/\/([A-Za-z][\w-]{0,62})(?=:\d{2,5}\/[\w$.-])/y],
  ['thin:@', /thin:@([A-Za-z][\w-]{0,62})(?=:\d{2,5}[:/])/iy],
  ['computername=', /COMPUTERNAME=["']?([A-Za-z][\w-]{1,62})(?![\w.=-])/y],
])();
const behind = (words: string): readonly Pattern[] =>
  words.split(',').map((word) => [word, build(`${word}[ :]{1,2}${HOST_NAME}${HOST_AFTER}`, 'iy')] as const);
/** What follows these is a host if it does not look like a word. */
const MAYBES: readonly Pattern[] = /* @__PURE__ */ behind(
  'econnrefused,etimedout,ehostunreach,host,hostname,server at,dial tcp,lookup,broker,host:',
);
/** What follows these may be a product as well. */
const CONNECTED: readonly Pattern[] = /* @__PURE__ */ behind('connect to,connection to');
const PORT = /^(?::| port )\d/;

/** Names that Kubernetes and clouds give to machines, and to what runs on them. */
const MACHINES: readonly Pattern[] = [
  ['ip-0', /(?<![A-Za-z0-9])(ip-\d{1,3}(?:-\d{1,3}){3}(?:\.[\w.-]{1,80}\w)?)/iy],
  ['gke-', /(?<![\w-])(gke-[\w-]{4,60}-[0-9a-f]{8}-\w{4})(?![\w-])/y],
  ['aks-', /(?<![\w-])(aks-[\w-]{4,40}-vmss\w{6})(?![\w-])/y],
  // A controller of a domain of Windows
  ['dc0', /(?<![\w.-])(dc\d{1,3}\.(?:[\w-]{1,63}\.){1,4}[a-z]{2,12})(?![\w-])/iy],
  ['vpce-0', /(vpce-[0-9a-f]{8,17}[\w.-]{0,80}\w)/y],
  ['//', /(?<![\w:/.\\])\/\/([A-Za-z][\w-]{0,62}[\d-][\w-]{0,62})(?=\/[\w$.-])/y],
  ['hostname=', /(?<![\w.&?;/-])HOSTNAME=["']?([A-Za-z]\w{0,30}-[\w-]{1,31})(?![\w.=-])/y],
  ['serviceaccount:', /serviceaccount:([\w.-]{1,63}:[\w.-]{1,63})/y],
];
const HEADLESS = /-headless(?:\.[\w-]{1,63}){0,6}/y;

/** A pod of a set that has a name of its own: `redis-0.redis-headless.shop`. */
const detectHeadless: Detector = (page, start) => {
  const from = hostStart(page, start, LONGEST_HOST);
  const isPod = /-\d+\./.test(page.text.slice(from, start));
  if (isPod && from >= page.covered && matchAt(HEADLESS, page.text, start)) {
    mark(page, from, HEADLESS.lastIndex, 'private-host', 'host', STRUCTURE);
  }
};

const UNC = /(\\{2,4})(?:[?.]\\{1,2}UNC\\{1,2})?([\w.-]{2,63})(\\{1,2})[\w$.-]/y;

/** The machine in `\\machine\share`; with every backslash doubled in JSON. */
const detectUnc: Detector = (page, start) => {
  const { text } = page;
  if (/[\w\\:.]/.test(text[start - 1] ?? '') || start < page.covered) {
    return;
  }
  const [whole = '', before = '', host = '', after = ''] = matchAt(UNC, text, start) ?? [];
  if (before.length === after.length * 2 && !/^[?.]|^UNC$/.test(host)) {
    const at = start + whole.length - after.length - host.length - 1;
    mark(page, at, at + host.length, 'private-host', 'host', STRUCTURE);
  }
};

/** Behind the first group of an IPv6 address there are others. */
const MORE_GROUPS = /:[0-9a-f]{0,4}:/iy;

/** Triggers for addresses of machines. */
export function ipTriggers(): Trigger[] {
  const hexes = ['0', 'a', 'b', 'c', 'd', 'e', 'f'];
  return [
    ['0.0', detectIpv4],
    ['::', detectIpv6],
    ['0000:', detectIpv6],
    ['fe00:', detectIpv6],
    ...hexes.map((digit) => [`0a0${digit}:`, detectIpv6] as const),
    ['fc', detectUniqueLocal],
    ['fd', detectUniqueLocal],
  ];
}

/** Triggers for names under zones that only private networks have. */
export function privateZoneTriggers(): Trigger[] {
  return [
    ['.int.', detectInnerZone],
    ...SUFFIXES.map((suffix) => [`.${suffix}`, detectPrivateHost] as const),
  ];
}

/** Triggers for addresses and names of machines. */
export function networkTriggers(): Trigger[] {
  const rule = { rule: 'private-host', class: 'host' };
  const isHost = (name: string, page: Page, end: number): boolean =>
    !NOT_A_HOST.test(name) &&
    !/^(?:[A-Z\d]+_[A-Z\d_]+|ipv[46])$/.test(name) &&
    !(/^[0-9a-f]{1,4}$/i.test(name) && matchAt(MORE_GROUPS, page.text, end));
  const looksLike =
    (isOne: (name: string) => boolean) =>
    (name: string, page: Page, end: number): boolean =>
      isHost(name, page, end) && (isOne(name) || PORT.test(page.text.slice(end, end + 7)));
  return [
    ...ipTriggers(),
    ['\\\\', detectUnc],
    ['-headless', detectHeadless],
    ...privateZoneTriggers(),
    ...patternTriggers({ ...rule, accepts: isHost }, LOOKUPS),
    ...patternTriggers({ ...rule, accepts: looksLike((name) => /[\d_-]/.test(name)) }, MAYBES),
    ...patternTriggers({ ...rule, accepts: looksLike(isMachineName) }, CONNECTED),
    ...patternTriggers(rule, MACHINES),
  ];
}

import { looksRandom } from '../looks.ts';
import { type Detector, FORMAT, isAlnum, mark, matchAt, type Page, STRUCTURE } from '../page.ts';
import { isLoginToFillIn } from '../placeholders.ts';
import { charSet, runEnd, runStart } from '../runs.ts';
import type { Trigger } from '../scan.ts';
import { build, type Pattern, patternTriggers } from './patterns.ts';

const WEB = /^(?:https?|wss?|git|file|ftp)$/i;
const AUTHORITY = charSet(/[^\s/?#"'`<>\\]/, () => true);
const GREEDY = charSet(/[^\s"'`<>]/, () => true);
const LONGEST = 256;
/** A token may stand for the password. No two addresses share what is before their first slash: each is read once. */
const LONGEST_AUTHORITY = 4096;
const NAME = /[A-Za-z0-9_-]{2,63}(?![\w.-])/y;
const NEXT_HOST = /(?::\d{1,5})?,/y;
const NETWORK =
  /^(?:https?|wss?|grpcs?|tcp|udp|tls|ssl|amqps?|rediss?|postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|mssql|sqlserver|nats|kafka|ldaps?|smtps?|imaps?|s?ftp|ssh|smb|cifs|nfs|mqtts?|clickhouse|cassandra|bolt|neo4j|memcached?|etcd|consul|vault|elasticsearch|oracle|couchbases?|socks5h?|zookeeper|influxdb)$/i;
const PUBLIC_USER = /^(?:git|hg|svn|anonymous|x-access-token|oauth2|user|username)$/i;
const KNOWN_NAME =
  /^(?:localhost|example|host|hostname|(?:db|your)?[-_]?host(?:[-_]?name)?|server|\d+|test|undefined|null)$/i;

/** Marks the user and the password before a host, unless they say what belongs there. */
function markLogin(page: Page, start: number, userinfo: string): void {
  const colon = userinfo.indexOf(':');
  const user = colon < 0 ? userinfo : userinfo.slice(0, colon);
  const keepUser = PUBLIC_USER.test(user);
  if (colon >= 0 && isLoginToFillIn(user, userinfo.slice(colon + 1))) {
    return;
  }
  if (colon >= 0 && colon < userinfo.length - 1) {
    const from = keepUser ? start + colon + 1 : start;
    mark(page, from, start + userinfo.length, 'url-credentials', 'credentials', STRUCTURE);
  } else if (!keepUser && userinfo.length > 1) {
    mark(page, start, start + user.length, 'url-credentials', 'credentials', STRUCTURE);
  }
}

/** Takes the user and password out of an address, and the names of hosts that only a private network knows. */
const detectUrl: Detector = (page, start, end) => {
  const { text } = page;
  let from = start;
  while (from > 0 && start - from < 24 && (isAlnum(text.charCodeAt(from - 1)) || text[from - 1] === '+')) {
    from--;
  }
  const scheme = text.slice(from, start);
  let host = end;
  let authority = text.slice(end, Math.min(runEnd(page, AUTHORITY, end), end + LONGEST_AUTHORITY));
  if (!WEB.test(scheme)) {
    // A database password may hold a slash; then the authority ends only at the last `@`.
    const greedy = text.slice(end, Math.min(runEnd(page, GREEDY, end), end + LONGEST));
    const isLonger = greedy.length > authority.length;
    if (isLonger && !greedy.slice(0, greedy.lastIndexOf('@')).includes('?')) authority = greedy;
  }
  const at = authority.lastIndexOf('@');
  if (at > 0 && end >= page.covered) {
    host = end + at + 1;
    markLogin(page, end, authority.slice(0, at));
  }
  while (NETWORK.test(scheme)) {
    const name = matchAt(NAME, text, host)?.[0];
    if (!name) {
      return;
    }
    if (!KNOWN_NAME.test(name)) {
      mark(page, host, host + name.length, 'private-host', 'host', STRUCTURE);
    }
    // Several hosts stand in one address with commas between them.
    const comma = matchAt(NEXT_HOST, text, host + name.length)?.[0];
    if (!comma) {
      return;
    }
    host += name.length + comma.length;
  }
};

const USERINFO = charSet(/[^\s"'`(),;<>=]/, () => true);

/** Drivers that write `user:password@tcp(host)`. */
const detectDsn: Detector = (page, start) => {
  const from = Math.max(runStart(page, USERINFO, start), start - LONGEST);
  const colon = page.text.slice(from, start).indexOf(':');
  if (colon > 0 && start - from > colon + 2) {
    mark(page, from, start, 'url-credentials', 'credentials', STRUCTURE);
  }
};

const LOGIN_BEFORE = /(?:^|[\s"'`(=])([\w$#.]{1,40}\/[^\s@/"'`]{3,64})$/;

/** Oracle's `user/password@//host`, wherever it stands. */
const detectNetLogin: Detector = (page, start) => {
  const login = LOGIN_BEFORE.exec(page.text.slice(Math.max(0, start - LONGEST), start))?.[1];
  if (login !== undefined) {
    mark(page, start - login.length, start, 'url-credentials', 'credentials', STRUCTURE);
  }
};

const TWO_ARGUMENTS = String.raw`\(\s{0,4}(?:"[^"\n]{0,200}"|'[^'\n]{0,200}'),\s{0,4}(?:"[^"\n]{0,80}"|'[^'\n]{0,80}'),\s{0,4}["']([^"'\n]{1,100})`;
const third = (call: string): RegExp => build(call + TWO_ARGUMENTS, 'iy');

const SPOKEN_LOGIN =
  /(?:log[io]n|credentials) (?:(?:for|as|with|of) )?["'`]?([\w$#.]{1,40}\/[^\s@/"']{4,64})(?=@(?:\/\/)?[A-Za-z])/iy;

/** Logins that drivers write in ways of their own: `user/password@host`, the third argument of a call. */
const LOGINS: readonly Pattern[] = /* @__PURE__ */ (() => [
  ['jdbc:ora', /jdbc:oracle:\w{2,5}:([\w.$#-]{1,64}\/[^\s@]{1,128})(?=@)/iy],
  ['sqlplus ', /sqlplus (?:-\w{1,2} )?["']?([\w$#.]{1,40}\/[^\s@/"']{1,64})(?=@)/iy],
  ['expdp ', /expdp ["']?([\w$#.]{1,40}\/[^\s@/"']{1,64})/iy],
  ['impdp ', /impdp ["']?([\w$#.]{1,40}\/[^\s@/"']{1,64})/iy],
  ['connect', /connect(?: string)?[ ('"]{1,3}([\w$#.]{1,40}\/[^\s@/"']{3,64})(?=@)/iy],
  ['login ', SPOKEN_LOGIN],
  ['logon ', SPOKEN_LOGIN],
  ['credentials ', SPOKEN_LOGIN],
  ['new pdo(', third('new pdo')],
  ['mysqli_connect(', third('mysqli_connect')],
  ['->__construct(', third('->__construct')],
  ['getconnection(', third('getconnection')],
  ['directoryentry(', third('directoryentry')],
  ['pscredential(', /pscredential\(\s{0,4}["'][^"'\n]{0,80}["'],\s{0,4}["']([^"'\n]{1,100})/iy],
])();

const HOOK = String.raw`([\w./@%?=&:-]{7,400}[\w=&-])`;
const hook = (start: string): RegExp => build(start + HOOK, 'iy');

/** Addresses that are their own password. The host stays, the path goes. */
const HOOKS: readonly Pattern[] = /* @__PURE__ */ (() => [
  ['hooks.slack.com/', hook(String.raw`hooks\.slack\.com\/(?:services|workflows|triggers)\/`)],
  ['/api/webhooks/', hook(String.raw`\/api\/webhooks\/(?=\d)`)],
  ['/webhooks/', hook(String.raw`\/webhooks\/(?=\d{15,20}\/)`)],
  ['.office.com/webhook', hook(String.raw`\.office\.com\/webhook(?:b2)?\/`)],
  ['logic.azure.com', hook(String.raw`logic\.azure\.com(?::443)?\/workflows\/`)],
  ['hooks.zapier.com/hooks/', hook(String.raw`hooks\.zapier\.com\/hooks\/catch\/`)],
  ['chat.googleapis.com/v1/spaces/', hook(String.raw`chat\.googleapis\.com\/v1\/spaces\/`)],
  ['api.telegram.org/', hook(String.raw`api\.telegram\.org\/(?:file\/)?bot(?=\d)`)],
  ['maker.ifttt.com/trigger/', hook(String.raw`maker\.ifttt\.com\/trigger\/`)],
  ['.make.com/', hook(String.raw`\.make\.com\/(?=[a-z0-9]{20})`)],
  ['/open-apis/bot/v2/hook/', hook(String.raw`\/open-apis\/bot\/v2\/hook\/`)],
  ['.m.pipedream.net', hook(String.raw`\.m\.pipedream\.net\/?(?=\w)`)],
  ['script.google.com/macros/s/', hook(String.raw`script\.google\.com\/macros\/s\/`)],
  ['sentry.io/api/hooks/', hook(String.raw`sentry\.io\/api\/hooks\/`)],
  ['/webhook', /\/webhooks?(?:-test)?\/([0-9a-f]{8}-[0-9a-f-]{27})/iy],
])();

/** Parts of a path after which a random part is a secret. */
const PATHS = /* @__PURE__ */ (() =>
  'reset invit magic verif confirm activat unsubscribe recover token apikey api-key key code hook private secret password infura.io/v alchemy.com/v quiknode.pro login/ signin sso/'.split(
    ' ',
  ))();
const PATH_SECRET = /(?:[a-z.]{1,14}\/v\d|\/?[a-z.-]{1,30})(?:\/|(?<=private)-)([\w~-]{16,200})(?![\w~-])/iy;
/** A feed that only whoever knows its address may read. */
const FEED = /\/private\/(?:[\w-]{1,15}\/){1,3}([0-9a-f]{24,64})(?=[/.?]|\s|$)/iy;
const SESSION = /\(S\(([a-z0-9]{24})(?=\)\))/iy;

/** Triggers for logins in addresses, and for the private hosts of those. */
export function loginUrlTriggers(): Trigger[] {
  return [
    ['://', detectUrl],
    ['@tcp(', detectDsn],
    ['@unix(', detectDsn],
    ['@(', detectDsn],
  ];
}

/** Triggers for addresses that are their own password. */
function hookTriggers(): Trigger[] {
  return patternTriggers({ rule: 'webhook', class: 'webhook', weight: FORMAT }, HOOKS);
}

/** Triggers for addresses. */
export function urlTriggers(): Trigger[] {
  const isRandom = (value: string): boolean =>
    looksRandom(value, 16) &&
    (/\d/.test(value) || value.length >= 28) &&
    !/^\d{4}-|^[0-9a-f]{8}-[0-9a-f]{4}-/i.test(value);
  return [
    ...loginUrlTriggers(),
    ['@//', detectNetLogin],
    ...patternTriggers({ rule: 'url-credentials', class: 'credentials' }, LOGINS),
    ...patternTriggers({ rule: 'path-secret', class: 'token' }, [['/private/', FEED]]),
    ...hookTriggers(),
    ...patternTriggers(
      { rule: 'path-secret', class: 'token', accepts: isRandom },
      PATHS.map((word) => [word.includes('.') ? word : `/${word}`, PATH_SECRET] as const),
    ),
    ...patternTriggers({ rule: 'path-secret', class: 'session' }, [['(s(', SESSION]]),
  ];
}

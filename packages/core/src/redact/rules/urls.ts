import { type Detector, isAlnum, mark, matchAt, STRUCTURE } from '../page.ts';
import { charSet, runEnd } from '../runs.ts';
import type { Trigger } from '../scan.ts';

const WEB = /^(?:https?|wss?|git|file|ftp)$/i;
const AUTHORITY = charSet(/[^\s/?#"'`<>\\]/, () => true);
const GREEDY = charSet(/[^\s"'`<>]/, () => true);
const LONGEST = 256;
const NAME = /[A-Za-z0-9_-]{2,63}(?![\w.-])/y;
const NETWORK =
  /^(?:https?|wss?|grpcs?|tcp|udp|tls|ssl|amqps?|rediss?|postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|mssql|sqlserver|nats|kafka|ldaps?|smtps?|imaps?|s?ftp|ssh|mqtts?|clickhouse|cassandra|bolt|neo4j|memcached?|etcd|consul|vault|elasticsearch|oracle|couchbases?|socks5h?|zookeeper|influxdb)$/i;
const PUBLIC_USER = /^(?:git|hg|svn|anonymous|x-access-token|oauth2|user|username)$/i;
const KNOWN_NAME = /^(?:localhost|example|host|hostname|server|\d+|test|undefined|null)$/i;

/** Takes the user and password out of an address, and the name of a host that only a private network knows. */
const detectUrl: Detector = (page, start, end) => {
  const { text } = page;
  let from = start;
  while (from > 0 && start - from < 24 && (isAlnum(text.charCodeAt(from - 1)) || text[from - 1] === '+')) {
    from--;
  }
  const scheme = text.slice(from, start);
  let host = end;
  let authority = text.slice(end, Math.min(runEnd(page, AUTHORITY, end), end + LONGEST));
  if (!WEB.test(scheme)) {
    // A database password may hold a slash; then the authority ends only at the last `@`.
    const greedy = text.slice(end, Math.min(runEnd(page, GREEDY, end), end + LONGEST));
    authority = greedy.slice(0, greedy.lastIndexOf('@')).includes('?') ? authority : greedy;
  }
  const at = authority.lastIndexOf('@');
  if (at > 0 && end >= page.covered) {
    const userinfo = authority.slice(0, at);
    host = end + at + 1;
    const colon = userinfo.indexOf(':');
    const user = colon < 0 ? userinfo : userinfo.slice(0, colon);
    const keepUser = PUBLIC_USER.test(user);
    if (colon >= 0 && colon < userinfo.length - 1) {
      mark(page, keepUser ? end + colon + 1 : end, end + at, 'url-credentials', 'credentials', STRUCTURE);
    } else if (!keepUser && userinfo.length > 1) {
      mark(page, end, end + user.length, 'url-credentials', 'credentials', STRUCTURE);
    }
  }
  const name = NETWORK.test(scheme) ? matchAt(NAME, text, host)?.[0] : undefined;
  if (name && !KNOWN_NAME.test(name)) {
    mark(page, host, host + name.length, 'private-host', 'host', STRUCTURE);
  }
};

const JDBC = /jdbc:oracle:thin:([\w.$#-]{1,64}\/[^\s@]{1,128})@/iy;
const TNS = /(?:^|[\s"'`(=])([\w.$#-]{1,64}\/[^\s@/"'`]{3,64})@(?=\/\/|[\w.-]{1,80}:\d)/y;

/** Oracle's own way: `thin:user/password@host`. */
const detectOracle: Detector = (page, start) => {
  const found =
    start < page.covered ? null : (matchAt(JDBC, page.text, start) ?? matchAt(TNS, page.text, start));
  const value = found?.[1];
  if (found && value) {
    const from = start + found[0].indexOf(value);
    mark(page, from, from + value.length, 'url-credentials', 'credentials', STRUCTURE);
  }
};

/** Triggers for addresses. */
export function urlTriggers(): Trigger[] {
  return [
    ['://', detectUrl],
    ['jdbc:ora', detectOracle],
  ];
}

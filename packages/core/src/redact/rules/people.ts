import { type Detector, isAlnum, mark, matchAt, type Page, STRUCTURE } from '../page.ts';
import { charSet, runStart } from '../runs.ts';
import type { Trigger } from '../scan.ts';
import { build, type Pattern, patternTriggers } from './patterns.ts';

const DEFAULT_USERS =
  /^(?:root|postgres|admin|administrator|anonymous|guest|sa|public|nobody|default|mysql|system|user|username|localhost|none|null|unknown|redis|mongo|mongodb|oracle|sys|elastic|neo4j|config|users|people|manager)$/i;
/** What stands behind "for user" in a sentence that names nobody. */
const OF_USERS =
  /^(?:input|settings?|roles?|data|profiles?|accounts?|sessions?|management|groups?|details|preferences|ids?|names?|info|information|requests?|operations?|with|without|because|and|who|that|this|not|is|has|was|from|access|actions?|login|authentication|credentials?|tokens?|messages?|content|files?|interface|agent|agents|space|defined|id)$/i;
const FAILURE =
  /auth|log[io]n|log in|password|denied|permi|credential|access|failed|locked|disabled|fatal|pg_hba|invalid/i;
const NEAR = 90;

/** Whether a word is the name of nobody, where "user" stands before it. */
export function isNobody(name: string): boolean {
  return DEFAULT_USERS.test(name) || OF_USERS.test(name);
}

/** Whether a sentence speaks of a failed login. Names that every installation has say nothing. */
function isAccount(name: string, page: Page, end: number): boolean {
  if (isNobody(name)) return false;
  return FAILURE.test(page.text.slice(Math.max(0, end - NEAR), end + NEAR));
}

/** What nobody calls a thing: two parts, or a number at the end, and no domain. */
const login = (before: string, after = '[,;:!]?(?:\\.?$|\\s|")'): RegExp =>
  build(
    `${before}([a-z][a-z]{0,30}(?:[._](?!(?:com|org|net|io|dev|app|ai|[a-z]{2})(?!\\w))[a-z]{1,30}\\d{0,4}|\\d{1,4}))(?=${after})`,
    'iy',
  );

/** The account in a sentence about a failed login. */
const ACCOUNTS: readonly Pattern[] = [
  ['user', /user(?:name)?[ \t]{1,2}(?:name )?\\{0,3}["'`“«](?:[\w-]{1,15}\\{1,4})?([^"'`”»\s\\@]{2,60})/iy],
  ['for role', /for role[ \t]{1,2}\\{0,3}["'`“«](?:[\w-]{1,15}\\{1,4})?([^"'`”»\s\\@]{2,60})/iy],
  ['role "', /role "([^"\s]{2,60})(?=" (?:is not permitted|does not exist|cannot))/iy],
  ['for login', /for login[ \t]{1,2}\\{0,3}["'`“«](?:[\w-]{1,15}\\{1,4})?([^"'`”»\s\\@]{2,60})/iy],
  ['for account', /for account[ \t]{1,2}\\{0,3}["'`“«](?:[\w-]{1,15}\\{1,4})?([^"'`”»\s\\@]{2,60})/iy],
  ['for principal', /for principal[ \t]{1,2}\\{0,3}["'`“«](?:[\w-]{1,15}\\{1,4})?([^"'`”»\s\\@]{2,60})/iy],
  ['invalid user ', /invalid user ([^\s"']{2,60})(?= from)/iy],
  ['password for ', /password for ([^\s"']{2,60})(?= from)/iy],
  [
    'for user ',
    /for user (\w[\w.-]{1,58}\w)(?=[.,;:!]?(?:$|\n|\\n|"| (?:from|at|on|in|via|because|after|using|with)\b|[.,;:!] ))/iy,
  ],
  ['login as ', /login as (\w[\w.-]{1,58}\w)(?= (?:failed|was|denied|rejected))/iy],
  ['login for ', /(?<=(?:failed|invalid|rejected|unsuccessful) )login for (\w[\w.-]{1,58}\w)(?= from \d)/iy],
  ['failure for ', /(?<=(?:su|pam): authentication )failure for (\w[\w.-]{1,58}\w)(?![\w.-])/iy],
  ['failure for ', login('(?<=auth\\w{0,12} )failure for ')],
  ['failed for ', login('(?<=(?:authentication|login|logon|sign-?in) )failed for ')],
  ['credentials for ', login('(?<=(?:invalid|wrong|bad) )credentials for ')],
  ['user ', login('user ', ' (?:is|has been|was) (?:locked|disabled|suspended|blocked|banned)')],
  ['account ', login('account ', ' (?:is|has been|was) (?:locked|disabled|suspended|blocked|banned)')],
  ['incorrect for ', /(?<=login )incorrect for (\w[\w.-]{1,58}\w)(?=\.?(?:$|\s|"))/iy],
  ['invalid login: ', /invalid login: (\w[\w.-]{1,58}\w)(?= from\b)/iy],
  [' user=', / user=([\w.@-]{2,60})(?![\w.@-])/iy],
];

/** The entry in a directory's name, the user of a shell. */
const ENTRIES: readonly Pattern[] = [
  ['su: user ', /su: user (\S{2,60})/iy],
  ['sudo: ', /sudo:\s{1,4}([\w.-]{2,60})(?= : )/iy],
  ['uid=', /uid=((?:[^,\s=\\]|\\.){2,64})(?=, ?(?:ou|dc|cn|o)=)/iy],
  ['cn=', /cn=((?:[^,=\n\\]|\\.){2,64})(?=, ?(?:ou|dc|cn|o)=)/iy],
];

/** Where in a directory it stands: units, and the domain. */
const UNITS = build(
  `(?<![\\w-])((?:(?:ou|o|l|st|c|dc)=(?:[^,=\\n"'\`<>;()\\\\]|\\\\[^\\n]){1,64},\\s?){1,12}(?:ou|o|c|dc)=[^\\s,=;"'\`<>()]{1,64})`,
  'iy',
);
const DIRECTORIES: readonly Pattern[] = [
  ['ou=', UNITS],
  ['dc=', UNITS],
  [',o=', /,((?<=(?:uid|cn)=[^,=\n]{2,64},)o=[^\s,=;"'`<>()]{1,64})/iy],
];

const DOMAIN = charSet(/[A-Za-z0-9-]/);
const DOMAIN_USER = /\\{1,2}([A-Za-z][\w.$-]{1,63})(?![\w\\/(:-])/y;
const LOGON_AFTER = / ?: {0,2}(?:log[io]n|logon|access|authentication|account)\b/iy;
const BACKSLASH = 92;
const NOT_DOMAIN = /^(?:AUTHORITY|BUILTIN|HK.*|HKEY.*|SYSTEM|SOFTWARE|USERS|WINDOWS)$/;

/** Where a server is named, by itself or as what something is connected to. */
const OF_SERVER =
  /(?:(?:^|[^a-z])(?:server(?: ?name)?|host(?: ?name)?|data source|addr(?:ess)?|instance|datasource)(?:["'\\]{0,3} ?[:=] ?["'\\]{0,3}| ["'`]?)|connect(?:ed|ing|ion)? to (?:server )?["'`]?| -S )$/i;
/** Where it is assigned, no user would stand. */
const ASSIGNED = /[:=] ?["'\\]{0,3}$/;

/** `SQLPRD04\INST2`: a machine, and an instance of a server on it. */
function isMachine(before: string, name: string): boolean {
  return OF_SERVER.test(before) && (ASSIGNED.test(before) ? /[A-Z\d]/.test(name) : /\d/.test(name));
}

/** `DOMAIN\user`. A domain in small letters could be a path, and needs a word about users. */
const detectDomainUser: Detector = (page, start) => {
  const { text } = page;
  const next = text.charCodeAt(start + 1);
  if (!isAlnum(text.charCodeAt(start - 1)) || !(next === BACKSLASH || isAlnum(next))) {
    return;
  }
  const from = runStart(page, DOMAIN, start);
  const domain = text.slice(Math.max(from, start - 20), start);
  if (
    domain.length < 2 ||
    domain.length > 15 ||
    start < page.covered ||
    NOT_DOMAIN.test(domain) ||
    /[\w\\/:.$@%]/.test(text[from - 1] ?? '')
  ) {
    return;
  }
  const user = matchAt(DOMAIN_USER, text, start)?.[1];
  if (user && isMachine(text.slice(Math.max(0, from - 24), from), domain)) {
    mark(page, from, start, 'private-host', 'host', STRUCTURE);
    return;
  }
  const speaks = /(?:user|log[io]n|logon|account|principal|impersonating|member)[ :='"`]{1,4}$/i.test(
    text.slice(Math.max(0, from - 20), from),
  );
  // Behind a word about users stands no line break, nor in front of what a server says of a login.
  const isEscape =
    /^[nrtbfuvx0]/.test(user ?? '') &&
    text[start + 1] !== '\\' &&
    !speaks &&
    !matchAt(LOGON_AFTER, text, DOMAIN_USER.lastIndex);
  if (user && !isEscape && !DEFAULT_USERS.test(user) && (speaks || /^[A-Z][A-Z0-9-]+$/.test(domain))) {
    mark(page, DOMAIN_USER.lastIndex - user.length, DOMAIN_USER.lastIndex, 'auth-user', 'user', STRUCTURE);
  }
};

/** Triggers for the names of accounts. */
export function peopleTriggers(): Trigger[] {
  const rule = { rule: 'auth-user', class: 'user' };
  return [
    ...patternTriggers({ ...rule, accepts: isAccount }, ACCOUNTS),
    ...patternTriggers({ ...rule, accepts: (name) => !DEFAULT_USERS.test(name) }, ENTRIES),
    ...patternTriggers({ rule: 'private-host', class: 'host' }, DIRECTORIES),
    ['\\', detectDomainUser],
  ];
}

import { isPlain, isWord, looksRandom, stripEnd } from '../looks.ts';
import { BLOCK, type Detector, FORMAT, isAlnum, mark, matchAt, type Page, STRUCTURE } from '../page.ts';
import { charSet, nextOf, runEnd } from '../runs.ts';
import type { Trigger } from '../scan.ts';
import { wordEnd } from './formats.ts';

const SCHEME_VALUE =
  /(?:Bearer|Basic|Token|ApiKey|Api-Key|Negotiate|NTLM|SSWS|Hawk|GoogleLogin|OAuth|DPoP)(?:[ \t]{1,3}|%20|\+|:[ \t]?)["']?([\w~+/.=%-]{6,1000})/iy;

/** `Bearer …`, `Basic …` wherever they stand. */
const detectScheme: Detector = (page, start) => {
  const { text } = page;
  if (start < page.covered || (start > 0 && isAlnum(text.charCodeAt(start - 1)))) {
    return;
  }
  const found = matchAt(SCHEME_VALUE, text, start);
  const value = stripEnd(found?.[1] ?? '', '.');
  if (
    !found ||
    isPlain(value) ||
    (isWord(value) && value.length < 20) ||
    /^[a-z]+(?:[-_.][a-z]+)*$/.test(value)
  ) {
    return;
  }
  const basic = /^basic/i.test(found[0]);
  if (basic && !/^[\w+/-]{6,}={0,2}$/.test(value)) {
    return;
  }
  if (/\d/.test(value) || value.endsWith('=') || value.length >= 24 || looksRandom(value, 8)) {
    const at = start + found[0].length - (found[1]?.length ?? 0);
    mark(
      page,
      at,
      wordEnd(page, at + value.length),
      'auth-scheme',
      basic ? 'credentials' : 'token',
      STRUCTURE,
    );
  }
};

const PEM = /-----BEGIN ((?:[A-Z0-9]{1,12} ){0,4}(?:PRIVATE KEY|SECRET KEY)(?: BLOCK)?)-----/y;
const MATERIAL = charSet(/[\w+/=\s:,.()\\-]/);
const PUTTY = /PuTTY-User-Key-File-\d:/y;

/** A PEM or PGP private key, to its end line, or, where that is cut off, as far as lines of key material go. */
const detectPem: Detector = (page, start) => {
  const { text } = page;
  const head = matchAt(PEM, text, start);
  if (start < page.covered || !head) {
    return;
  }
  const from = start + head[0].length;
  const tail = `-----END ${head[1]}-----`;
  const near = nextOf(page, '-----END ', from);
  const end = text.startsWith(tail, near) ? near + tail.length : runEnd(page, MATERIAL, from);
  mark(page, start, end, 'pem', 'private-key', BLOCK);
};

const detectPutty: Detector = (page, start) => {
  if (start >= page.covered && matchAt(PUTTY, page.text, start)) {
    const mac = nextOf(page, 'Private-MAC:', start);
    mark(page, start, nextOf(page, '\n', mac), 'pem', 'private-key', BLOCK);
  }
};

const HASH =
  /\$(?:2[abxy]?\$\d\d\$[\w./]{20,60}|(?:1|5|6|7|8|9|y|sha1|md5|apr1|gy)\$[\w./=$-]{12,200}|argon2(?:id|i|d)\$[\w./=$,+-]{20,300}|(?:scrypt|pbkdf2)[\w-]{0,12}\$[\w./=$,+-]{20,300}|krb5\w{3,8}\$[\w.$*@/:-]{20,400})/y;

/** A password's hash, as `crypt` and its successors write it. */
const detectHash: Detector = (page, start) => {
  if (start >= page.covered && matchAt(HASH, page.text, start)) {
    mark(page, start, wordEnd(page, HASH.lastIndex), 'password-hash', 'password', FORMAT);
  }
};

const JWT = /eyJ[\w-]{8,8000}\.(?:eyJ)?[\w-]{4,8000}(?:\.[\w-]{0,2000}){0,3}/y;

/** A JSON web token, signed or encrypted. */
const detectJwt: Detector = (page, start) => {
  const { text } = page;
  const end = wordEnd(page, start);
  if (
    start < page.covered ||
    end === page.jwtTried ||
    text[end] !== '.' ||
    isAlnum(text.charCodeAt(start - 1))
  ) {
    return;
  }
  page.jwtTried = end;
  if (matchAt(JWT, text, start)) {
    mark(page, start, wordEnd(page, JWT.lastIndex), 'jwt', 'jwt', FORMAT);
  }
};

/** Where a webhook's secret path starts. */
const HOOKS: ReadonlyArray<readonly [keyword: string, rest: RegExp]> = [
  ['hooks.slack.com/', /(?:services|workflows|triggers)\//iy],
  ['/api/webhooks/', /(?=\d)/y],
  ['/webhooks/', /(?=\d{15,20}\/)/y],
  ['.office.com/webhook', /(?:b2)?\//y],
  ['logic.azure.com', /(?::443)?\/workflows\//y],
  ['hooks.zapier.com/hooks/', /catch\//y],
  ['chat.googleapis.com/v1/spaces/', /(?=\w)/y],
  ['api.telegram.org/bot', /(?=\d)/y],
  ['maker.ifttt.com/trigger/', /(?=\w)/y],
  ['.make.com/', /(?=[a-z0-9]{20})/y],
  ['/open-apis/bot/v2/hook/', /(?=\w)/y],
  ['.m.pipedream.net', /\/?(?=\w)/y],
];
const HOOK_PATH = /[\w./@%?=&:-]{8,400}/y;

/** A webhook's address is its password. The host stays, the path goes. */
function detectWebhook(rest: RegExp): Detector {
  return (page, start, end) => {
    if (start >= page.covered && matchAt(rest, page.text, end)) {
      const from = rest.lastIndex;
      const path = stripEnd(matchAt(HOOK_PATH, page.text, from)?.[0] ?? '', '.?');
      mark(page, from, from + path.length, 'webhook', 'webhook', FORMAT);
    }
  };
}

/** Programs that take a password or a login as a short option. */
const PROGRAMS =
  'mysql,mariadb,sshpass,docker,podman,mongo,sqlcmd,redis-cli,ldap,psql,psexec,curl,wget,http,smbclient,htpasswd,zip,7z,openssl,cqlsh,isql,bcp,osql'.split(
    ',',
  );
const PROGRAM = /(?:https?|7z|(?:un)?zip|[a-z][a-z-]{1,20}\d{0,3}(?:\.exe)?)(?=["'`]?\s)/iy;
const FAR = 200;

/** Remembers where a program was called. */
const detectProgram: Detector = (page, start) => {
  const before = page.text[start - 1] ?? ' ';
  if (/[\s;|&"'`()\\/]/.test(before) && matchAt(PROGRAM, page.text, start)) {
    page.program = start;
  }
};

/** The program whose command line an offset is in. */
function programBefore(page: Page, at: number): string {
  const { text, program } = page;
  return program < 0 || at - program > FAR || nextOf(page, '\n', program) < at
    ? ''
    : (matchAt(PROGRAM, text, program)?.[0].toLowerCase() ?? '');
}

const SHORT_FLAG = /-(?:-(?=user[ \t=]))?([paPwu])(?:ser(?=[ \t=]))?[ \t=]?(["']?)([^\s"']{2,120})\2/y;

/** `-p secret`, `-u user:secret`, `--user user:secret` after the name of a program that takes one. */
const detectShortFlag: Detector = (page, start) => {
  const { text } = page;
  const program = start + 1 < page.covered ? '' : programBefore(page, start + 1);
  const found = program === '' ? null : matchAt(SHORT_FLAG, text, start + 1);
  if (!found) {
    return;
  }
  const [whole, flag, quote = '', value = ''] = found;
  if (/^-|^\d{2,5}$|^\d{2,5}:\d{2,5}$/.test(value) || isPlain(value)) {
    return;
  }
  const from = start + 1 + whole.length - value.length - quote.length;
  if (flag === 'u') {
    const colon = value.indexOf(':');
    if (colon > 0 && colon < value.length - 1) {
      mark(page, from, from + value.length, 'command-line', 'credentials', STRUCTURE);
    }
  } else if (flag === 'a' ? program.startsWith('redis') : !/^(?:curl|wget|http|psql)$/.test(program)) {
    mark(page, from, from + value.length, 'command-line', 'password', STRUCTURE);
  }
};

const AUTH_USER =
  /(?:user(?:name)?|role|login|principal|account)[ \t]{1,2}(?:name )?(\\{0,3}["'`“«])([^"'`”»\s\\@]{2,60})/iy;
const DEFAULT_USERS =
  /^(?:root|postgres|admin|administrator|anonymous|guest|sa|public|nobody|default|mysql|system|user|username|localhost|none|null|unknown|redis|mongo|mongodb|oracle|sys|elastic|neo4j)$/i;

/** The account in a sentence about a failed login. Names that every installation has say nothing. */
const detectAuthUser: Detector = (page, start) => {
  const { text } = page;
  const from = start + 4;
  const found = start < page.covered ? null : matchAt(AUTH_USER, text, from);
  const name = found?.[2] ?? '';
  if (found && !DEFAULT_USERS.test(name)) {
    const context =
      text.slice(Math.max(0, start - 80), start) +
      text.slice(from + found[0].length, from + found[0].length + 60);
    if (
      /auth|login|log in|password|denied|permission|credential|access|failed|locked|disabled|fatal/i.test(
        context,
      )
    ) {
      const at = from + found[0].length - name.length;
      mark(page, at, at + name.length, 'auth-user', 'user', STRUCTURE);
    }
  }
};

/** Triggers for credentials that carry their own mark. */
export function credentialTriggers(): Trigger[] {
  const schemes = [
    'bearer',
    'basic ',
    'token ',
    'token:',
    'apikey ',
    'negotiate ',
    'ntlm ',
    'ssws ',
    'dpop ',
  ];
  return [
    ...schemes.map((word) => [word, detectScheme] as const),
    ['-----begin', detectPem],
    ['putty-user-key', detectPutty],
    ['eyj', detectJwt],
    ...['$0$', '$0a$', '$0b$', '$0y$', '$y$', '$apr0$', '$argon', '$scrypt', '$pbkdf', '$krb'].map(
      (word) => [word, detectHash] as const,
    ),
    ...HOOKS.map(([word, rest]) => [word, detectWebhook(rest)] as const),
    ...PROGRAMS.map((word) => [word, detectProgram] as const),
    [' -p', detectShortFlag],
    [' -a', detectShortFlag],
    [' -w', detectShortFlag],
    [' -u', detectShortFlag],
    [' --user', detectShortFlag],
    ['for user', detectAuthUser],
    ['for role', detectAuthUser],
    ['for login', detectAuthUser],
    ['for account', detectAuthUser],
    ['for principal', detectAuthUser],
  ];
}

/** Whether text reads as `user:password`. */
export function isUserPassword(text: string): boolean {
  return (
    /^[\w.@+-]{1,64}:[!-~]{3,100}$/.test(text) &&
    (looksRandom(text, 8) || /[:].*[\d\W]|pass|secret/i.test(text))
  );
}

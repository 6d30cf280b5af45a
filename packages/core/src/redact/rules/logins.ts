/**
 * A user and a password in words about a login, or as arguments of a call that logs somebody in: `Login failed: admin / …`,
 * `logged in as admin:…`, `connect("host", "user", "…")`. Nothing names the password; its place does.
 */
import { isPlain, isSaidName, stripEnd } from '../looks.ts';
import { type Detector, isWordSign, mark, matchAt, type Page, STRUCTURE } from '../page.ts';
import type { Trigger } from '../scan.ts';
import { surrogateEnd } from '../surrogates.ts';
import { isOdd } from './odd-words.ts';
import { build } from './patterns.ts';
import { looksReceived } from './received.ts';

const USER = '[A-Za-z][\\w.@+-]{0,40}';
/** `login failed for admin / …`, `(admin:…)`. */
const PAIR = build(
  `[\\p{L}-]{2,20}(?:[ :,(]{1,3}[\\p{L}-]{1,16}){0,6}?[ :(]{1,3}["'\`]?${USER}( / |[/:](?!/))["'\`]?([^\\s"'\`,;:/()\\[\\]]{6,80})`,
  'iyu',
);
/** `log in as admin with …`. */
const AS = build(
  `[\\p{L}-]{2,20}(?: in)? (?:as|with) (?:user )?["'\`]?${USER}["'\`]? (?:with|using|and) ["'\`]?([^\\s"'\`,;:()\\[\\]]{6,80})`,
  'iyu',
);
/** `admin / … is not a valid login`. */
const BEFORE =
  / ?\/ ?([^\s"'`,;:/()[\]]{6,80})["'`]? (?:is|was)(?: not)?(?: an?| the)?(?: (?:in)?valid| right| correct)? $/;
const LONGEST_BEFORE = 120;

const isPassword = (value: string): boolean => looksReceived(value) || (isOdd(value) && !isSaidName(value));

const detectLogin: Detector = (page, start) => {
  const { text } = page;
  if (
    start < page.covered ||
    isWordSign(text.charCodeAt(start - 1)) ||
    /[/.@#?&=-]/.test(text[start - 1] ?? '')
  ) {
    return;
  }
  const [, sign, paired] = matchAt(PAIR, text, start) ?? [];
  const given = paired ?? matchAt(AS, text, start)?.[1];
  if (given !== undefined) {
    const value = stripEnd(given, '.!?');
    // What a stroke parts without blanks is a path more often than a login.
    if (sign !== '/' || looksReceived(value)) {
      markPassword(page, (paired === undefined ? AS : PAIR).lastIndex - given.length, value);
    }
    return;
  }
  const before = BEFORE.exec(text.slice(Math.max(0, start - LONGEST_BEFORE), start));
  if (before) {
    const [whole, value = ''] = before;
    markPassword(page, start - whole.length + whole.indexOf(value), value);
  }
};

function markPassword(page: Page, start: number, value: string): void {
  if (isPassword(value)) {
    mark(page, start, start + value.length, 'auth-scheme', 'password', STRUCTURE);
  }
}

const WORDS =
  'credentials ,login,logon,log in,logged in,logging in,sign in,signed in,signing in,sign-in,signin,authenticat,anmeld,connexion,inicio de ses,accesso,вход';

/** One argument: a text in quotes, or anything else without a comma. */
const ARGUMENT =
  /\s{0,4}(?:(["'])([^"'\n]{0,160})\1[^,()\n]{0,24}(?:\(\))?|[^\s,()"'\n][^,()"'\n]{0,60}(?:\([^()\n]{0,40}\))?)\s{0,4}([,)])/y;
const MOST_ARGUMENTS = 7;

/** What calls take: at which place of the texts in quotes the password stands, or -1 where only its looks tell. */
const CALLS: ReadonlyArray<readonly [keywords: string, isIt: RegExp, place: number, least: number]> = [
  [
    'connect(',
    /(?:mysqli?_(?:real_|p)?|pymysql\.|MySQLdb\.|psycopg\d?\.|odbc\.|odbc_p?|pyodbc\.)connect\($/i,
    2,
    3,
  ],
  ['connect(', /(?:oracle(?:db)?\.|oci_p?)connect\($/i, 1, 2],
  ['connect(', /(?<!(?:sock|socket|signal|tls|net|s|tcp|server)\.)connect\($/i, -1, 3],
  ['connection(', /getConnection\($/i, -1, 2],
  ['login(', /(?:ftp_)login\($/i, 1, 2],
  ['imap_open(', /imap_open\($/i, 2, 3],
  ['ftp(', /(?<!\w)FTP(?:_TLS)?\($/, 2, 3],
  ['plainauth(', /PlainAuth\($/i, 2, 3],
  ['basic(', /(?:auth|authtokens)\.basic\($/i, 1, 2],
  ['mongoclient(', /MongoClient\($/, -1, 2],
  ['signin(', /signIn\($/i, 1, 2],
  ['authentication(', /PasswordAuthentication\($/, 1, 2],
  ['auth(', /\.auth\($/, -1, 1],
  ['compare(', /(?:bcrypt|argon2|scrypt|hasher|passwordEncoder)\.compare\($/i, 0, 1],
  ['matches(', /passwordEncoder\.matches\($/i, 0, 1],
  ['password_verify(', /password_verify\($/i, 0, 1],
  ['password_hash(', /password_hash\($/i, 0, 1],
];

/** A text in quotes, and where it stands. */
interface Argument {
  readonly start: number;
  readonly value: string;
}

function argumentsAt(text: string, from: number): Argument[] {
  const found: Argument[] = [];
  let at = from;
  for (let i = 0; i < MOST_ARGUMENTS; i++) {
    const [whole = '', quote, value = '', end] = matchAt(ARGUMENT, text, at) ?? [];
    if (quote !== undefined) {
      found.push({ start: at + whole.indexOf(quote) + 1, value });
    }
    at += whole.length;
    if (end !== ',') {
      break;
    }
  }
  return found;
}

function callDetector(isIt: RegExp, place: number, least: number): Detector {
  return (page, start, end) => {
    if (start < page.covered || !isIt.test(page.text.slice(Math.max(0, end - 32), end))) {
      return;
    }
    const given = argumentsAt(page.text, end);
    if (given.length < least || given.some(({ value }) => surrogateEnd(value, 0) > 0)) {
      return;
    }
    const last = place < 0 ? passwordIn(given, least) : given[place];
    if (last && last.value.length > 2 && !isPlain(last.value) && !/\s/.test(last.value)) {
      mark(page, last.start, last.start + last.value.length, 'auth-scheme', 'password', STRUCTURE);
    }
  };
}

const HOST = /^[\w-]+(?:\.[\w-]+)+$|^localhost$|:\/\//;

/** The argument that looks like a password. Behind a host and a user nothing else is expected. */
function passwordIn(given: readonly Argument[], least: number): Argument | undefined {
  const isHost = HOST.test(given[0]?.value ?? '');
  return given.find(
    ({ value }, index) =>
      index >= Math.min(1, least - 1) && (looksReceived(value) || (isHost && index > 1 && isPassword(value))),
  );
}

/** Triggers for logins. */
export function loginTriggers(): Trigger[] {
  return [
    ...WORDS.split(',').map((word) => [word, detectLogin] as const),
    ...CALLS.map(([keyword, isIt, place, least]) => [keyword, callDetector(isIt, place, least)] as const),
  ];
}

import { isPlain, looksRandom, stripEnd } from '../looks.ts';
import { type Detector, mark, matchAt, STRUCTURE } from '../page.ts';
import { isLoginToFillIn } from '../placeholders.ts';
import { nextOf } from '../runs.ts';
import type { Trigger } from '../scan.ts';
import { build, type Pattern, patternTriggers } from './patterns.ts';

/** Between a flag and its value, on a command line or in a list of arguments; then the value. */
const VALUE = String.raw`(["']?)((?<=["'])[^\s"']{2,120}(?=\1)|[^\s"',|;&]{2,120})\1`;
const flag = (source: string): RegExp => build(`${source}(?:["']?,?[ \t=]|:)${VALUE}`, 'y');
/** The value may follow the flag at once: `-psecret`. */
const gluedFlag = (source: string): RegExp => build(`${source}(?:["']?,?[ \t=])?${VALUE}`, 'y');

/** Programs that take a password or a login as a short option, and that option. */
const PROGRAMS: ReadonlyArray<readonly [programs: string, flag: RegExp]> = [
  ['mysql mariadb sshpass rar unrar 7z', gluedFlag('-h?p')],
  ['mongo docker podman psexec cqlsh twine az isql helm ncftp useradd usermod', flag('-p')],
  ['ssh-keygen', flag('-[NP]')],
  ['sqlcmd bcp osql zip unzip ipmitool mosquitto', flag('-P')],
  ['redis-cli', flag('-a')],
  ['ldap', gluedFlag('-[ws]')],
  ['openssl', flag('-[kK]')],
  ['snmp', flag('-[cAX]')],
  ['curl wget http etcdctl', gluedFlag('(?:-u|--(?:proxy-)?user|--auth|-a)')],
  ['schtasks', flag('/rp')],
  ['xfreerdp', gluedFlag('/p:')],
];
const PROGRAM = /[\w-]{1,20}(?:\.exe)?(?=["'`]?[,\s])/iy;
const FAR = 200;

/** Remembers where a program was called. */
function programDetector(index: number): Detector {
  return (page, start) => {
    const before = page.text[start - 1] ?? ' ';
    if (/[^\w.@-]/.test(before) && matchAt(PROGRAM, page.text, start)) {
      page.program = start;
      page.flags = index;
    }
  };
}

/** `-p secret`, `-u user:secret` after the name of a program that takes one. */
const detectFlag: Detector = (page, start) => {
  const { text, program } = page;
  const at = start + 1;
  if (at < page.covered || program < 0 || at - program > FAR || nextOf(page, '\n', program) < at) {
    return;
  }
  const found = matchAt(PROGRAMS[page.flags]?.[1] as RegExp, text, at);
  const [whole = '', quote = '', given = ''] = found ?? [];
  // A colon after it belongs to the sentence, unless what stands before is a word of that.
  const value = /\d/.test(given) ? stripEnd(given, ':') : given;
  if (
    value === '' ||
    /^-|^\d{2,5}(?::\d{2,5})?$|^[\w-]+:$/.test(value) ||
    isPlain(value) ||
    isLoginToFillIn(value.split(':')[0] ?? '', value.slice(value.indexOf(':') + 1))
  ) {
    return;
  }
  const from = at + whole.length - given.length - quote.length;
  const isLogin = /^-(?:u|-)/.test(whole) || /^-a.*:/.test(whole);
  const colon = value.indexOf(':');
  if (isLogin && colon > 0 && colon < value.length - 1) {
    mark(page, from, from + value.length, 'command-line', 'credentials', STRUCTURE);
  } else if (!isLogin) {
    mark(page, from, from + value.length, 'command-line', 'password', STRUCTURE);
  }
};

/** `-U user%secret`, as all tools of Samba take it. */
const SAMBA_LOGIN = / -U ?["']?[\w.\\/@$-]{1,60}%([^\s"']{3,120})/y;
/** `domain/user:secret@host`, as Impacket takes it. */
const DOMAIN_LOGIN =
  /[A-Za-z]{5,12}(?:\.py)? (?:-[\w-]{1,20} ){0,3}["']?(?:[\w.-]{1,40}\/)?[\w.$-]{1,40}:([^\s@"']{3,100})(?=@)/y;

/** Commands in which a password stands at a place of its own. */
const PLACES: readonly Pattern[] = [
  ['net use', /net use (?:\w: )?\\\\\S{1,100} ([^\s/]\S{1,60})(?= \/user)/iy],
  ['net use', /net use[^\n]{1,120}? \/user:\S{1,60} ([^\s/]\S{1,60})/iy],
  ['net user', /net user \S{1,60} ([^\s/]\S{1,60})/iy],
  ['curl -', /curl (?:-{1,2}[\w-]{1,20} ){0,4}-[A-Za-z]{1,5}u ["']?([^\s"':]{1,60}:[^\s"']{2,100})/y],
  ['lftp ', /lftp (?:-\w{1,3} \S{1,40} ){0,2}-u [\w.@-]{1,60},([^\s"']{2,100})/iy],
  ['securestring ', /securestring (?:-string )?["']?([^\s"'()-][^\s"')]{2,120})/iy],
  ['chpasswd', /chpasswd:? (?:\(?line \d{1,6}\)?:? )?[\w.-]{1,40}:(\S{3,100})/iy],
  ['login ', /login \S{1,64}\s{1,8}password (\S{3,100})/iy],
  ['auth default', /AUTH default (\S{4,100})/y],
  ['setuser ', /setuser \S{1,60}(?: [^\s>#<]\S{0,40}){0,6} [>#<](\S{3,100})/iy],
  ['identified via', /identified via \w{1,40} (?:using|as) (?:password ?\()?["']([^"'\n]{1,120})/iy],
  ['sp_addlogin', /sp_addlogin N?'[^'\n]{1,60}', ?N?'([^'\n]{1,120})/iy],
  ['sp_password', /sp_password N?'([^'\n]{1,60}', ?N?'[^'\n]{1,120})/iy],
  ['identified with', /identified with "?\w{1,40}"? (?:by|as) ["']([^"'\n]{1,120})/iy],
  ['sqlplus ', /sqlplus (?:-\w{1,4} ){0,3}[\w$#]{1,30}\/"?([^\s"@/]{2,80})/iy],
  ['userid=', /userid=["']?[\w$#]{1,30}\/"?([^\s"@/]{3,80})/iy],
  ['smbclient ', /smbclient \/\/\S{1,100} ([^\s-]\S{2,80})(?= -U)/y],
  ['authenticate_user', /authenticate_user \S{1,60} (\S{2,80})/iy],
  ['operator unseal', /operator unseal (?:-[\w-]{1,20}(?:=\S{1,40})? ){0,3}([\w+/=]{24,120})/iy],
  ['u=', /(?<![\w&?-])u=\S{1,40}[ ,;]{1,2}p=([^\s,;]{3,80})/iy],
  ['cargo login', /cargo login (\S{16,80})/iy],
  ['htpasswd -', /htpasswd -\w{0,4}b\w{0,4} \S{1,80} \S{1,60} (\S{2,80})/iy],
  ['add_user', /add_user \S{1,60} (\S{2,80})/iy],
  ['change_password', /change_password \S{1,60} (\S{2,80})/iy],
  ['mc alias set', /mc alias set \S{1,40} \S{1,120} (?![A-Z_]{3,20} [A-Z_]{3,20}(?!\S))(\S{3,60} \S{6,80})/y],
  [
    'mc config host add',
    /mc config host add \S{1,40} \S{1,120} (?![A-Z_]{3,20} [A-Z_]{3,20}(?!\S))(\S{3,60} \S{6,80})/y,
  ],
  ['wpa_passphrase ', /wpa_passphrase (?:"[^"\n]{1,40}"|\S{1,40}) (\S{8,63})/y],
  ['rclone obscure', /rclone obscure ["']?([^\s"'-]\S{2,80})/y],
  ...[' -u ', ' -u"', " -u'"].map((before): Pattern => [before, SAMBA_LOGIN]),
  ...'psexec wmiexec smbexec atexec dcomexec secretsdump getuserspns getnpusers gettgt'
    .split(' ')
    .map((tool): Pattern => [tool, DOMAIN_LOGIN]),
  [
    'echo ',
    /echo ["']?(?:[\w.-]{1,40}:)?([^\s"'|:]{2,80})(?=["']? {0,2}\| {0,2}(?:sudo )?(?:chpasswd|sudo -S|(?:docker|podman|helm|nerdctl) [^\n|]{0,80}--password-stdin))/iy,
  ],
  [' login ', /(?<=\b\w{1,8}) LOGIN "?[^\s"]{1,64}"? "?([^\s"]{2,80})(?=["\s]|$)/y],
  [
    'pass ',
    /(?<=^|[\n>:] ?)PASS (?!\(|\d{1,4}(?!\S)|\S{0,70}\.(?:test|spec)\.|\S{0,70}\/\S{0,70}\.[a-z]{1,4}(?:\s|$))(\S{2,80})(?=\s|\\r|$)/y,
  ],
  ['auth login', /AUTH LOGIN ([\w+/]{8,200}={0,2})/y],
  // `Password:` in base64, as a server of mail asks for it.
  ['ugfzc0dvcmq0', /UGFzc3dvcmQ6(?:\s|\\[nr]|[CS<>]:? ){1,6}([\w+/]{4,200}={0,2})/y],
  [
    'auth cram-md0',
    /AUTH CRAM-MD5(?:\s|\\[nr]|[CS<>]:? ){1,6}334 \S{4,200}(?:\s|\\[nr]|[CS<>]:? ){1,6}([\w+/]{12,200}={0,2})/y,
  ],
  ['auth plain', /AUTH PLAIN ([\w+/]{8,200}={0,2})/y],
  ['identified by', /IDENTIFIED BY (?:PASSWORD )?(?!["'`]|VALUES )([^\s;,)]{3,80})/y],
  ['identified by', /IDENTIFIED BY VALUES ?["']([^"'\n]{1,200})/iy],
  [' replace ', /(?<=IDENTIFIED BY \S{1,80}) REPLACE "?([^\s";]{3,80})/iy],
  ['identified by', /IDENTIFIED BY (?:PASSWORD )?["']([^"'\n]{1,120})/y],
  ['identified by', /(?<=(?:user|grant) [^\n]{1,120})identified by (?:password )?["']([^"'\n]{1,120})/iy],
];

const USER_BEFORE = /\s(?:-[ul]|--user(?:name)?|--login)[ =]["']?[\w.@\\/-]{1,60}["']?\s/i;
const PASSWORD_AFTER = / -[pP](?: |=)?(["']?)([^\s"',|;&]{6,120})\1(?=["'\s]|$)/y;
const REACH = 120;

/** `-u user … -p secret`, whatever the program is, if it looks like one: ports and files are given so, too. */
const detectUserPassword: Detector = (page, start) => {
  const { text } = page;
  if (start < page.covered) return;
  const [, quote, value = ''] = matchAt(PASSWORD_AFTER, text, start) ?? [];
  if (!/\d/.test(value) || !/[A-Za-z]/.test(value) || /^[/.~\d]|[:/]\d|=/.test(value) || isPlain(value))
    return;
  const before = text.slice(Math.max(0, start - REACH), start + 1);
  if (USER_BEFORE.test(before.slice(before.lastIndexOf('\n') + 1))) {
    const end = PASSWORD_AFTER.lastIndex - (quote?.length ?? 0);
    mark(page, end - value.length, end, 'command-line', 'password', STRUCTURE);
  }
};

const GLUED = /\w{4,8}:? ["'`]?-p([^\s"'`,;]{6,80})/iy;

/** `unknown option -psecret`, where nobody says whose option it is. */
const OPTIONS: readonly Pattern[] = ['option', 'argument', 'switch', 'flag'].flatMap((word) =>
  [' -p', ': -p', ' "-p', " '-p", ' `-p'].map((before): Pattern => [word + before, GLUED]),
);

/** Triggers for command lines. */
export function commandTriggers(): Trigger[] {
  const flags = [
    '-p',
    '-a',
    '-w',
    '-u',
    '-k',
    '-c',
    '-hp',
    '-n',
    '-s',
    '-x',
    '--user',
    '--proxy-user',
    '--auth',
    '/rp',
    '/p:',
  ];
  return [
    ...PROGRAMS.flatMap(([programs], index) =>
      programs.split(' ').map((word) => [word, programDetector(index)] as const),
    ),
    ...flags.flatMap((word) => [' ', '"', "'"].map((before) => [before + word, detectFlag] as const)),
    [' -p', detectUserPassword],
    ...patternTriggers({ rule: 'command-line', class: 'password' }, PLACES),
    ...patternTriggers({ rule: 'command-line', class: 'token', accepts: (value) => looksRandom(value, 10) }, [
      [
        'vault login ',
        /vault login (?:-[\w-]{1,30}(?:=\S{1,60})? ){0,4}([^\s"'=-][^\s"'=]{9,200})(?![^\s"'])/y,
      ],
    ]),
    ...patternTriggers(
      { rule: 'command-line', class: 'password', accepts: (value) => looksRandom(value, 8) },
      OPTIONS,
    ),
  ];
}

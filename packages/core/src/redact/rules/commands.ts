import { isPlain } from '../looks.ts';
import { type Detector, mark, matchAt, STRUCTURE } from '../page.ts';
import { nextOf } from '../runs.ts';
import type { Trigger } from '../scan.ts';
import { build, type Pattern, patternTriggers } from './patterns.ts';

/** Between a flag and its value, on a command line or in a list of arguments; then the value. */
const VALUE = String.raw`(["']?)([^\s"',|;&]{2,120})\1`;
const flag = (source: string): RegExp => build(`${source}(?:["']?,?[ \t=]|:)${VALUE}`, 'y');
/** The value may follow the flag at once: `-psecret`. */
const gluedFlag = (source: string): RegExp => build(`${source}(?:["']?,?[ \t=])?${VALUE}`, 'y');

/** Programs that take a password or a login as a short option, and that option. */
const PROGRAMS: ReadonlyArray<readonly [programs: string, flag: RegExp]> = [
  ['mysql mariadb sshpass rar 7z', gluedFlag('-h?p')],
  ['mongo docker podman psexec cqlsh twine az isql', flag('-p')],
  ['sqlcmd bcp osql zip unzip', flag('-P')],
  ['redis-cli', flag('-a')],
  ['ldap', flag('-w')],
  ['openssl', flag('-[kK]')],
  ['snmp', flag('-c')],
  ['smbclient', /-U ?[^\s%"']{1,40}%()([^\s"']{2,120})/y],
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
    if (/[\s;|&"'`()\\/]/.test(before) && matchAt(PROGRAM, page.text, start)) {
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
  const [whole = '', quote = '', value = ''] = found ?? [];
  if (
    value === '' ||
    /^-|^\d{2,5}(?::\d{2,5})?$|^[\w-]+:$/.test(value) ||
    isPlain(value) ||
    value === 'user:password'
  ) {
    return;
  }
  const from = at + whole.length - value.length - quote.length;
  const isLogin = /^-(?:u|-)/.test(whole) || /^-a.*:/.test(whole);
  const colon = value.indexOf(':');
  if (isLogin && colon > 0 && colon < value.length - 1) {
    mark(page, from, from + value.length, 'command-line', 'credentials', STRUCTURE);
  } else if (!isLogin) {
    mark(page, from, from + value.length, 'command-line', 'password', STRUCTURE);
  }
};

/** Commands in which a password stands at a place of its own. */
const PLACES: readonly Pattern[] = [
  ['net use', /net use (?:\w: )?\\\\\S{1,100} ([^\s/]\S{1,60})(?= \/user)/iy],
  ['net user', /net user \S{1,60} ([^\s/]\S{1,60})/iy],
  ['cargo login', /cargo login (\S{16,80})/iy],
  ['htpasswd -', /htpasswd -\w{0,4}b\w{0,4} \S{1,80} \S{1,60} (\S{2,80})/iy],
  ['add_user', /add_user \S{1,60} (\S{2,80})/iy],
  ['change_password', /change_password \S{1,60} (\S{2,80})/iy],
  ['mc alias set', /mc alias set \S{1,40} \S{1,120} (\S{8,60} \S{8,80})/iy],
  [
    'echo ',
    /echo ["']?(?:[\w.-]{1,40}:)?([^\s"'|:]{2,80})(?=["']? {0,2}\| {0,2}(?:sudo )?(?:chpasswd|sudo -S))/iy,
  ],
  [' login ', /(?<=\b\w{1,8}) LOGIN "?[^\s"]{1,64}"? "?([^\s"]{2,80})(?=["\s]|$)/y],
  ['pass ', /(?<=^|[\n>:] ?)PASS (\S{2,80})(?=\s|\\r|$)/y],
  ['auth login', /AUTH LOGIN ([\w+/]{8,200}={0,2})/y],
  ['auth plain', /AUTH PLAIN ([\w+/]{8,200}={0,2})/y],
  ['identified by', /IDENTIFIED BY (?:PASSWORD )?(?!["'`])([^\s;,)]{3,80})/y],
  ['identified by', /IDENTIFIED BY (?:PASSWORD )?["']([^"'\n]{1,120})/y],
  ['identified by', /(?<=(?:user|grant) [^\n]{1,120})identified by (?:password )?["']([^"'\n]{1,120})/iy],
];

/** Triggers for command lines. */
export function commandTriggers(): Trigger[] {
  const flags = ['-p', '-a', '-w', '-u', '-k', '-c', '-hp', '--user', '--proxy-user', '--auth', '/rp', '/p:'];
  return [
    ...PROGRAMS.flatMap(([programs], index) =>
      programs.split(' ').map((word) => [word, programDetector(index)] as const),
    ),
    ...flags.flatMap((word) => [' ', '"', "'"].map((before) => [before + word, detectFlag] as const)),
    ...patternTriggers({ rule: 'command-line', class: 'password' }, PLACES),
  ];
}

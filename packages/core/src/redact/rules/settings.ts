import { isPlain } from '../looks.ts';
import type { Trigger } from '../scan.ts';
import { build, type Pattern, patternTriggers } from './patterns.ts';

/** How routers and switches note what kind of a secret follows. */
const KIND = '(?:[0-9] )?';
const line = (source: string): RegExp => build(`${source} ?${KIND}([^\\s"']{4,128})`, 'iy');

/** Secrets in the settings of network devices. */
const SETTINGS: readonly Pattern[] = [
  ['enable password', line('enable password(?: level \\d{1,2})?')],
  ['enable secret', line('enable secret(?: level \\d{1,2})?')],
  [' auth sha', line(' auth sha[\\d-]{0,4}')],
  [' auth md0', line(' auth md5')],
  [' priv aes', line(' priv aes(?: \\d{2,3})?')],
  [' priv des', line(' priv des')],
  ['radius-server', line('radius-server (?:host \\S{1,60} )?(?:[\\w-]{1,20} \\d{1,5} ){0,3}key')],
  ['tacacs-server', line('tacacs-server (?:host \\S{1,60} )?(?:[\\w-]{1,20} \\d{1,5} ){0,3}key')],
  ['message-digest-key', line('message-digest-key \\d{1,3} md5')],
  ['isakmp key', line('isakmp key')],
  ['wpa-psk ', line('wpa-psk (?:ascii|hex)')],
  ['standby ', line('standby \\d{1,4} authentication(?: md5 key-string| text)?')],
  ['key-string', line('key-string')],
  ['authentication-key', line('authentication-key(?: \\d{1,5} md5)?')],
  ['ascii-text ', line('ascii-text "?')],
  ['psksecret ', line('psksecret(?: ENC)?')],
  ['password enc ', line('password ENC')],
  ['passwd enc ', line('passwd ENC')],
  ['pre-shared-secret ', line('pre-shared-secret')],
  ['server-key ', line('server-key')],
  ['.psk ', line('\\.psk')],
  ['wep_key', line('wep_key\\d?[=:]? ?"?')],
  ['iwconfig ', line('iwconfig \\w{1,15} key')],
  ['wifi:', /WIFI:[^\n]{0,80}?P:([^;\n]{3,63})/y],
];

/** Whole commands of such a device: nobody writes them in a sentence, whatever the secret looks like. */
const AT = String.raw`(?=[^\s]{0,60}[.:\d])\S{1,60}`;
const COMMANDS: readonly Pattern[] = [
  ...['radius-server', 'tacacs-server'].map(
    (word): Pattern => [`${word} host`, line(`${word} host ${AT} (?:[\\w-]{1,20} \\d{1,5} ){0,3}key`)],
  ),
  [
    'snmp-server host',
    line(`snmp-server host ${AT} (?:(?:traps|informs) )?(?:version (?:1|2c|3 (?:no)?auth|3 priv))`),
  ],
  ['snmp-server community', /snmp-server community ([^\s"']{3,64})(?= R[OW](?![a-z]))/iy],
];

/** Lines of files that hold passwords: `.pgpass`, `pwdump`, hashes with their scheme. */
const FILES: readonly Pattern[] = [
  [':0000:', /(?<=[\w*]):\d{4,5}:[\w*-]{1,63}:[\w.*-]{1,63}:([^\s:]{4,100})(?=\s|$)/y],
  [':*:', /:\*:[\w*-]{1,63}:[\w.*-]{1,63}:([^\s:]{4,100})(?=\s|$)/y],
  [':*:', /:\*:[\w.-]{1,63}:([^\s:]{4,100})(?=\s|$)/y],
  [':000:', /:\d{3,6}:([0-9a-f]{32}:[0-9a-f]{32})(?=:::)/iy],
  ['{sha', /\{sha\d{0,3}\}([\w+/=]{16,200})/iy],
  ['{ssha', /\{ssha\d{0,3}\}([\w+/=]{16,200})/iy],
  ['{smd0}', /\{smd5\}([\w+/=]{16,200})/iy],
  ['{md0}', /\{md5\}([\w+/=]{16,200})/iy],
  ['{crypt}', /\{crypt\}([\w+/=$.]{8,200})/iy],
];

const TWO = String.raw`["'][^"'\n]{1,120}["'], ?["']([^"'\n]{2,120})`;
const call = (name: string): RegExp => build(`${name}${TWO}`, 'iy');

/** What follows the name of a directory's entry in a list of arguments. */
const ENTRY = /["']\w{2,3}=[^"'\n]{1,160}["'], ?["']([^"'=\n]{2,120})/iy;

/** Calls and pairs of a user and a password. */
const PAIRS: readonly Pattern[] = [
  ['_bind_s(', call('_bind_s\\(')],
  ['bind(', call('bind\\(')],
  ['auth(', call('auth\\(')],
  ['ldap_bind(', /ldap_bind\([^,"'\n]{1,40}, ?[^,"'\n]{1,60}, ?["']([^"'\n]{2,120})/iy],
  ...['cn', 'uid', 'dc', 'ou'].flatMap((part) =>
    ['"', "'"].map((quote) => [`${quote}${part}=`, ENTRY] as const),
  ),
  ['auth=(', call('auth=\\(')],
  ['auth: [', call('auth: \\[')],
  ['basic_auth', call('basic_auth(?:,|: | => |=)[{([]')],
  ['login(', call('login\\(')],
  ['authenticate(', call('authenticate\\(')],
  ['credential', call('credentials?(?:\\]::new)?\\(')],
  // Redis repeats what came with a misspelt `AUTH`.
  [
    'unknown command',
    /unknown command ['`"][auth]{3,6}['`"],? with args beginning with: (?:['`"][^'`"\n]{0,60}['`"],? )?['`"]([^'`"\n]{2,120})/iy,
  ],
];

/** A pair whose value comes before its name. */
const TURNED: readonly Pattern[] = [
  [
    'value: ',
    /value: ["']?([^\s"']{6,200})(?=["']?\r?\n[ \t]{0,12}(?:name|key): ["']?[\w-]{0,40}(?:password|token|secret|key|pass|pwd)["']?(?:\s|$))/iy,
  ],
  [
    '"value"',
    /"value"\s?:\s?"([^"\n]{4,200})(?=",\s{0,20}"(?:name|key)"\s?:\s?"[\w-]{0,40}(?:password|token|secret|key|pass|pwd)")/iy,
  ],
];

/** Triggers for secrets in settings and files that have forms of their own. */
export function settingTriggers(): Trigger[] {
  const rule = { rule: 'assignment', class: 'password' };
  // In a sentence somebody enables passwords, and words follow.
  const isOdd = (value: string): boolean => !isPlain(value) && /\d|[a-z][A-Z]/.test(value);
  return [
    ...patternTriggers({ ...rule, accepts: isOdd }, SETTINGS),
    ...patternTriggers({ ...rule, accepts: (value) => !isPlain(value) }, COMMANDS),
    ...patternTriggers({ ...rule, accepts: isOdd }, FILES),
    ...patternTriggers({ ...rule, accepts: (value) => !isPlain(value) && !/\s/.test(value) }, PAIRS),
    ...patternTriggers({ ...rule, accepts: isOdd }, TURNED),
  ];
}

/**
 * Users as the tools of a system name them: `jane is not in the sudoers file`, `(jane) CMD (…)`, `Accepted publickey for
 * jane from …`, `chown: invalid user: 'jane'`, `user=[jane] domain=[ACME]`. Those that every system comes with stay.
 */
import { type Detector, mark, matchAt, type Page, STRUCTURE } from '../page.ts';
import type { Trigger } from '../scan.ts';
import { isUser } from './paths.ts';
import { build, type Pattern, patternTriggers } from './patterns.ts';
import { isNobody } from './people.ts';

const U = '([A-Za-z_][\\w.-]{0,40}\\w)';
const row = (keyword: string, before: string, after: string, flags = 'y'): Pattern => [
  keyword,
  build(before + U + after, flags),
];
const OPEN = '\\\\{0,3}["\'‘“`]';

/** The user stands behind these words. */
const BEHIND: readonly Pattern[] = [
  // sudo, su, pam
  row('sudo] ', 'sudo\\] (?:[^\\s:]{1,20} ){1,5}', '(?= ?:)'),
  row('sorry, user ', 'sorry, user ', '(?= (?:is not allowed|may not run))', 'iy'),
  row(
    'unknown user',
    '(?:unknown user: |(?<=\\w: )unknown user )',
    '(?=[.,;:)"\']?(?:\\s{0,4}$|\\n|\\\\n))',
    'iy',
  ),
  row('(to ', '\\(to ', '(?=\\) [\\w.-]{1,32} on )'),
  row('(to ', '\\(to [\\w.-]{1,32}\\) ', '(?= on (?:pts|tty|none|/))'),
  row('logname=', '(?<= )logname=', '(?= uid=)'),
  row('ruser=', '(?<= )ruser=', '(?= rhost)'),
  row('user=', '(?<=rhost=\\S{0,80} {1,2})user=', '(?![\\w.@-])'),
  row('for user ', '(?<=session (?:opened|closed) )for user ', '(?=[(\\s.]|$)'),
  row(' of user ', '(?<=session \\w{1,6}) of user ', '(?=[.\\s]|$)', 'iy'),
  // cron
  row('no crontab for ', 'no crontab for ', '(?![\\w-])', 'iy'),
  row('you (', 'you \\(', '(?=\\) (?:are|is) not allowed)', 'iy'),
  row('(crontabs/', '\\(crontabs/', '(?=\\))'),
  row(' edit (', ' EDIT \\(', '(?=\\))'),
  // ssh
  row('accepted ', 'Accepted [\\w/-]{3,30} for ', '(?= from )'),
  row('invalid user ', 'invalid user ', '(?= from )', 'iy'),
  row('authenticating user ', 'authenticating user ', '(?= \\S{3,60} port )'),
  row('disconnected from user ', 'Disconnected from user ', '(?= )'),
  row('user ', 'User ', '(?= from \\S{3,60} not allowed)'),
  row('attempts exceeded for ', 'attempts exceeded for (?:invalid user )?', '(?= from )'),
  row(":00 as '", ":\\d\\d as '", "(?=')"),
  // tools for accounts
  row('invalid user', `invalid user:? ${OPEN}`, '(?=[:\'’"”`])', 'iy'),
  ...['useradd', 'usermod', 'userdel', 'passwd', 'adduser', 'deluser', 'chage', 'runuser'].map((tool) =>
    row(`${tool}: user `, `${tool}: user (?:${OPEN})?`, '(?![\\w-])', 'iy'),
  ),
  row('unable to find user ', 'unable to find user ', '(?=:)', 'iy'),
  row('getpwnam(', 'getpwnam\\(\\\\{0,3}"', '(?=\\\\{0,3}")'),
  // Windows and its directory
  row('account name:', 'Account Name:[ \\t]{1,8}', '(?=\\s{0,4}$|[ \\t]{0,4}\\r?\\n|\\\\[rn])'),
  ...['target', 'subject'].map((whose) =>
    row(`${whose}username`, `${whose}UserName["']?(?:[:=][ \\t]?["']?|>)`, '(?![\\w@-])', 'iy'),
  ),
  row('samaccountname', 'sAMAccountName(?:=|: )', '(?![\\w@=-])', 'iy'),
  // Samba, mail, files
  row('user=[', 'user=\\[', '(?=\\])'),
  row('user [', 'user \\[(?:[\\w.-]{1,30}\\]\\\\{1,2}\\[)?', '(?=\\])'),
  row('-> [', '-> \\[', '(?=\\] FAILED)'),
  row('user=<', 'user=<', '(?=[@>])'),
  ...['passwd-file', 'pam', 'ldap', 'sql', 'passwd'].map((way) =>
    row(`${way}(`, `${way}\\(`, '(?=,[\\da-f.:]{3,45}[,)])'),
  ),
  row('sasl_username=', 'sasl_username=', '(?=[,\\s]|$)'),
  row('user ', 'USER ', '(?= \\(Login failed\\))'),
  row('no login ', 'NO LOGIN ', '(?= failed)'),
  row('login incorrect', 'Login incorrect(?: \\([^()\\n]{0,80}\\))?: \\[', '(?=[\\]/])', 'iy'),
  row('login failed: ', 'Login failed: ', '(?= \\((?:Remote IP|IP|from))', 'iy'),
  row('the username ', 'the username ', '(?= is (?:not registered|unknown|incorrect|locked|invalid))', 'iy'),
  row('could not find user ', `could not find user ${OPEN}`, '(?=\\\\{0,3}["\'])', 'iy'),
  row(', user "', ', user "', '(?=", database ")'),
  row("refused: user '", "refused: user '", "(?=')"),
  row('locked out: ', 'locked out: ', '(?![\\w-])', 'iy'),
  row('logonuser failed for ', 'LogonUser failed for ', '(?= with)', 'iy'),
];

/** What stands in the place of a name in words about none. */
const NO_NAME =
  /^(?:it|he|she|they|this|that|the|your|you|nobody|everybody|who|which|not|is|entry|no|add|edit|command|error|warn(?:ing)?|info|debug|notice|failed|failure|login|password|please|missing|required|option|type|agent|role|group|action|field|property|status|must)$/i;
const isSomebody = (name: string): boolean => isUser(name) && !isNobody(name) && !NO_NAME.test(name);

function markBefore(page: Page, end: number, name: string): void {
  if (isSomebody(name) && end - name.length >= page.covered) {
    mark(page, end - name.length, end, 'auth-user', 'user', STRUCTURE);
  }
}

/** A sentence of no more words than this says who is not in a file. */
const LONGEST = 90;
const NAME = /^[a-z_][\w.-]{1,40}$/;

/** `jane is not in the sudoers file`, in the languages that `sudo` speaks: the first word of the sentence. */
const detectSudoer: Detector = (page, start) => {
  const before = page.text.slice(Math.max(0, start - LONGEST), start);
  const from = Math.max(...['\n', ': ', '"', '. '].map((sign) => before.lastIndexOf(sign) + sign.length), 0);
  const sentence = before.slice(before.search(/\n|: |"|\. /) < 0 ? 0 : from);
  const [name = '', ...words] = sentence.split(' ');
  if (words.length > 2 && NAME.test(name)) {
    markBefore(page, start - sentence.length + name.length, name);
  }
};

const OF_LISTS = /(?:LIST|REPLACE|DELETE) \($/;

/** A name in brackets or quotes, or by itself, right before the words: `(jane) CMD (`, `id: ‘jane’: no such user`. */
const detectBefore: Detector = (page, start, end) => {
  const { text } = page;
  if (/[A-Z]/.test(text.slice(start, end)) || text[start] === ':') {
    const before = text.slice(Math.max(0, start - 48), start);
    const at = /['’"”]$/.test(before) ? start - 1 : start;
    const name =
      text
        .slice(Math.max(0, start - 48), at)
        .split(/[\s([‘“'"]/)
        .at(-1) ?? '';
    const opened = text[at - name.length - 1] ?? '';
    const isSet =
      text[start] === ':'
        ? /[\s‘“'"]/.test(opened) && /^(?:[.!]|\s*$|\n|\\n)/.test(text.slice(end, end + 4))
        : /[([]/.test(opened);
    // Of a list, the same name stands behind it again.
    const isAgain = !OF_LISTS.test(text.slice(start, end)) || text.startsWith(`${name})`, end);
    if (isSet && isAgain && NAME.test(name)) {
      markBefore(page, at, name);
    }
  }
};

const LOGIN = /^([a-z_][\w.-]{1,40})@([A-Za-z][\w-]{1,62})$/;

/** `jane@web-3: Permission denied (publickey)`: a machine by its short name. */
const detectDenied: Detector = (page, start) => {
  const word =
    page.text
      .slice(Math.max(0, start - 110), start)
      .split(/\s/)
      .at(-1) ?? '';
  const [, name = '', host = ''] = LOGIN.exec(word) ?? [];
  if (name !== '' && start - word.length >= page.covered) {
    markBefore(page, start - host.length - 1, name);
    mark(page, start - host.length, start, 'private-host', 'host', STRUCTURE);
  }
};

/** Tools that are told whom to log in as, and where. */
const TOOL = /(?:^|[^\w./-])(?:mosh|rsync|scp|sftp|ssh|sshfs|ssh-copy-id) /;
/** A private address, another one, or a machine by its short name. */
const AT =
  /@(?:((?:10\.\d{1,3}|192\.168|172\.(?:1[6-9]|2\d|3[01]))(?:\.\d{1,3}){2})|(\d{1,3}(?:\.\d{1,3}){3})|(?!localhost\b)([A-Za-z][\w-]{0,62})|localhost)(?![\w@-]|\.\w)/y;

/** `ssh jane@10.9.8.7`, `sftp jane@web-3`: whoever logs in at a private address, and at another one as a tool is told. */
const detectLogin: Detector = (page, start) => {
  const found = matchAt(AT, page.text, start);
  if (found === null) return;
  const before = page.text.slice(Math.max(0, start - 150), start);
  const name = before.split(/[\s"'`(=,<[{]/).at(-1) ?? '';
  const [, near, far, host] = found;
  if (!NAME.test(name) || !isSomebody(name) || start - name.length < page.covered) return;
  const command = before.slice(0, before.length - name.length).split(/[\n;|&]/);
  if (near === undefined && !TOOL.test(command.at(-1) ?? '')) return;
  markBefore(page, start, name);
  if (far !== undefined) mark(page, start + 1, start + 1 + far.length, 'ip', 'ip', STRUCTURE);
  if (host !== undefined) mark(page, start + 1, start + 1 + host.length, 'private-host', 'host', STRUCTURE);
};

const HOSTS: readonly Pattern[] = [
  ['sudo on ', /sudo on ([A-Za-z][\w.-]{0,62}\w)/y],
  [' as ', /(?<=not allowed to execute [^\n]{1,200}) as [\w.-]{1,32} on ([A-Za-z][\w.-]{0,62}\w)/y],
  ['authenticating to ', /Authenticating to ([A-Za-z][\w.-]{0,62}\w)(?=:\d)/y],
];

/** Triggers for the users that tools of a system name. */
export function shellUserTriggers(): Trigger[] {
  const rule = { rule: 'auth-user', class: 'user' };
  return [
    ...patternTriggers({ ...rule, accepts: isSomebody }, BEHIND),
    ...patternTriggers({ rule: 'private-host', class: 'host' }, HOSTS),
    ['sudoers', detectSudoer],
    ['@', detectLogin],
    ...[
      ') cmd (',
      ') cmdend (',
      ') reload (crontabs/',
      ') reload (tabs/',
      ') mail (mailed',
      ') list (',
      ') begin edit',
      ') end edit',
      ') replace (',
      ') delete (',
      '] fail login',
      ': no such user',
    ].map((words): Trigger => [words, detectBefore]),
    [': permission denied (', detectDenied],
  ];
}

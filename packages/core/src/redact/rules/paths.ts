import { stripEnd } from '../looks.ts';
import { type Detector, mark, matchAt, type Page, STRUCTURE } from '../page.ts';
import { charSet, runStart } from '../runs.ts';
import type { Trigger } from '../scan.ts';
import { type Pattern, patternTriggers } from './patterns.ts';

/** After the directory of a domain (`/home/CORP/jane`) the name is one part further. */
const UNIX_NAME = /(?:[A-Z][A-Z0-9-]{1,14}\/(?=[^\s/]{2,}\/))?([^\s/\\"'`:<>|,;(){}[\]$*?#&=]{1,64})/y;
const WINDOWS_NAME = /([^\\/:*?"<>|\r\n'`]{1,40})(?=[\\/])|([^\s\\/:*?"<>|'`,;)\]}]{1,40})/y;
const LONGEST_MOUNT = 60;
const NOBODY =
  /^(?:\.{1,3}|user|users|username|you|yourname|your-user|name|public|shared|default|all users|default user|linuxbrew|me|~|%\w+%|\d+)$/i;

/** The user in the path of a home directory. The rest of the path stays: it says what is missing or broken. */
const detectHome: Detector = (page, start, end) => {
  const { text } = page;
  const keyword = text.slice(start, end);
  const windows = keyword.startsWith('\\') || /[A-Za-z]:$/.test(text.slice(Math.max(0, start - 2), start));
  if (!windows && /users/.test(keyword)) {
    // `/users/42` is an address of an API; `/Users/` is a Mac's home.
    return;
  }
  if (!windows && start > 0 && /[\w.-]/.test(text[start - 1] as string) && !isMount(page, start)) {
    // A directory called `home` further down a path, or the page of a web site.
    return;
  }
  let at = end;
  while (text[at] === '\\' || text[at] === '/') {
    at++;
  }
  const found = matchAt(windows ? WINDOWS_NAME : UNIX_NAME, text, at);
  const name = found?.[1] ?? found?.[2] ?? '';
  const from = at + (found?.[0].length ?? 0) - name.length;
  const user = stripEnd(name, '.!?');
  if (user !== '' && !NOBODY.test(user)) {
    mark(page, from, from + user.length, 'user-path', 'user', STRUCTURE);
  }
};

const PATH = charSet(/[^\s"'`=:(]/, () => true);

function isMount(page: Page, at: number): boolean {
  const from = runStart(page, PATH, at);
  const before = at - from > LONGEST_MOUNT ? '' : page.text.slice(from, at);
  return /^(?:\/|\/\/)?\/?(?:var|export|mnt|data|usr|nfs|net|volumes|system|cygdrive|run|host|hostfs|rootfs|srv|media|private|root|file|HD|[a-z])(?:\/[\w.-]+){0,2}$/i.test(
    before,
  );
}

/** Other places that hold a user's name. */
const PLACES: readonly Pattern[] = [
  [':user/', /(?<=arn:aws[^\s]{0,60}):user\/([\w+=,.@-]{1,64})/y],
  ['/media/', /(?<![\w.-])(?:\/run)?\/media\/([a-z_][\w.-]{1,31})(?=\/)/y],
  ['/run/media/', /\/run\/media\/([a-z_][\w.-]{1,31})/y],
  ['/crontabs/', /\/crontabs\/([a-z_][\w.-]{1,31})/y],
  ['/mail/', /(?<=\/var(?:\/spool)?)\/mail\/([a-z_][\w.-]{1,31})/y],
  ['~', /(?<![\w~/.\\-])~([a-z_][\w.-]{1,31})(?=\/)/y],
];

/** Triggers for home directories. */
export function pathTriggers(): Trigger[] {
  const homes = [
    '/home/',
    '/users/',
    '\\users\\',
    '\\home\\',
    '\\documents and settings\\',
    '/documents and settings/',
  ];
  return [
    ...homes.map((word) => [word, detectHome] as const),
    ...patternTriggers({ rule: 'user-path', class: 'user', accepts: (name) => !NOBODY.test(name) }, PLACES),
  ];
}

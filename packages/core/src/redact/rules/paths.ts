import { stripEnd } from '../looks.ts';
import { type Detector, mark, matchAt, type Page, STRUCTURE } from '../page.ts';
import { charSet, runStart } from '../runs.ts';
import type { Trigger } from '../scan.ts';

const UNIX_NAME = /[^\s/\\"'`:<>|,;(){}[\]$*?#&=]{1,64}/y;
const WINDOWS_NAME = /[^\\/:*?"<>|\r\n'`]{1,40}(?=[\\/])|[^\s\\/:*?"<>|'`,;)\]}]{1,40}/y;
const LONGEST_MOUNT = 60;
const NOBODY =
  /^(?:\.{1,3}|user|users|username|you|yourname|your-user|name|public|shared|default|all users|default user|linuxbrew|me|~|%\w+%)$/i;

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
  const name = stripEnd(matchAt(windows ? WINDOWS_NAME : UNIX_NAME, text, at)?.[0] ?? '', '.!?');
  if (name !== '' && !NOBODY.test(name)) {
    mark(page, at, at + name.length, 'user-path', 'user', STRUCTURE);
  }
};

const PATH = charSet(/[^\s"'`=:(]/, () => true);

function isMount(page: Page, at: number): boolean {
  const from = runStart(page, PATH, at);
  if (at - from > LONGEST_MOUNT) {
    return false;
  }
  const before = page.text.slice(from, at);
  return /^(?:\/|\/\/)?\/?(?:var|export|mnt|data|usr|nfs|net|volumes|host|hostfs|rootfs|srv|media|private|[a-z])(?:\/[\w-]+)?$/i.test(
    before,
  );
}

const ARN_USER = /:user\/([\w+=,.@-]{1,64})/y;

/** The user in a name of Amazon's: `arn:aws:iam::…:user/jane`. */
const detectArn: Detector = (page, start) => {
  const name = matchAt(ARN_USER, page.text, start)?.[1];
  if (name && page.text.slice(Math.max(0, start - 40), start).includes('arn:aws')) {
    mark(page, start + 6, start + 6 + name.length, 'user-path', 'user', STRUCTURE);
  }
};

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
  return [...homes.map((word) => [word, detectHome] as const), [':user/', detectArn]];
}

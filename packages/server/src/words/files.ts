/**
 * Files and programs that the caller never named. A path among the arguments is the caller's to correct; any other
 * is a place on the operator's machine, and nothing that the caller can do anything about.
 */
import type { Kind } from '@mayday/core';
import type { Described } from './describe.ts';
import { isRecord, look } from './look.ts';

/** As Node says it: "ENOENT: no such file or directory, open '/etc/x.pem'". */
const NODE =
  /\b(E[A-Z]{3,14}): [^,\n]{1,80}, (?:\w{2,20}) '([^'\n]{1,1000})'|\b(spawn)(?:Sync)? (\S{1,300}) E[A-Z]+\b/;
/** As the C library and Python say it. */
const LIBC =
  /\bcannot (?:access|open|stat|create [a-z ]{1,30}|remove) ['‘"]([^'’"\n]{1,1000})['’"]: |\[Errno \d+\] [A-Z][a-z ]{3,40}: ['"]([^'"\n]{1,1000})['"]/;

/** Codes about a file or a program, and what they are when only the operator knows it. */
const OPERATORS: { readonly [code: string]: Kind } = {
  ENOENT: 'misconfigured',
  EACCES: 'misconfigured',
  EPERM: 'misconfigured',
  EROFS: 'misconfigured',
  ENOTDIR: 'internal',
  EISDIR: 'internal',
  EEXIST: 'internal',
  ENOTEMPTY: 'internal',
  EBUSY: 'internal',
  ELOOP: 'internal',
  EXDEV: 'internal',
  ENAMETOOLONG: 'internal',
};

/** Places and names of the operator's, for texts that only quote such an error. */
const OWN_PLACE =
  /^\/(?:etc|opt|usr|root|proc|run|var|sys|app|boot)\/|(?:^|[/\\.])(?:env|config\w*|settings|secrets?|credentials?|service-account[\w-]*)(?:$|[./\\])|\.(?:pem|key|crt|cert|p12|pfx|env|conf|cfg|ini|toml|sock|db|sqlite3?)$/i;

interface Named {
  readonly path: string;
  readonly code: string;
  /** The exception has a code of its own: it comes from the file system, not from somebody's sentence. */
  readonly certain: boolean;
}

/**
 * What a failure about a file or a program is when the caller did not name it; `undefined` when it did, or when
 * the failure is about something else. `sent` is all that the caller sent.
 */
export function foreignFile(reason: unknown, about: Described, sent: unknown): Kind | undefined {
  const named = namedIn(reason, about);
  // Node does not say which folder was read like a file.
  if (named === undefined && about.code === 'EISDIR' && !textsIn(sent).some(mayName))
    return OPERATORS['EISDIR'];
  if (named === undefined || !Object.hasOwn(OPERATORS, named.code)) return undefined;
  if (!named.certain && !OWN_PLACE.test(named.path)) return undefined;
  const other = look(reason, 'dest');
  const isOwn = isSent(named, sent) || (typeof other === 'string' && isSent({ ...named, path: other }, sent));
  return isOwn ? undefined : OPERATORS[named.code];
}

/** A text that could be the name of a file. */
function mayName(text: string): boolean {
  return text !== '' && !/^[\d.]+$|\n/.test(text);
}

function namedIn(reason: unknown, { message, code }: Described): Named | undefined {
  const certain = code !== undefined;
  const path = look(reason, 'path');
  if (typeof code === 'string' && typeof path === 'string' && path !== '') return { path, code, certain };
  const node = NODE.exec(message);
  if (node !== null) {
    const [, errno = 'ENOENT', file, , program = ''] = node;
    return { path: file ?? program, code: errno, certain: certain || file === undefined };
  }
  const libc = LIBC.exec(message);
  if (libc === null) return undefined;
  return { path: libc[1] ?? libc[2] ?? '', code: 'ENOENT', certain };
}

/** Folders next to the file; those above them are places of the machine. */
const NEAREST = 4;
const MOST = 500;
const DEEPEST = 5;

/** Does something that the caller sent name the file, or for a missing one a folder on the way to it? */
export function isSent({ path, code }: Pick<Named, 'path' | 'code'>, sent: unknown): boolean {
  const steps = stepsOf(path);
  const last = steps[steps.length - 1] ?? '';
  const missing = code === 'ENOENT' || code === 'ENOTDIR';
  return textsIn(sent).some((text) => {
    if (text === path || text.includes(path)) return true;
    const own = stepsOf(text);
    const name = own[own.length - 1];
    if (name === undefined) return false;
    if (name === last || (stemOf(name) === stemOf(last) && stemOf(name) !== '')) return true;
    if (own.length > 1) return `/${steps.join('/')}/`.includes(`/${own.join('/')}/`);
    return missing && steps.slice(1).slice(-NEAREST).includes(name);
  });
}

/** The names on the way to a file, and its own. */
export function stepsOf(path: string): string[] {
  return path.split(/[/\\]+/).filter((step) => step !== '' && step !== '.');
}

/** A file's name without its extension. */
export function stemOf(name: string): string {
  return name.replace(/\.\w{1,8}$/, '');
}

/** All texts and numbers in what was sent, bounded; without those under a name that is left out. */
export function textsIn(sent: unknown, isLeftOut?: (name: string) => boolean): readonly string[] {
  const found: string[] = [];
  const gather = (value: unknown, depth: number): void => {
    if (found.length >= MOST) return;
    if (typeof value === 'string') found.push(value);
    else if (typeof value === 'number') found.push(String(value));
    else if (depth > 0 && isRecord(value))
      for (const [name, item] of Object.entries(value).slice(0, MOST))
        if (isLeftOut?.(name) !== true) gather(item, depth - 1);
  };
  gather(sent, DEEPEST);
  return found;
}

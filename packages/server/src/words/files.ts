/**
 * Files and programs that the caller never named. A path among the arguments is the caller's to correct; any other
 * is a place on the operator's machine, and nothing that the caller can do anything about.
 */
import type { Kind } from '@mayday/core';
import type { Described } from './describe.ts';
import { look } from './look.ts';
import { textsIn } from './sent.ts';

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

/** Does something that the caller sent name the file, or for a missing one a folder on the way to it? */
function isSent(named: Pick<Named, 'path' | 'code'>, sent: unknown): boolean {
  return namedBy(textsIn(sent))(named);
}

/** Tells of files whether one of these texts names them; the texts are taken apart once. */
export function namedBy(texts: readonly string[]): (named: Pick<Named, 'path' | 'code'>) => boolean {
  const own = texts.map(stepsOf).filter((steps) => steps.length > 0);
  return ({ path, code }) => {
    if (texts.some((text) => text.includes(path))) return true;
    const steps = stepsOf(path);
    const last = steps[steps.length - 1] ?? '';
    const near = code === 'ENOENT' || code === 'ENOTDIR' ? steps.slice(1).slice(-NEAREST) : [];
    const whole = `/${steps.join('/')}/`;
    return own.some((sent) => {
      const name = sent[sent.length - 1] as string;
      if (name === last || (stemOf(name) === stemOf(last) && stemOf(name) !== '')) return true;
      return sent.length > 1 ? whole.includes(`/${sent.join('/')}/`) : near.includes(name);
    });
  };
}

/** The names on the way to a file, and its own. */
export function stepsOf(path: string): string[] {
  return path.split(/[/\\]+/).filter((step) => step !== '' && step !== '.');
}

/** A file's name without its extension. */
export function stemOf(name: string): string {
  return name.replace(/\.\w{1,8}$/, '');
}

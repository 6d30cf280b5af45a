/** Files of other programs: read whole or not at all, written all or none, never without a copy of what was there. */
import { constants } from 'node:fs';
import {
  access,
  chown,
  copyFile,
  open,
  readdir,
  readlink,
  realpath,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { UsageError } from '../usage-error.ts';

/** Far above any file of a client. */
const MAX_BYTES = 16 * 1024 * 1024;

/** The text of a file; `undefined` when there is none. Wrong usage when it cannot be read as text. */
export async function readFileText(path: string): Promise<string | undefined> {
  const bytes = await readBytes(path);
  if (bytes === undefined) return undefined;
  if (bytes.length > MAX_BYTES)
    throw new UsageError(`${path} is larger than ${MAX_BYTES} bytes; nothing was changed`);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new UsageError(`${path} is not UTF-8; save it as UTF-8 and try again`);
  }
}

async function readBytes(path: string): Promise<Uint8Array | undefined> {
  try {
    if (!(await stat(path)).isFile()) throw new UsageError(`${path} is no file; check the path`);
    const handle = await open(path, 'r');
    try {
      const { size } = await handle.stat();
      if (size > MAX_BYTES) return new Uint8Array(MAX_BYTES + 1);
      return await handle.readFile();
    } finally {
      await handle.close();
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    if (code === undefined) throw error;
    throw new UsageError(`${path} cannot be read (${code}); check the path`);
  }
}

/** Refuses a file that is not meant to be written: putting another one in its place would work all the same. */
export async function refuseReadOnly(path: string): Promise<void> {
  try {
    await access(path, constants.W_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT')
      throw new UsageError(`${path} cannot be written (${wordsOf(code)}); nothing was changed`);
  }
}

/** A file that is to be written. */
export interface NewText {
  readonly path: string;
  /** What was read before; `undefined` when there was no file. */
  readonly before: string | undefined;
  readonly text: string;
  /** Does it hold secrets that it did not hold before? Then nobody but its owner may read it. */
  readonly hasNewSecrets: boolean;
}

/** A file that was written. */
export interface Written {
  readonly path: string;
  /** Where what was there before is. */
  readonly copy: string | undefined;
  /** Could others read it before, who cannot any more? */
  readonly isClosed: boolean;
}

/** Only the user may read a file that may hold secrets. */
const PRIVATE = 0o600;
const OTHERS = 0o077;

/** What copies are called: those of an import, and those of what an undone import had left. */
export type CopyOf = 'bak' | 'undone';

/** Writes all of them, each beside a copy of what was there, or none. Links are followed; owner and mode are kept. */
export async function replaceFiles(
  files: readonly NewText[],
  stamp: string,
  copyOf: CopyOf = 'bak',
): Promise<readonly Written[]> {
  const drafts: Draft[] = [];
  try {
    // Whatever can fail fails before anything is changed.
    for (const file of files) drafts.push(await named(file.path, () => draftOf(file, stamp, copyOf)));
    const written: Written[] = [];
    for (const { copy, isClosed, path, target, draft } of drafts) {
      await named(path, () => rename(draft, target), written.length);
      written.push({ path, copy, isClosed });
    }
    return written;
  } catch (error) {
    await Promise.all(drafts.map(discard));
    throw error;
  }
}

/** A file that is ready to take its place. */
interface Draft extends Written {
  readonly target: string;
  readonly draft: string;
}

async function draftOf(
  { path, before, text, hasNewSecrets }: NewText,
  stamp: string,
  copyOf: CopyOf,
): Promise<Draft> {
  if ((await readFileText(path)) !== before)
    throw new UsageError(`${path} has changed in the meantime; nothing was changed, so try again`);
  if (before === undefined) {
    const target = await linkedTo(path);
    const draft = await writeDraft(target, text, { mode: PRIVATE }, stamp);
    return { path, target, draft, copy: undefined, isClosed: false };
  }
  const target = await realpath(path);
  const { uid, gid, mode } = await stat(target);
  const isClosed = hasNewSecrets && (mode & OTHERS) !== 0;
  const kept = isClosed ? mode & ~OTHERS : mode;
  const draft = await writeDraft(target, text, { uid, gid, mode: kept & 0o7777 }, stamp);
  try {
    const copy = await keepCopy(path, { uid, gid }, `${copyOf}-${stamp}`);
    return { path, target, draft, copy, isClosed };
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Where links lead, also to what is not there yet; a circle is its own end. */
async function linkedTo(path: string, hops = 40): Promise<string> {
  const link = await readlink(path).catch(() => undefined);
  return link === undefined || hops === 0 ? path : linkedTo(resolve(dirname(path), link), hops - 1);
}

/** What has taken its place already keeps its copy. */
async function discard({ draft, copy }: Draft): Promise<void> {
  const isDraft = await access(draft).then(
    () => true,
    () => false,
  );
  if (!isDraft) return;
  await rm(draft, { force: true });
  if (copy !== undefined) await rm(copy, { force: true });
}

/** Does something to a file; what the system says against it is told in one line. */
async function named<T>(path: string, run: () => Promise<T>, changed = 0): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    const rest = changed === 0 ? 'nothing was changed' : 'nothing was changed in it';
    throw new UsageError(`${path} cannot be written (${wordsOf(code)}); ${rest}`);
  }
}

function wordsOf(code = 'unknown'): string {
  return WORDS[code] ?? code;
}

const WORDS: { readonly [code: string]: string } = {
  ENOSPC: 'ENOSPC: there is no space left',
  EDQUOT: 'EDQUOT: there is no space left for you',
  EROFS: 'EROFS: its disk can only be read',
  EACCES: 'EACCES: you may not write there',
};

/** The newest copy that an import made of a file; `undefined` where there is none. */
export async function newestCopy(path: string): Promise<string | undefined> {
  const beginning = `${basename(path)}.bak-`;
  const names = await readdir(dirname(path)).catch(() => []); // then there is nothing to be read either
  const copies = names.flatMap((name) => {
    const [, stamp, n = '1'] = name.startsWith(beginning)
      ? (/^(\d{8}T\d{6}Z)(?:-(\d{1,6}))?$/.exec(name.slice(beginning.length)) ?? [])
      : [];
    return stamp === undefined ? [] : [{ name, stamp, n: Number(n) }];
  });
  const [newest] = copies.sort((a, b) => (a.stamp === b.stamp ? b.n - a.n : a.stamp < b.stamp ? 1 : -1));
  return newest && join(dirname(path), newest.name);
}

/** A copy that overwrites nothing. */
async function keepCopy(path: string, owner: Owner, called: string): Promise<string> {
  for (let n = 1; ; n++) {
    const copy = `${path}.${called}${n === 1 ? '' : `-${n}`}`;
    try {
      await copyFile(path, copy, constants.COPYFILE_EXCL);
      await chown(copy, owner.uid, owner.gid).catch(() => undefined); // then it is the user's own
      return copy;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
      await rm(copy, { force: true }); // half of one is none
      throw error;
    }
  }
}

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

async function writeDraft(
  target: string,
  text: string,
  { uid, gid, mode }: Partial<Owner> & { readonly mode: number },
  stamp: string,
): Promise<string> {
  const draft = `${target}.new-${stamp}-${process.pid}`;
  const handle = await open(draft, 'wx', PRIVATE);
  try {
    const isTheirs =
      uid === undefined ||
      gid === undefined ||
      (await handle.chown(uid, gid).then(
        () => true,
        () => false,
      ));
    // What one group could read is nothing for another one.
    await handle.chmod(isTheirs ? mode : mode & ~0o070);
    await handle.writeFile(text);
    await handle.sync();
    await handle.close();
    return draft;
  } catch (error) {
    await handle.close().catch(() => undefined); // it may be closed already
    await rm(draft, { force: true });
    throw error;
  }
}

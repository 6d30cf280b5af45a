/** What SQLite and the file system say, in the words of a store. */
import { StoreError, type StoreProblem } from '../store-error.ts';

type Told = readonly [problem: StoreProblem, sentence: string];

/** By SQLite's primary result codes. */
const BY_CODE: { readonly [code: number]: Told } = {
  5: ['slow', 'is held by another process for too long; look for one that hangs'],
  6: ['slow', 'is held by another process for too long; look for one that hangs'],
  8: ['read_only', 'cannot be written; check its permissions and its disk'],
  10: ['down', 'cannot be read or written; check its disk'],
  11: ['unusable', 'is damaged; restore it from a backup, or choose another file'],
  13: ['full', 'has no room left on its disk; make room'],
  14: ['down', 'cannot be opened; check its folder and permissions'],
  26: ['unusable', 'is no SQLite database; choose another file'],
};

const BY_ERRNO: { readonly [code: string]: Told } = {
  EACCES: ['read_only', 'cannot be written; check its permissions'],
  EPERM: ['read_only', 'cannot be written; check its permissions'],
  EROFS: ['read_only', 'is on a disk that cannot be written; choose another folder'],
  ENOENT: ['down', 'cannot be made there; choose another folder'],
  EISDIR: ['unusable', 'is a folder; name a file'],
  ENOTDIR: ['unusable', 'is not in a folder; choose another file'],
  ENOSPC: ['full', 'has no room left on its disk; make room'],
};

/** A table is missing, is there twice, or refuses what it was made for. */
const CHANGED: Told = [
  'unusable',
  'is not as a store made it; restore it from a backup, or choose another file',
];

/** A store's error for whatever was thrown. What is ours, or is a mistake of ours, stays as it is. */
export function problemOf(thrown: unknown, file = 'The store’s file'): unknown {
  if (thrown instanceof StoreError) return thrown;
  const { errcode, code } = Object(thrown) as { readonly errcode?: unknown; readonly code?: unknown };
  const told = typeof errcode === 'number' ? (BY_CODE[errcode & 0xff] ?? CHANGED) : BY_ERRNO[String(code)];
  return told === undefined ? thrown : new StoreError(told[0], `${file} ${told[1]}`);
}

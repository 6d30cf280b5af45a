/** Where a SQLite file is safe. */
import { statfsSync } from 'node:fs';
import { StoreError } from '../store-error.ts';

/** What this machine runs. */
export interface Platform {
  readonly node: string;
  /** `undefined` where Node brings none. */
  readonly sqlite: string | undefined;
}

const LEAST_NODE = [24, 16, 0];
const LEAST_SQLITE = [3, 51, 3];
const INSTEAD = 'or give a Redis or Valkey by its URL, or `memory:` to a gateway without workers';

/** Refuses versions that lose text or rows. */
export function expectSafe({ node, sqlite }: Platform): void {
  if (sqlite === undefined || isBelow(node, LEAST_NODE)) {
    const why = 'older ones have no SQLite, or cut text at NUL';
    const message = `A store in a file needs Node 24.16 or newer, this is ${node}: ${why}. Update Node, ${INSTEAD}`;
    throw new StoreError('unsupported', message);
  }
  if (isBelow(sqlite, LEAST_SQLITE)) {
    const why = 'before, a write-ahead log can damage its file';
    const message = `A store in a file needs SQLite 3.51.3 or newer, this is ${sqlite}: ${why}. Update Node, ${INSTEAD}`;
    throw new StoreError('unsupported', message);
  }
}

function isBelow(version: string, least: readonly number[]): boolean {
  const parts = version.split('.').map((part) => Number.parseInt(part, 10));
  for (const [i, wanted] of least.entries()) {
    const part = parts[i] ?? 0;
    if (part !== wanted) return part < wanted;
  }
  return false;
}

/** File systems on other machines, by the numbers of Linux: a write-ahead log needs memory that all its users share. */
const REMOTE: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB'],
  [0x01021997, '9p'],
  [0x00c36400, 'Ceph'],
  [0x5346414f, 'AFS'],
  [0x0bd00bd0, 'Lustre'],
  [0x47504653, 'GPFS'],
]);

/** The name of the network file system that this number stands for. */
export function remoteName(type: number): string | undefined {
  return REMOTE.get(type >>> 0);
}

/** Refuses folders on other machines. */
export function expectLocal(folder: string): void {
  const name = remoteName(statfsSync(folder).type);
  if (name === undefined) return;
  const message = `A store in a file cannot be on ${name}: its write-ahead log needs a disk of this machine. Choose another folder, ${INSTEAD}`;
  throw new StoreError('unsupported', message);
}

/** Credentials in memory. */
import type { CredentialRow, CredentialRows } from '../credentials.ts';
import type { CredentialName } from '../ports.ts';
import { packed } from '../text.ts';
import type { Now } from './memory.ts';

/** Rows of credentials in memory. */
export function memoryCredentialRows(now: Now): CredentialRows {
  const rows = new Map<string, CredentialRow>();
  const keyOf = ({ caller, upstream }: CredentialName): string => packed([caller, upstream]);
  return {
    async put(name, sealed) {
      const { caller, upstream } = name;
      const changedAt = now();
      const told = { caller, upstream, createdAt: rows.get(keyOf(name))?.createdAt ?? changedAt, changedAt };
      rows.set(keyOf(name), { ...told, sealed });
      return told;
    },
    async get(name) {
      now();
      return rows.get(keyOf(name));
    },
    async remove(name) {
      now();
      return rows.delete(keyOf(name));
    },
    async all() {
      now();
      return [...rows.values()];
    },
  };
}

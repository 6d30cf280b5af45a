/** State of a gateway: ports, and engines in memory, in a SQLite file, in Redis or Valkey. This file is the whole public surface. */

export { backUpStore, openStore, restoreStore, type StoreOptions, storeFile } from './open.ts';
export { StoreError, type StoreProblem } from './store-error.ts';
export type {
  Approvals,
  Audit,
  AuditRow,
  CountsQuery,
  CredentialName,
  Credentials,
  Deed,
  FaultGroup,
  Faults,
  GroupsQuery,
  Health,
  IssuedKey,
  JournalEntry,
  JournalFault,
  JournalQuery,
  Keys,
  NewKey,
  Rotation,
  Session,
  Sessions,
  Store,
  StoredCredential,
  StoredKey,
  Verdict,
} from './ports.ts';
export type { Bounds } from './settings.ts';

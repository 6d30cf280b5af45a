/** Everything that survives a restart, in one database file that the servers and the operator share. */
import { openDatabase, transaction } from '@mayday/reference-shared';
import { type Approvals, createApprovals } from './approvals.ts';
import { type AuditLog, createAuditLog } from './audit-log.ts';
import { type Contacts, createContacts } from './contacts.ts';
import { createKeys, type Keys } from './keys.ts';
import { createOrders, type Orders } from './orders.ts';
import { createRates, type Rates } from './rates.ts';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS brands (name TEXT PRIMARY KEY, entitled INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS keys (digest TEXT PRIMARY KEY, id TEXT NOT NULL UNIQUE, brand TEXT NOT NULL REFERENCES brands,
    scopes TEXT NOT NULL, revoked INTEGER NOT NULL DEFAULT 0, expires_at INTEGER) STRICT;
  CREATE TABLE IF NOT EXISTS approval_requests (id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, principal TEXT NOT NULL,
    tool TEXT NOT NULL, arguments TEXT NOT NULL, state TEXT NOT NULL, asked_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL) STRICT;
  CREATE INDEX IF NOT EXISTS approval_requests_open ON approval_requests (fingerprint, state);
  CREATE TABLE IF NOT EXISTS rates (key TEXT NOT NULL, at INTEGER NOT NULL) STRICT;
  CREATE INDEX IF NOT EXISTS rates_by_key ON rates (key, at);
  CREATE TABLE IF NOT EXISTS contacts (brand TEXT NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL, email TEXT,
    PRIMARY KEY (brand, id)) STRICT;
  CREATE TABLE IF NOT EXISTS orders (brand TEXT NOT NULL, id TEXT NOT NULL, paid_cents INTEGER NOT NULL,
    refunded_cents INTEGER, PRIMARY KEY (brand, id)) STRICT;
  CREATE TABLE IF NOT EXISTS audit (at INTEGER NOT NULL, principal TEXT NOT NULL, tool TEXT NOT NULL, envelope TEXT NOT NULL) STRICT;
`;

/** The store. */
export interface Store {
  readonly keys: Keys;
  readonly approvals: Approvals;
  readonly rates: Rates;
  readonly contacts: Contacts;
  readonly orders: Orders;
  readonly audit: AuditLog;
  /** Runs all of it or nothing of it. */
  atomically<T>(run: () => T): T;
  close(): void;
}

/** How long a write waits for another process before it fails: rather refuse than hang. */
const BUSY_MS = 250;

/** Opens the store in a folder. */
export function openStore(folder: string): Store {
  const database = openDatabase(folder, 'qaqnuz.sqlite', SCHEMA);
  database.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
  return {
    keys: createKeys(database),
    approvals: createApprovals(database),
    rates: createRates(database),
    contacts: createContacts(database),
    orders: createOrders(database),
    audit: createAuditLog(database),
    atomically: (run) => transaction(database, run),
    close: () => database.close(),
  };
}

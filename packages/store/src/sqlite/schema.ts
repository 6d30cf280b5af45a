/** The tables, and how older files become newer ones. */

/** One step a version; what was released is never changed. */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE rates (
    key TEXT PRIMARY KEY, used INTEGER NOT NULL, full_at REAL NOT NULL, quiet_at REAL NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX rates_quiet ON rates (quiet_at);
  CREATE TABLE rate_log (
    key TEXT NOT NULL, at INTEGER NOT NULL, cost INTEGER NOT NULL, PRIMARY KEY (key, at)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE seats (
    n INTEGER PRIMARY KEY, key TEXT NOT NULL, id TEXT NOT NULL UNIQUE, held INTEGER NOT NULL, until INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX seats_key ON seats (key, until);

  CREATE TABLE approvals (
    n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, fingerprint TEXT NOT NULL UNIQUE, caller TEXT NOT NULL,
    request TEXT NOT NULL, state TEXT NOT NULL, ttl_ms REAL NOT NULL, until REAL NOT NULL,
    consent_until REAL
  ) STRICT;
  CREATE INDEX approvals_caller ON approvals (caller);
  CREATE INDEX approvals_until ON approvals (until);

  CREATE TABLE idempotency (
    key TEXT PRIMARY KEY, owner TEXT NOT NULL, fingerprint TEXT NOT NULL, token TEXT NOT NULL, ttl_ms REAL NOT NULL,
    lease_until REAL NOT NULL, until REAL NOT NULL, ended INTEGER, answer TEXT
  ) STRICT;
  CREATE INDEX idempotency_until ON idempotency (until);
  CREATE INDEX idempotency_answers ON idempotency (owner, ended) WHERE answer IS NOT NULL;
  CREATE TABLE owners (owner TEXT PRIMARY KEY, keys INTEGER NOT NULL, answers INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TRIGGER owners_more AFTER INSERT ON idempotency BEGIN
    INSERT INTO owners VALUES (NEW.owner, 1, 0) ON CONFLICT DO UPDATE SET keys = keys + 1;
  END;
  CREATE TRIGGER owners_answers AFTER UPDATE OF answer ON idempotency BEGIN
    UPDATE owners SET answers = answers + (NEW.answer IS NOT NULL) - (OLD.answer IS NOT NULL) WHERE owner = NEW.owner;
  END;
  CREATE TRIGGER owners_less AFTER DELETE ON idempotency BEGIN
    UPDATE owners SET keys = keys - 1, answers = answers - (OLD.answer IS NOT NULL) WHERE owner = OLD.owner;
    DELETE FROM owners WHERE owner = OLD.owner AND keys <= 0;
  END;

  CREATE TABLE api_keys (
    id TEXT PRIMARY KEY, body TEXT NOT NULL, version INTEGER NOT NULL, used_at INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE key_digests (digest TEXT PRIMARY KEY, id TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE INDEX key_digests_id ON key_digests (id);

  CREATE TABLE faults (
    n INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, fingerprint TEXT NOT NULL, body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX faults_fingerprint ON faults (fingerprint, n);
  CREATE TABLE fault_groups (
    fingerprint TEXT PRIMARY KEY, body TEXT NOT NULL, count INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
    n INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX fault_groups_last ON fault_groups (last, n);
  CREATE TABLE fault_minutes (
    fingerprint TEXT NOT NULL, minute INTEGER NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (fingerprint, minute)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX fault_minutes_minute ON fault_minutes (minute);

  CREATE TABLE sessions (
    id TEXT PRIMARY KEY, owner TEXT NOT NULL, node TEXT NOT NULL, until REAL NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX sessions_until ON sessions (until);

  CREATE TABLE audit (
    seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, deed TEXT NOT NULL, hash TEXT NOT NULL
  ) STRICT;
  CREATE TRIGGER audit_appends BEFORE INSERT ON audit
    WHEN NEW.seq <> (SELECT coalesce(max(seq), 0) + 1 FROM audit)
    BEGIN SELECT RAISE(ABORT, 'audit rows are only added at the end'); END;
  CREATE TRIGGER audit_keeps AFTER UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'audit rows are never changed'); END;
  CREATE TRIGGER audit_holds BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'audit rows are never removed'); END;
  `,
  'CREATE TABLE health (n INTEGER PRIMARY KEY, at INTEGER NOT NULL, weight TEXT NOT NULL) STRICT',
  'CREATE TABLE steady (start TEXT PRIMARY KEY, offset_ms REAL NOT NULL) STRICT, WITHOUT ROWID',
  `
  CREATE TABLE audit_written (n INTEGER PRIMARY KEY, rows INTEGER NOT NULL) STRICT;
  INSERT INTO audit_written SELECT 1, coalesce(max(seq), 0) FROM audit;
  `,
  `
  CREATE TABLE credentials (
    caller TEXT NOT NULL, upstream TEXT NOT NULL, sealed TEXT NOT NULL, created INTEGER NOT NULL, changed INTEGER NOT NULL,
    PRIMARY KEY (caller, upstream)
  ) STRICT, WITHOUT ROWID
  `,
  'CREATE TABLE approval_digests (n INTEGER PRIMARY KEY, key TEXT NOT NULL) STRICT',
];

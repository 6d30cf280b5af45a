/** State in one file: survives its processes, shared by all of one machine. */
import { type Clock, systemClock } from '@mayday/policy';
import { credentialsOver } from '../credentials.ts';
import { heldConsents } from '../held-consents.ts';
import { keysOver } from '../keys.ts';
import { LeasedPlaces } from '../places.ts';
import type { Health, Store } from '../ports.ts';
import { type Bounds, limitsOf, timeOf } from '../settings.ts';
import { sqliteApprovals } from './approvals.ts';
import { sqliteAudit } from './audit.ts';
import { sqliteCredentialRows } from './credentials.ts';
import { type Connection, openDatabase } from './database.ts';
import { sqliteFaults } from './faults.ts';
import { sqliteIdempotency } from './idempotency.ts';
import { patient } from './patient.ts';
import { sqliteRates } from './rates.ts';
import { sqliteKeyRows, sqliteSessions } from './records.ts';
import { sqliteSeats } from './seats.ts';

/** How a store in a file is opened. */
export interface SqliteOptions extends Bounds {
  /** The file; made if it is not there. */
  readonly path: string;
  readonly clock?: Pick<Clock, 'now'> | undefined;
  readonly secret?: string | undefined;
}

/** A connection and the time. */
export interface Access {
  readonly db: Connection;
  /** Whole milliseconds. */
  readonly now: () => number;
}

/** Opens a store in a file. */
export function openSqlite(options: SqliteOptions): Store {
  const limits = limitsOf(options);
  const { clock = systemClock } = options;
  const now = (): number => Math.floor(timeOf(clock));
  const { sure, quick, steady, close } = openDatabase(options.path);
  /** What may be done for some time only ends by whichever clock is ahead: one may be set back, the other sleeps with the machine. */
  const consented = () => {
    const aheadMs = (): number => (options.clock === undefined ? Math.max(0, steady() - now()) : 0);
    return { db: sure, now: () => now() + aheadMs(), aheadMs };
  };
  const kept: Access = { db: sure, now };
  const counted: Access = { db: quick, now };
  const lasting: Access = { db: quick, now: options.clock === undefined ? steady : now };
  const consents = heldConsents(patient(sqliteApprovals(consented(), limits)), limits.approvalLeaseMs);
  const places = new LeasedPlaces(patient(sqliteSeats(lasting, limits.placeLeaseMs)), limits.placeLeaseMs);
  const { look } = patient({ look: async () => lookAt(counted) }, LOOK_MS);
  const keyRows = sqliteKeyRows(kept);
  return {
    engine: 'sqlite',
    rates: sqliteRates(lasting),
    places,
    approvals: consents.approvals,
    idempotency: patient(sqliteIdempotency(lasting, limits)),
    // When a key was last used is worth no wait.
    keys: keysOver({ ...patient(keyRows), touch: keyRows.touch }),
    credentials: credentialsOver(patient(sqliteCredentialRows(kept)), options.secret),
    faults: patient(sqliteFaults(counted, limits)),
    sessions: patient(sqliteSessions(lasting)),
    audit: patient(sqliteAudit(kept)),
    health: () => healthOf(look),
    close: async () => {
      consents.close();
      await places.close();
      close();
    },
  };
}

/** Who asks how it is wants to know now. */
const LOOK_MS = 1500;

/** A file of more pages is not read as a whole: that would keep everybody waiting. */
const FEW_PAGES = 2500;

function isDamaged(db: Connection): boolean {
  if (Number(db.get('PRAGMA page_count')?.['page_count']) > FEW_PAGES) return false;
  return db.get('PRAGMA quick_check(1)')?.['quick_check'] !== 'ok';
}

/** Some pages: more than what a write that failed may have left room for. */
const WEIGHT = 'x'.repeat(65_536);

/** Writes as much as calls do, and reads a row of every table: who is refused then would have been refused before. */
function lookAt({ db, now }: Access): void {
  db.atomic(() => {
    db.run('INSERT OR REPLACE INTO health VALUES (1, ?, ?)', now(), WEIGHT);
    for (const { name } of db.all("SELECT name FROM sqlite_schema WHERE type = 'table'"))
      db.get(`SELECT * FROM "${name}" LIMIT 1`);
  });
  if (isDamaged(db))
    throw new Error('The store’s file is damaged; restore it from a backup, or choose another file');
}

async function healthOf(look: () => Promise<void>): Promise<Health> {
  try {
    await look();
    return { ok: true, warnings: [] };
  } catch (thrown) {
    return { ok: false, problem: (thrown as Error).message, warnings: [] };
  }
}

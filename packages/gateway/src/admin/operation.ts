/** One thing that can be asked of the admin API: what it takes, what it answers, and what does it. */
import type { FaultInit, Language } from '@mayday/core';
import type { AuditRow, Deed, Store } from '@mayday/store';
import type { DoorFault } from '../http/refusals.ts';
import type { Settings } from '../settings/settings.ts';
import type { GatewayStatus } from '../status.ts';

/** A JSON Schema, as OpenAPI 3.1 has it. */
export type Schema = { readonly [keyword: string]: unknown };

/** The schema of an object with known members. */
export interface ObjectSchema extends Schema {
  readonly type: 'object';
  readonly properties: { readonly [name: string]: Schema };
  readonly required?: readonly string[];
}

/** What operations work on. */
export interface AdminHouse {
  /** Where keys, consents, the journal and the audit log are; absent where nothing is kept. */
  readonly store: Store | undefined;
  /** What the file says, where it is known. */
  readonly settings: () => Settings | undefined;
  readonly language: Language;
  /** How the gateway is; absent where none runs here. */
  readonly status?: (() => Promise<GatewayStatus>) | undefined;
  /** Hears that a key was exchanged or revoked; absent where no gateway runs that remembers any. */
  readonly keysChanged?: (() => void) | undefined;
  /** Operators come with keys, so that their names are those of callers. Whoever has the store itself is none of them. */
  readonly isByKey: boolean;
}

/** A request that was understood. */
export interface Asked {
  readonly house: AdminHouse;
  /** Who asks, for the audit log. */
  readonly actor: string;
  readonly path: { readonly [name: string]: string };
  readonly query: { readonly [name: string]: unknown };
  readonly body: { readonly [name: string]: unknown };
}

/** What becomes of a request: a document, failures as they come, or a fault. */
export type Outcome = Told | Followed | DoorFault;

/** A document. */
export interface Told {
  readonly status: number;
  readonly body: object;
}

/** Failures from here on. */
export interface Followed {
  readonly follow: {
    readonly faults: Store['faults'];
    /** Goes on after this one; with those that are new, if absent. */
    readonly after: string | undefined;
    readonly group: string | undefined;
  };
}

/** One operation. */
export interface Operation {
  /** Its name in the OpenAPI document. */
  readonly id: string;
  /** What reads is a GET, what changes is a POST. */
  readonly method: 'GET' | 'POST';
  /** Below the root of the API; `{name}` stands for one part. */
  readonly path: string;
  readonly tag: 'keys' | 'credentials' | 'approvals' | 'faults' | 'audit' | 'gateway';
  readonly summary: string;
  /** What is in the braces of the path. */
  readonly parameters?: { readonly [name: string]: Schema } | undefined;
  readonly query?: ObjectSchema | undefined;
  readonly body?: ObjectSchema | undefined;
  readonly answer: { readonly status: number; readonly about: string; readonly schema: Schema };
  /** It never ends by itself. */
  readonly isStream?: boolean | undefined;
  /** The statuses of faults of its own, beside those that any operation may answer with. */
  readonly faults: { readonly [status: number]: string };
  run(asked: Asked): Promise<Outcome>;
}

/** An operation that needs a store. */
interface StoredOperation extends Omit<Operation, 'run'> {
  run(store: Store, asked: Asked): Promise<Outcome>;
}

/** The same, which says so where there is none. */
export function onStore(operation: StoredOperation): Operation {
  return {
    ...operation,
    faults: { ...operation.faults, 501: 'The gateway has no store.', 503: 'The store cannot be used now.' },
    run: async (asked) =>
      asked.house.store === undefined ? NO_STORE : operation.run(asked.house.store, asked),
  };
}

const NO_STORE: DoorFault = no(501, {
  kind: 'unsupported',
  message: 'This gateway has no store: keys, approvals, the journal and the audit log need one',
  advice: 'Add `store: file:./mayday.db` to its file, and start it again.',
});

/** A refusal: nothing was done. */
export function no(status: number, fault: FaultInit): DoorFault {
  return { status, fault: { origin: 'gateway', executed: 'no', ...fault } };
}

/** A document. */
export function told(body: object, status = 200): Told {
  return { status, body };
}

/** Writes down what was done, and by whom. */
export function audited(
  { audit }: Store,
  { actor, house }: Asked,
  { details, ...deed }: Omit<Deed, 'actor'> & { readonly details: object },
): Promise<AuditRow> {
  // A key may be called like a user of the machine.
  const via = house.isByKey ? { via: 'admin' } : {};
  return audit.append({ ...deed, actor, details: { ...details, ...via } });
}

/**
 * Writes down what is about to be done, and does it: what cannot be written down is not done. Where it comes to nothing,
 * since somebody was faster, another row says so of the first.
 */
export async function auditedFirst<T>(
  store: Store,
  asked: Asked,
  deed: Parameters<typeof audited>[2],
  change: () => T | Promise<T>,
): Promise<T> {
  const row = await audited(store, asked, deed);
  const done = await change();
  if (done === undefined || done === false) await voided(store, asked, row);
  return done;
}

/** What a row says was not done. */
export async function voided(store: Store, asked: Asked, { seq, action, target }: AuditRow): Promise<void> {
  await audited(store, asked, { action: `${action}.void`, target, details: { row: seq } });
}

/** A time, to the second. */
export function instant(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}

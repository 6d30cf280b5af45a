/** Credentials of callers, over any engine that keeps their rows: no engine ever has one in the clear. */
import type { CredentialName, Credentials, StoredCredential } from './ports.ts';
import { createSealer, type Sealer } from './seal.ts';
import { StoreError } from './store-error.ts';

/** A credential as it is kept. */
export interface CredentialRow extends StoredCredential {
  readonly sealed: string;
}

/** Where rows of credentials are kept. */
export interface CredentialRows {
  /** Writes a row, in place of the one before, by the engine's own time. */
  put(name: CredentialName, sealed: string): Promise<StoredCredential>;
  get(name: CredentialName): Promise<CredentialRow | undefined>;
  remove(name: CredentialName): Promise<boolean>;
  all(): Promise<readonly CredentialRow[]>;
}

const NO_SECRET =
  'Credentials of callers are kept sealed, and the store was opened without a secret; give it one (`store.secret` in the file of a gateway; with --store, the variable MAYDAY_STORE_SECRET)';
const otherSecret = ({ caller, upstream }: CredentialName): string =>
  `The credential of ${caller} for ${upstream} was sealed with another secret, or was changed since; use the secret of before, or remove the credential and set it anew`;

/** Credentials over rows, sealed with what is derived from a secret. */
export function credentialsOver(rows: CredentialRows, secret: string | undefined): Credentials {
  const sealer = secret === undefined ? undefined : createSealer(secret);
  const expectSealer = (): Sealer => {
    if (sealer === undefined) throw new StoreError('unsupported', NO_SECRET);
    return sealer;
  };
  const open = async (row: CredentialRow): Promise<string> => {
    const opened = await expectSealer().open(row, row.sealed);
    if (opened === undefined) throw new StoreError('unusable', otherSecret(row));
    return opened;
  };
  /** Two secrets in one store would be found out by the caller whose turn it is: one of the others is opened first. */
  const expectSame = async (isOther: (row: CredentialRow) => boolean): Promise<void> => {
    expectSealer();
    const other = (await rows.all()).find(isOther);
    if (other !== undefined) await open(other);
  };
  return {
    async set(name, value) {
      await expectSame(({ caller, upstream }) => caller !== name.caller || upstream !== name.upstream);
      return rows.put(name, await expectSealer().seal(name, value));
    },
    async find(name) {
      expectSealer();
      const row = await rows.get(name);
      return row === undefined ? undefined : open({ ...row, ...nameOf(name) });
    },
    remove: (name) => rows.remove(name),
    async list() {
      const all = (await rows.all()).map(({ sealed: _, ...told }) => told);
      return all.sort((a, b) => order(a.caller, b.caller) || order(a.upstream, b.upstream));
    },
    check: () => expectSame(() => true),
  };
}

/** A row is opened for whom it was asked for, whatever it says of itself. */
function nameOf({ caller, upstream }: CredentialName): CredentialName {
  return { caller, upstream };
}

function order(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

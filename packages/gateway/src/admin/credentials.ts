/** Credentials of callers toward servers: set, listed by name, and removed. Nobody reads one here. */
import type { CredentialName, Store, StoredCredential } from '@mayday/store';
import { isGivenCredentials } from '../credentials/giving.ts';
import type { DoorFault } from '../http/refusals.ts';
import { nearest } from '../nearest.ts';
import {
  type Asked,
  audited,
  instant,
  no,
  type Operation,
  type Outcome,
  onStore,
  told,
  voided,
} from './operation.ts';
import { named, nameOf, ref, request } from './schemas.ts';

/** Names of callers who log in are made of two. */
const MAX_NAME = 300;

const NAME = {
  caller: nameOf('Whose it is', MAX_NAME),
  upstream: { type: 'string', maxLength: 32, description: 'The server that it is for.' },
} as const;

const SECRET = {
  type: 'string',
  minLength: 8,
  maxLength: 8192,
  pattern: '^[!-~](?:[ -~]*[!-~])?$',
  writeOnly: true,
  description: 'A credential: 8 to 8192 visible characters of ASCII, with blanks at most between them',
} as const;

/** A credential in JSON: never its secret. */
export interface CredentialDocument {
  readonly caller: string;
  readonly upstream: string;
  readonly created_at: string;
  readonly changed_at: string;
}

/** What can be done about credentials. */
export const CREDENTIALS: readonly Operation[] = [
  onStore({
    id: 'listCredentials',
    method: 'GET',
    path: '/credentials',
    tag: 'credentials',
    summary: 'Who has a credential for which server, and since when. Never the credential.',
    answer: { status: 200, about: 'The credentials.', schema: named('credentials', ref('Credential')) },
    faults: {},
    run: async ({ credentials }) => told({ credentials: (await credentials.list()).map(documentOf) }),
  }),
  onStore({
    id: 'setCredential',
    method: 'POST',
    path: '/credentials',
    tag: 'credentials',
    summary:
      'Sets the credential of a caller for a server, in place of the one before. Gateways use it within two seconds.',
    body: request({ ...NAME, secret: SECRET }, ['caller', 'upstream', 'secret']),
    answer: { status: 200, about: 'It is set.', schema: ref('Credential') },
    faults: { 409: 'Nothing can be sealed with the secret of the store.' },
    run: set,
  }),
  onStore({
    id: 'removeCredential',
    method: 'POST',
    path: '/credentials/remove',
    tag: 'credentials',
    summary: 'Removes the credential of a caller for a server. Gateways use it for two seconds at most.',
    body: request(NAME, ['caller', 'upstream']),
    answer: { status: 200, about: 'It is removed.', schema: ref('RemovedCredential') },
    faults: { 404: 'There is none.' },
    run: remove,
  }),
];

function documentOf({ caller, upstream, createdAt, changedAt }: StoredCredential): CredentialDocument {
  return { caller, upstream, created_at: instant(createdAt), changed_at: instant(changedAt) };
}

/** The row comes first: what cannot be written down is not set. */
async function set(store: Store, asked: Asked): Promise<Outcome> {
  const { caller, upstream, secret } = asked.body as unknown as CredentialName & { readonly secret: string };
  const odd = unfit(upstream, asked) ?? (await unsealed(store));
  if (odd !== undefined) return odd;
  await audited(store, asked, deedOf('set', { caller, upstream }));
  return told(documentOf(await store.credentials.set({ caller, upstream }, secret)));
}

/** Removes it. The row comes first; where it cannot be written, it is removed all the same, and that is told. */
async function remove(store: Store, asked: Asked): Promise<Outcome> {
  const { caller, upstream } = asked.body as unknown as CredentialName;
  const name = { caller, upstream };
  const subject = { type: 'upstream', id: upstream };
  const none = no(404, {
    kind: 'not_found',
    subject,
    message: `${JSON.stringify(caller)} has no credential for ${JSON.stringify(upstream)}`,
    advice: 'List who has one.',
  });
  const isThere = (one: CredentialName): boolean => one.caller === caller && one.upstream === upstream;
  if (!(await store.credentials.list()).some(isThere)) return none;
  const row = await audited(store, asked, deedOf('remove', name)).catch((error: Error) => error);
  const isRemoved = await store.credentials.remove(name);
  if (!isRemoved && !(row instanceof Error)) await voided(store, asked, row);
  if (!isRemoved) return none;
  if (!(row instanceof Error)) return told({ ...name, removed: true });
  const message = `The credential is removed, but the audit log could not be written: ${row.message}`;
  return no(503, { kind: 'unavailable', executed: 'yes', message, subject });
}

function deedOf(what: 'set' | 'remove', { caller, upstream }: CredentialName) {
  return { action: `credentials.${what}`, target: upstream, details: { caller } };
}

/** A store without a secret, or with another one than before, is for the operator to mend. */
async function unsealed({ credentials }: Store): Promise<DoorFault | undefined> {
  try {
    await credentials.check();
    return undefined;
  } catch (error) {
    const { problem, message } = error as { readonly problem?: unknown; readonly message: string };
    if (problem !== 'unsupported' && problem !== 'unusable') throw error;
    return no(409, { kind: 'misconfigured', message });
  }
}

/** Where the file is known, so are the servers that get credentials. */
function unfit(upstream: string, { house }: Asked): DoorFault | undefined {
  const servers = [...(house.settings()?.upstreams.values() ?? [])];
  if (servers.length === 0) return undefined;
  const known = servers.filter(isGivenCredentials).map(({ name }) => name);
  if (known.includes(upstream)) return undefined;
  const message = servers.some(({ name }) => name === upstream)
    ? `${upstream} gets no credentials of callers; give it caller_credentials in the file`
    : `the file has no upstream ${JSON.stringify(upstream)}; ${hint(upstream, known)}`;
  const issues = [{ path: ['upstream'], message, code: 'invalid_value' }];
  return no(400, { kind: 'invalid_arguments', message, issues });
}

function hint(upstream: string, known: readonly string[]): string {
  const close = nearest(upstream, known);
  if (close !== undefined) return `did you mean ${close}?`;
  return known.length === 0 ? 'none there has caller_credentials' : `use one of ${known.join(', ')}`;
}

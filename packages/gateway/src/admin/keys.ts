/** Keys of callers: made, listed, exchanged and revoked, each change with its row in the audit log. */
import { randomBytes } from 'node:crypto';
import type { IssuedKey, Store, StoredKey } from '@mayday/store';
import { unknownDialect } from '../call/dialects.ts';
import type { DoorFault } from '../http/refusals.ts';
import { isOfIssuer } from '../identity/issuer-names.ts';
import { type KeyRights, scopesOf } from '../identity/key-scopes.ts';
import { nearest } from '../nearest.ts';
import { keyDocument } from './key-document.ts';
import {
  type Asked,
  audited,
  auditedFirst,
  no,
  type Operation,
  onStore,
  type Schema,
  told,
  voided,
} from './operation.ts';
import { named, nameOf, ref, request } from './schemas.ts';

/** Some thirty years: nobody means more. */
const MAX_MS = 1e12;
const HOUR_MS = 3_600_000;

const ID: { readonly [name: string]: Schema } = {
  id: { type: 'string', description: 'The id of a key.' },
};

const WANTED = request(
  {
    name: nameOf('Who it is'),
    role: { enum: ['caller', 'operator'], default: 'caller', description: 'An operator uses this API too.' },
    upstreams: {
      type: 'array',
      minItems: 1,
      maxItems: 1000,
      items: { type: 'string', maxLength: 32 },
      description: 'Only these, upstreams and virtual servers; all, and `/mcp`, if absent.',
    },
    tenant: nameOf('Whom it belongs to, for rules'),
    scopes: {
      type: 'array',
      maxItems: 1000,
      items: { type: 'string', maxLength: 100, pattern: '^[!-~]+$' },
      description: 'What it may do, for rules: words of visible characters, without blanks',
    },
    dialect: { type: 'string', description: 'The dialect of this caller.' },
    expires_in_ms: {
      type: 'integer',
      minimum: 1,
      maximum: MAX_MS,
      description: 'Good for so long; without an end, if absent.',
    },
  },
  ['name'],
);

/** What the schema lets through. */
interface WantedKey {
  readonly name: string;
  readonly role?: KeyRights['role'];
  readonly upstreams?: readonly string[];
  readonly tenant?: string;
  readonly scopes?: readonly string[];
  readonly dialect?: string;
  readonly expires_in_ms?: number;
}

/** What can be done about keys. */
export const KEYS: readonly Operation[] = [
  onStore({
    id: 'listKeys',
    method: 'GET',
    path: '/keys',
    tag: 'keys',
    summary: 'Every key of the store, the oldest first, revoked and expired ones too.',
    answer: { status: 200, about: 'The keys.', schema: named('keys', ref('Key')) },
    faults: {},
    run: async (store) => told({ keys: (await store.keys.list()).map(keyDocument) }),
  }),
  onStore({
    id: 'createKey',
    method: 'POST',
    path: '/keys',
    tag: 'keys',
    summary: 'Makes a key. Its secret is in the answer, and nowhere else. It is good at once.',
    body: WANTED,
    answer: { status: 201, about: 'The key.', schema: ref('NewKey') },
    faults: { 409: 'Somebody has this name.' },
    run: create,
  }),
  onStore({
    id: 'getKey',
    method: 'GET',
    path: '/keys/{id}',
    tag: 'keys',
    summary: 'One key.',
    parameters: ID,
    answer: { status: 200, about: 'The key.', schema: ref('Key') },
    faults: { 404: 'No key has this id.' },
    async run(store, { path }) {
      const key = await keyWith(store, path['id']);
      return 'status' in key ? key : told(keyDocument(key));
    },
  }),
  onStore({
    id: 'rotateKey',
    method: 'POST',
    path: '/keys/{id}/rotate',
    tag: 'keys',
    summary:
      'Makes a new secret for a key, which is good for as long again as it was made for. The old one stays good for a while.',
    parameters: ID,
    body: request({
      overlap_ms: {
        type: 'integer',
        minimum: 0,
        maximum: MAX_MS,
        default: HOUR_MS,
        description:
          'How long the old secret stays good, its own end at most; an hour if absent, 0 ends it at once; other gateways on the same store hear of it within two seconds.',
      },
      expires_in_ms: {
        type: 'integer',
        minimum: 1,
        maximum: MAX_MS,
        description: 'The key is good for so long from now on; for as long as it was made for, if absent.',
      },
    }),
    answer: { status: 200, about: 'The key, with its new secret.', schema: ref('NewKey') },
    faults: { 404: 'No key has this id.', 409: 'The key is over.' },
    run: rotate,
  }),
  onStore({
    id: 'revokeKey',
    method: 'POST',
    path: '/keys/{id}/revoke',
    tag: 'keys',
    summary:
      'Ends all secrets of a key. This gateway refuses it at once, others on the same store within two seconds.',
    parameters: ID,
    body: request({}),
    answer: { status: 200, about: 'It is revoked.', schema: ref('Revoked') },
    faults: { 404: 'No key has this id.', 409: 'It was revoked before.' },
    run: revoke,
  }),
];

/** Makes a key. The row comes first: nobody has a key that was never written down. */
async function create(store: Store, asked: Asked): Promise<ReturnType<typeof told> | DoorFault> {
  const wanted = asked.body as unknown as WantedKey;
  const { name, tenant, role = 'caller', dialect, upstreams, scopes: own = [] } = wanted;
  const odd = unfit(wanted, asked) ?? (await taken(store, name));
  if (odd !== undefined) return odd;
  const rights: KeyRights = { role, dialect, upstreams, scopes: own };
  const [id, scopes] = [randomBytes(6).toString('hex'), scopesOf(rights)];
  const { expires_in_ms: ttlMs } = wanted;
  const details = { name, tenant, scopes, expires_in_ms: ttlMs ?? null };
  const key = { id, principal: name, tenant, scopes, ttlMs };
  const deed = { action: 'keys.create', target: id, details };
  const issued = await auditedFirst(store, asked, deed, () => store.keys.createOnly(key));
  if (issued === undefined) return (await taken(store, name)) ?? over(id, 'Somebody else had this name');
  return told(newKey(issued), 201);
}

function newKey({ key, record }: IssuedKey): object {
  return { key, ...keyDocument(record) };
}

/** Exchanges a secret. The row comes first: a new secret that nobody is told would end the old one for nothing. */
async function rotate(store: Store, asked: Asked): Promise<ReturnType<typeof told> | DoorFault> {
  const key = await keyWith(store, asked.path['id']);
  if ('status' in key) return key;
  const overlapMs = Number(asked.body['overlap_ms'] ?? HOUR_MS);
  const { expires_in_ms: ttlMs } = asked.body as { readonly expires_in_ms?: number };
  const { state } = keyDocument(key);
  if (state !== 'good') return over(key.id, `The key is ${state}`);
  const details = { name: key.principal, overlap_ms: overlapMs, expires_in_ms: ttlMs };
  const deed = { action: 'keys.rotate', target: key.id, details };
  const issued = await auditedFirst(store, asked, deed, () =>
    store.keys.rotate(key.id, { overlapMs, ttlMs }),
  );
  asked.house.keysChanged?.();
  return issued === undefined ? over(key.id, 'The key is over') : told(newKey(issued));
}

/** Revokes a key. The row comes first; where it cannot be written, the key is revoked all the same, and that is told. */
async function revoke(store: Store, asked: Asked): Promise<ReturnType<typeof told> | DoorFault> {
  const key = await keyWith(store, asked.path['id']);
  if ('status' in key) return key;
  if (key.revoked) return over(key.id, 'The key was revoked before');
  const deed = { action: 'keys.revoke', target: key.id, details: { name: key.principal } };
  const row = await audited(store, asked, deed).catch((error: Error) => error);
  const isRevoked = await store.keys.revoke(key.id);
  asked.house.keysChanged?.();
  if (!isRevoked) {
    if (!(row instanceof Error)) await voided(store, asked, row);
    return over(key.id, 'The key was revoked before');
  }
  if (!(row instanceof Error)) return told({ id: key.id, revoked: true });
  const message = `key ${key.id} is revoked, but the audit log could not be written: ${row.message}`;
  return no(503, { kind: 'unavailable', executed: 'yes', message, subject: { type: 'key', id: key.id } });
}

async function keyWith(store: Store, id = ''): Promise<StoredKey | DoorFault> {
  const found = (await store.keys.list()).find((one) => one.id === id);
  const subject = { type: 'key', id: id.slice(0, 100) };
  return found ?? no(404, { kind: 'not_found', subject, message: 'No key has this id' });
}

function over(id: string, message: string): DoorFault {
  const advice = 'Make a new key for its caller.';
  return no(409, { kind: 'conflict', subject: { type: 'key', id }, message, advice });
}

async function taken(store: Store, name: string): Promise<DoorFault | undefined> {
  const isTwin = (key: StoredKey): boolean => key.principal === name && keyDocument(key).state === 'good';
  const twin = (await store.keys.list()).find(isTwin);
  if (twin === undefined) return undefined;
  return no(409, {
    kind: 'conflict',
    subject: { type: 'key', id: twin.id },
    message: `${JSON.stringify(name)} has a key (${twin.id})`,
    advice: 'Exchange the secret of that key, or choose another name.',
  });
}

/** Where the file is known, so are its servers and its own callers. */
function unfit({ name, dialect, upstreams = [] }: WantedKey, { house }: Asked): DoorFault | undefined {
  if (dialect !== undefined && !house.language.dialects.some(({ id }) => id === dialect))
    return wrong('dialect', [], unknownDialect(dialect, house.language));
  const settings = house.settings();
  if (settings === undefined) return undefined;
  if (settings.keys.some((key) => key.name === name))
    return no(409, {
      kind: 'conflict',
      message: `the file has a key called ${JSON.stringify(name)}; names tell callers apart`,
    });
  if (isOfIssuer(name, settings.oauth.issuers))
    return no(409, {
      kind: 'conflict',
      message: `${JSON.stringify(name)} is the name of somebody who logs in; names tell callers apart`,
      advice: 'Choose a name that does not begin with that of an issuer and a colon.',
    });
  const known = [...settings.upstreams.keys(), ...settings.virtual.keys()];
  const odd = upstreams.findIndex((one) => !known.includes(one));
  if (odd < 0) return undefined;
  const close = nearest(upstreams[odd] ?? '', known);
  const hint = close === undefined ? `use one of ${known.join(', ')}` : `did you mean ${close}?`;
  return wrong('upstreams', [odd], `the file has no upstream ${JSON.stringify(upstreams[odd])}; ${hint}`);
}

function wrong(field: string, at: readonly number[], message: string): DoorFault {
  const issues = [{ path: [field, ...at], message, code: 'invalid_value' }];
  return no(400, { kind: 'invalid_arguments', message, issues });
}

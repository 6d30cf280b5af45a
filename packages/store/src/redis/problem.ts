/** What Redis says, in the words of a store. Its own words may hold what was asked, and so stay here. */
import { StoreError, type StoreProblem } from '../store-error.ts';

type Told = readonly [problem: StoreProblem, sentence: string];

const FULL: Told = ['full', 'Redis has no room left; give it more memory'];
const STARTING: Told = ['down', 'Redis is busy with itself; wait until it has started'];
const CLUSTER: Told = [
  'unsupported',
  'Redis is one of a cluster, which is not supported; give the URL of a single one',
];
const LOGIN: Told = ['refused', 'Redis does not let us in; check user, password and rights in the URL'];

const NO_DATABASE: Told = ['refused', 'Redis has no such database; check the number at the end of the URL'];

const NO_PASSWORD: Told = [
  'refused',
  'Redis has no password, and its URL has one; leave it out, or check which Redis this is',
];

/** By the first word of an error reply. */
const BY_WORD: { readonly [word: string]: Told } = {
  OOM: FULL,
  READONLY: ['read_only', 'Redis is a replica that cannot be written; give the URL of the primary'],
  NOREPLICAS: ['read_only', 'Redis has too few replicas to be written; check them'],
  MISCONF: ['read_only', 'Redis takes no writes because it cannot save to its disk; check its log'],
  LOADING: STARTING,
  BUSY: STARTING,
  MASTERDOWN: STARTING,
  CLUSTERDOWN: CLUSTER,
  MOVED: CLUSTER,
  ASK: CLUSTER,
  CROSSSLOT: CLUSTER,
  NOAUTH: LOGIN,
  WRONGPASS: LOGIN,
  NOPERM: LOGIN,
};

/** A store's error for an error reply. */
export function problemOfReply(message: string): StoreError {
  const word = /^[A-Z]+/.exec(message)?.[0] ?? '';
  const told = Object.hasOwn(BY_WORD, word) ? BY_WORD[word] : undefined;
  if (/^ERR .*DB index/.test(message)) return new StoreError(...NO_DATABASE);
  if (/^ERR .*without any password/.test(message)) return new StoreError(...NO_PASSWORD);
  // Inside a script, the reason stands behind the script's own error.
  if (told === undefined && /\bOOM\b/.test(message)) return new StoreError(...FULL);
  return told === undefined ? new Objection(...LYING) : new StoreError(...told);
}

/** An error about one question. Whose the next answers are is in no doubt. */
export class Objection extends StoreError {}

const LYING: Told = [
  'lying',
  'Redis answered what no Redis answers; check what is behind the URL, and who else uses its prefix',
];

/** Redis answered what cannot be. */
export function lying(): StoreError {
  return new StoreError(...LYING);
}

/** Redis cannot be reached. */
export function down(cause: unknown): StoreError {
  const { code } = Object(cause) as { readonly code?: unknown };
  const why = typeof code === 'string' && /^[A-Z_]{3,40}$/.test(code) ? ` (${code})` : '';
  if (/CERT|VERIFY/.test(why)) {
    const how = 'renew it, or name the file of who vouches for it in NODE_EXTRA_CA_CERTS';
    return new StoreError('down', `The certificate of Redis was not accepted${why}; ${how}`);
  }
  return new StoreError('down', `Redis cannot be reached${why}; check that it runs, and its URL`);
}

/** Redis took too long. */
export function slow(ms: number): StoreError {
  return new StoreError('slow', `Redis did not answer within ${ms} ms; check its load and the network`);
}

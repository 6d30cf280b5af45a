/** Whose a call is: idempotency keys and tasks belong to the same callers. */
import { credentialsIn, unclearIn } from '@mayday/core/http';
import type { WireCall } from '@mayday/relay';
import { sha256 } from '../sha256.ts';

type Asking = Pick<WireCall, 'by' | 'headers' | 'query' | 'session' | 'withheld'>;

/** Where nobody is known by name, whoever sends the same credentials is the same caller. */
export function ownerOf({ by, headers, query = '' }: Pick<Asking, 'by' | 'headers' | 'query'>): string {
  if (by.isKnown) return `known\0${by.id}`;
  const said = credentialsIn(Object.entries(headers), query === '' ? [] : new URLSearchParams(query));
  return said === undefined ? NOBODY : sha256(said);
}

/** The digest of what else came with it that may tell its caller, though nobody can say; empty if nothing, and of whoever is known by name. */
export function sentWithOf({ by, headers }: Pick<Asking, 'by' | 'headers'>): string {
  const said = by.isKnown ? '' : unclearIn(Object.entries(headers));
  return said === '' ? '' : sha256(said);
}

/** Those who send nothing cannot be told apart. */
export const NOBODY = '';

/** What the server does not get to know of whose a call is; `NOBODY` where it can tell that itself, also when a token is renewed. */
export function withheldOf(call: Omit<Asking, 'session'>): string {
  if (call.by.isKnown || call.withheld === undefined) return ownerOf(call);
  const said = call.withheld();
  return said === undefined ? NOBODY : sha256(said);
}

/** Can the server tell its callers apart itself? */
export function isToldApart(call: Omit<Asking, 'session'>): boolean {
  return withheldOf(call) === NOBODY && ownerOf(call) !== NOBODY;
}

/**
 * Under which names the tasks of a caller are kept, and looked for. Of those who send nothing each session is one; beyond it,
 * whoever knows an id that nobody guesses has it from whoever began the task.
 */
export function taskOwners(call: Asking, task: string): readonly string[] {
  const beyond = ownerOf(call) === NOBODY && !canBeGuessed(task) ? [NOBODY] : [];
  return [...(withinSession(call) ?? [NO_SESSION]), ...beyond];
}

/** Under which of these names they are listed: who has neither a name nor a session would be shown those of everybody. */
export function listedOwners(call: Asking): readonly string[] {
  return withinSession(call) ?? [];
}

/** Do all who are this caller, as far as anybody can tell, share what is asked in this session? */
function withinSession(call: Asking): readonly string[] | undefined {
  const told = isToldApart(call) ? [TOLD_APART] : [];
  const owner = ownerOf(call);
  const { session } = call;
  const inSession = session === undefined ? [] : [`session\0${sha256(session)}`];
  if (owner !== NOBODY) return [owner, ...(hasProof(call) ? inSession : []), ...told];
  const own = [...inSession, ...told];
  return own.length === 0 ? undefined : own;
}

/**
 * Is the session that a call names proof of who asks, whatever it sends along? Tokens are renewed within a session. Who is known
 * by name needs none, and an id that can be guessed is none.
 */
export function hasProof({ by, session }: Pick<Asking, 'by' | 'session'>): boolean {
  return !by.isKnown && session !== undefined && !canBeGuessed(session);
}

/** Names of nobody, which no digest is like. */
const NO_SESSION = 'no session';
const TOLD_APART = 'told apart by its server';

/** Digits and letters of a UUID or of random bytes, and how often other random ids change between small, capital and digits. */
const HEX = /(?=\d*[a-f])(?=[a-f]*\d)[\da-f]{24}/i;
const CHANGE = /[a-z](?=[A-Z\d])|[A-Z](?=[a-z\d])|\d(?=[A-Za-z])/g;
const LEAST_CHARACTERS = 16;
const LEAST_CHANGES = 6;

/** Is an id too short for chance, or as regular as words, numbers and times are? */
export function canBeGuessed(id: string): boolean {
  const said = id.slice(0, 256).replace(/[^A-Za-z\d]/g, '');
  if (HEX.test(said)) return false;
  return said.length < LEAST_CHARACTERS || (said.match(CHANGE) ?? []).length < LEAST_CHANGES;
}

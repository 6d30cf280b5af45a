/** Who sends a request over HTTP, as far as a transport and the request itself can tell. */
import { credentialsIn, unclearIn } from '@mayday/core/http';
import { headerOf } from '../call.ts';
import { answered, Misused } from '../report/hooks.ts';
import type { AuthInfo, Extra } from '../shapes.ts';

/** An operator's own way to tell senders apart. Nothing, or an empty text, names nobody. */
export type Identify = (header: (name: string) => string | undefined) => string | null | undefined;

type Named = readonly [name: string, value: string | readonly string[] | undefined];

/** Who sends a request. */
export interface Sender {
  /** A text that others cannot send; `undefined` for somebody unknown. It holds secrets: keep its digest. */
  readonly said: string | undefined;
  /** What else it was sent with that may tell its sender, though nobody can say; empty if nothing. It may hold secrets too. */
  readonly beside: string;
  /** Is it the same for every attempt of a call? A token or a cookie may be renewed in between. */
  readonly lasts: boolean;
}

/** Whoever the operator's function names, or else everything that the request proves itself with. */
export function senderOf(extra: Extra | undefined, identify: Identify | undefined): Sender {
  const named = namedSender(extra, identify);
  if (named !== undefined) return { said: `named ${named}`, beside: '', lasts: true };
  const { authInfo } = extra ?? {};
  const user = userOf(authInfo);
  // A verified user keeps being the same one when the token is renewed.
  const headers =
    user === undefined ? headersOf(extra) : headersOf(extra).filter(([name]) => name !== 'authorization');
  const proofs = credentialsIn(headers, parametersOf(extra));
  const beside = unclearIn(headers);
  const known = authInfo === undefined ? undefined : [authInfo.clientId ?? '', user ?? authInfo.token ?? ''];
  if (known === undefined && proofs === undefined) return { said: undefined, beside, lasts: true };
  return { said: JSON.stringify([known, proofs]), beside, lasts: user !== undefined && proofs === undefined };
}

/** Whom the operator's function names. Nothing else tells one client from another: a team may share a key, a user have two. */
export function namedSender(extra: Extra | undefined, identify: Identify | undefined): string | undefined {
  return identify === undefined
    ? undefined
    : nameIn(answered('identify', () => identify((name) => headerOf(extra, name))));
}

/** Who has no name is nobody in particular: all of them under one empty name would read each other's answers. */
function nameIn(named: unknown): string | undefined {
  if (named === undefined || named === null || named === false) return undefined;
  if (typeof named === 'string') return named.trim() === '' ? undefined : named;
  throw new Misused(`Expected \`identify\` to give a text, or nothing, got ${typeof named}`);
}

/** What verifiers call the user of a token. Many users share one client. */
const USER: readonly string[] = [
  'sub',
  'subject',
  'userId',
  'user_id',
  'uid',
  'user',
  'username',
  'email',
  'oid',
];

function userOf(auth: AuthInfo | undefined): string | undefined {
  const { extra } = auth ?? {};
  if (extra === undefined || extra === null) return undefined;
  const said = USER.map((name) => extra[name]).filter(
    (value) => typeof value === 'number' || (typeof value === 'string' && value !== ''),
  );
  if (said.length === 0) return undefined;
  return JSON.stringify([extra['iss'], extra['tenant'], extra['tid'], extra['org_id'], ...said].map(String));
}

function headersOf(extra: Extra | undefined): Named[] {
  const { request, requestInfo } = extra ?? {};
  if (request !== undefined) return [...request.headers];
  return Object.entries(requestInfo?.headers ?? {});
}

/** The parameters of the address: a client has them from its settings, each its own. */
function parametersOf(extra: Extra | undefined): Iterable<Named> {
  return addressOf(extra)?.searchParams ?? [];
}

/** The address that a request was sent to, where the transport hands it over. */
export function addressOf(extra: Extra | undefined): URL | undefined {
  const address = String(extra?.request?.url ?? extra?.requestInfo?.url ?? '');
  return URL.canParse(address) ? new URL(address) : undefined;
}

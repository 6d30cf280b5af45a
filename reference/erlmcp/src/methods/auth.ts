/** Signing in: with a password for a token, and with a token. */
import type { App } from '../app.ts';
import { cut, raise } from '../errors.ts';
import { requireString } from '../params.ts';
import { checkRate } from '../rate.ts';
import type { Caller, SignedIn } from '../session.ts';
import type { Role, Token } from '../store/users.ts';
import type { Method } from './method.ts';

/** Name and password → a token that lives for a while. */
export const login: Method = (params, { app }) => {
  const name = requireString(params, 'user');
  // Over all sessions: nobody guesses a password by reconnecting.
  checkRate(app, `login ${cut(name)}`);
  const user = app.store.users.verify(name, requireString(params, 'password'));
  if (user === undefined) throw raise('invalid_credentials');
  if (user.suspended) throw raise('access_denied', { resource: 'account' });
  const { token, expiresAt } = app.store.users.issue(user, app.clock.now(), app.settings.tokenTtlMs);
  return { token, expires_at: seconds(expiresAt) };
};

/** Signs the session in with a token. Over HTTP, the `Authorization` header does the same. */
export const authenticate: Method = (params, { app, session }) => {
  session.who = signIn(app, requireString(params, 'token'));
  return { user: session.who.user.name, role: session.who.user.role };
};

/** Token → who it belongs to. */
export function signIn(app: App, token: string): SignedIn {
  return standing(app, app.store.users.find(token));
}

/** Whoever was signed in stays so until the token ends, or somebody ends it or suspends the account. */
export function checkStanding(app: App, { id }: SignedIn): void {
  if (id !== undefined) standing(app, app.store.users.look(id));
}

function standing({ clock }: App, token: Token | undefined): Token {
  if (token === undefined) throw raise('authentication_failed', { reason: 'invalid_token' });
  if (clock.now() >= token.expiresAt) throw raise('token_expired', { expired_at: seconds(token.expiresAt) });
  if (token.user.suspended) throw raise('access_denied', { resource: 'account' });
  return token;
}

const RANK: { readonly [R in Role]: number } = { guest: 0, member: 1, admin: 2 };

/** Refuses an operation that needs a higher role. */
export function requireRole({ who }: Caller, role: Role, operation: string): void {
  if (RANK[who.user.role] < RANK[role])
    throw raise('authorization_failed', { operation, required_role: role });
}

function seconds(ms: number): number {
  return Math.floor(ms / 1000);
}

/** What a key in the store says about its caller: as scopes, which is what a store keeps. */
import type { KeySettings } from '../settings/settings.ts';

/** What a caller may do, and how it is spoken to. */
export type KeyRights = Pick<KeySettings, 'role' | 'dialect' | 'upstreams' | 'scopes'>;

const OPERATOR = 'role:operator';
const UPSTREAM = 'upstream:';
const DIALECT = 'dialect:';
/** Before a scope of the caller's own that would be taken for one of ours. */
const OWN = 'scope:';

/** The scopes of a key with these rights. */
export function scopesOf({ role, dialect, upstreams = [], scopes }: KeyRights): readonly string[] {
  return [
    ...(role === 'operator' ? [OPERATOR] : []),
    ...upstreams.map((name) => `${UPSTREAM}${name}`),
    ...(dialect === undefined ? [] : [`${DIALECT}${dialect}`]),
    ...scopes.map((scope) => (isOurs(scope) ? `${OWN}${scope}` : scope)),
  ];
}

/** The rights of a key with these scopes; what is none of ours is the caller's own. */
export function rightsOf(scopes: readonly string[]): KeyRights {
  const after = (prefix: string): readonly string[] =>
    scopes.filter((scope) => scope.startsWith(prefix)).map((scope) => scope.slice(prefix.length));
  const upstreams = after(UPSTREAM);
  return {
    role: scopes.includes(OPERATOR) ? 'operator' : 'caller',
    dialect: after(DIALECT)[0],
    upstreams: upstreams.length === 0 ? undefined : upstreams,
    scopes: [...scopes.filter((scope) => !isOurs(scope)), ...after(OWN)],
  };
}

function isOurs(scope: string): boolean {
  return /^(?:role|upstream|dialect|scope):/.test(scope);
}

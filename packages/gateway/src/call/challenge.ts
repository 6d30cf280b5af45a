/** `WWW-Authenticate` (RFC 9110, 11.6.1) as it may reach a caller: where to log in stays, secrets do not. */
import { redact } from '@mayday/core/redact';

/** Addresses without which nobody can log in; taken for internals, they would be of no use. */
const ADDRESSES: ReadonlySet<string> = new Set([
  'resource_metadata',
  'as_uri',
  'authorization_uri',
  'error_uri',
]);

/** A scheme, a param with its value, or the separator of either. */
const ITEM = /\s*(?:(,)|([!#$%&'*+.^`|~\w-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"=]+)))?(?=[\s,]|$))/y;

/**
 * The challenge without secrets. What stands behind a scheme without a name is a credential or belongs to one
 * connection; from where it can no longer be read, it is left out.
 */
export function safeChallenge(value: string): string {
  const challenges: { readonly scheme: string; readonly params: string[] }[] = [];
  let isBehindScheme = false;
  ITEM.lastIndex = 0;
  for (let item = ITEM.exec(value); item !== null; item = ITEM.exec(value)) {
    const [, comma, name = '', quoted, bare] = item;
    const said = quoted ?? bare;
    const params = challenges.at(-1)?.params;
    if (comma !== undefined) isBehindScheme = false;
    else if (said !== undefined) params?.push(param(name, said, quoted !== undefined));
    else if (!isBehindScheme) challenges.push({ scheme: redact(name).value, params: [] });
    if (comma === undefined) isBehindScheme = true;
    if (ITEM.lastIndex >= value.length) break;
  }
  return challenges.map(({ scheme, params }) => `${scheme} ${params.join(', ')}`.trimEnd()).join(', ');
}

function param(name: string, said: string, isQuoted: boolean): string {
  const key = redact(name).value;
  const safe = isAddress(name, said) ? said : String(redact({ [name]: said }).value[name]);
  return safe === said && !isQuoted ? `${key}=${said}` : `${key}="${safe}"`;
}

function isAddress(name: string, said: string): boolean {
  if (!ADDRESSES.has(name.toLowerCase()) || !URL.canParse(said)) return false;
  const { username, password, search, hash } = new URL(said);
  return `${username}${password}${search}${hash}` === '';
}

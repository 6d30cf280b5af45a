/** What has to be so before anybody's tokens can be believed. */
import { isOfIssuer } from '../identity/issuer-names.ts';
import { toUrl } from '../to-url.ts';
import { isLoopback } from './checks.ts';
import type { Path, Report } from './problems.ts';
import type { Settings } from './settings.ts';

/** A clock that is off by more is to be set, not tolerated. */
const MAX_TOLERANCE_MS = 300_000;

/** As RFC 6749 writes scopes: a challenge carries them. */
const SCOPE = /^[!#-[\]-~]+$/;
const NO_SCOPE = 'Expected a scope: visible ASCII without spaces, quotes and \\';

/** Issuers that cannot be told apart or asked safely, and settings that need one. */
export function checkOAuth(settings: Settings, report: Report): void {
  const { oauth } = settings;
  const path: Path = ['oauth'];
  if (oauth.issuers.length === 0 && oauth.resource !== undefined)
    report(path, 'No issuer is named; add issuers, or leave oauth out');
  if (oauth.issuers.length > 0 && oauth.resource === undefined)
    report(
      path,
      'resource is missing: the address of the gateway as callers see it, such as https://mcp.example.com',
    );
  if (oauth.resource !== undefined && `${oauth.resource.search}${oauth.resource.hash}` !== '')
    report([...path, 'resource'], 'Expected a URL without a query and without a fragment');
  checkScopes(oauth.scopes, [...path, 'scopes'], report);
  if (oauth.issuers.length > 0)
    for (const [i, { scopes = [] }] of settings.access.rules.entries())
      checkScopes(scopes, ['access', 'rules', i, 'scopes'], report);
  if (oauth.clockToleranceMs > MAX_TOLERANCE_MS)
    report([...path, 'clock_tolerance_ms'], `Expected milliseconds, from 0 to ${MAX_TOLERANCE_MS}`);
  checkIssuers(settings, report);
  checkPassing(settings, report);
}

function checkScopes(scopes: readonly string[], path: Path, report: Report): void {
  for (const [i, scope] of scopes.entries()) if (!SCOPE.test(scope)) report([...path, i], NO_SCOPE);
}

function checkIssuers({ oauth: { issuers }, keys }: Settings, report: Report): void {
  const names = new Set<string>();
  const urls = new Set<string>();
  for (const [i, { name, issuer, jwksUrl, audiences, algorithms, operatorScope }] of issuers.entries()) {
    const path = ['oauth', 'issuers', i];
    if (!/^[a-z0-9][a-z0-9-]{0,31}$/.test(name))
      report([...path, 'name'], 'Expected a name of at most 32 lower-case letters, digits and hyphens');
    if (names.has(name)) report([...path, 'name'], 'Another issuer has this name; names tell callers apart');
    if (urls.has(issuer)) report([...path, 'issuer'], 'It is here twice');
    names.add(name);
    urls.add(issuer);
    if (!isSafeUrl(issuer)) report([...path, 'issuer'], NOT_SAFE);
    if (jwksUrl !== undefined && !isSafeUrl(jwksUrl)) report([...path, 'jwks_url'], NOT_SAFE);
    if (audiences?.length === 0) report([...path, 'audiences'], 'Expected at least one audience');
    if (operatorScope !== undefined && !SCOPE.test(operatorScope))
      report([...path, 'operator_scope'], NO_SCOPE);
    if (algorithms.length === 0) report([...path, 'algorithms'], 'Expected at least one algorithm');
    for (const [j, key] of keys.entries())
      if (isOfIssuer(key.name, [{ name }]))
        report(
          ['keys', j, 'name'],
          `Names that begin with ${name}: are those of an issuer's callers; choose another`,
        );
  }
}

const NOT_SAFE = 'Expected a URL that begins with https://; http:// is for this machine alone';

/** Can keys be fetched from there? Whoever could change them on their way could be anybody. */
export function isSafeUrl(said: string): boolean {
  const url = /^https?:\/\//.test(said) ? toUrl(said) : undefined;
  if (url === undefined || url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || isLoopback(url.hostname);
}

function checkPassing({ oauth, upstreams }: Settings, report: Report): void {
  for (const upstream of upstreams.values()) {
    if (upstream.type !== 'url' || upstream.tokenAudience === undefined) continue;
    const path = ['upstreams', upstream.name, 'token_audience'];
    if (oauth.issuers.length === 0) report(path, 'Nobody has a token: there are no oauth.issuers');
    if (Object.hasOwn(upstream.headers, 'authorization'))
      report(path, 'headers has an authorization, which is sent in place of the token; keep one of them');
  }
}

/** How a server behind a URL is reached: through which proxy, and whose certificates are trusted. */
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { HttpClientOptions } from '@mayday/relay';
import { toUrl } from '../to-url.ts';
import { isLoopback } from './checks.ts';
import type { Report } from './problems.ts';
import type { Settings, UrlSettings } from './settings.ts';

/** The variables of an environment. */
export interface Environment {
  readonly [name: string]: string | undefined;
}

/** What the settings say of it, and the environment where they say nothing. */
export function reachOf(
  { url, proxy, ca }: Pick<UrlSettings, 'url' | 'proxy' | 'ca'>,
  env: Environment,
): HttpClientOptions {
  return reachingWith({ proxy, ca }, env)(url);
}

/** The same for one that is at several addresses. */
export function reachingWith(
  { proxy, ca }: Pick<UrlSettings, 'proxy' | 'ca'>,
  env: Environment,
): (url: URL) => HttpClientOptions {
  const known = ca === undefined ? undefined : readFileSync(ca, 'utf8');
  return (url) => ({ ca: known, proxy: proxyFor(url, proxy, env) });
}

/** In place of a proxy's address: there is none, whatever the environment says. */
const NONE = 'none';

/** The proxy for an address. Those of the environment are for nobody on this machine. */
export function proxyFor(url: URL, said: string | undefined, env: Environment): URL | undefined {
  if (said !== undefined) return said === NONE ? undefined : (proxyIn(said) ?? undefined);
  const name = url.protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  const named = variableIn(env, name) ?? variableIn(env, 'all_proxy');
  if (named === undefined || isLoopback(url.hostname) || isExempt(url, variableIn(env, 'no_proxy') ?? ''))
    return undefined;
  return proxyIn(/^[a-z]+:\/\//i.test(named) ? named : `http://${named}`) ?? undefined;
}

/** As everybody reads them: in small letters first. */
function variableIn(env: Environment, name: string): string | undefined {
  const said = env[name] ?? env[name.toUpperCase()];
  return said === undefined || said === '' ? undefined : said;
}

function proxyIn(said: string): URL | undefined {
  return /^https?:\/\//i.test(said) ? toUrl(said) : undefined;
}

/** Names of hosts and domains, with a port or without, apart by commas; `*` is all of them. */
function isExempt(url: URL, list: string): boolean {
  const host = url.hostname.toLowerCase();
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      const [, named = '', only] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
      if (named === '*') return true;
      const name = named.replace(/^\*?\./, '');
      return name !== '' && (only ?? port) === port && (host === name || host.endsWith(`.${name}`));
    });
}

/** Finds out before anybody calls. */
export function checkReach({ upstreams }: Settings, report: Report): void {
  for (const [name, upstream] of upstreams) {
    if (upstream.type === 'command') continue;
    const { proxy, ca } = upstream;
    if (proxy !== undefined && proxy !== NONE && proxyIn(proxy) === undefined)
      report(['upstreams', name, 'proxy'], 'Expected a URL that begins with http:// or https://, or none');
    const wrong = ca === undefined ? undefined : wrongIn(ca);
    if (wrong !== undefined) report(['upstreams', name, 'ca'], wrong);
  }
}

function wrongIn(file: string): string | undefined {
  try {
    const text = readFileSync(file, 'utf8');
    void new X509Certificate(text);
    return undefined;
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    return typeof code === 'string' && !code.startsWith('ERR_')
      ? `${file} cannot be read (${code}); check the path`
      : `${file} holds no certificate in PEM`;
  }
}

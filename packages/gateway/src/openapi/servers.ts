/** Where an API is, as its document says. Runs in a worker. */
import { toUrl } from '../to-url.ts';
import { memberOf } from './references.ts';

/** The first server of a document, its variables replaced by their defaults, as an absolute URL if it is one. */
export function serverOf(document: unknown, at: URL): { readonly url?: string; readonly note?: string } {
  const { text, missing } = firstOf(document);
  if (missing.length > 0)
    return { note: `the server of the document has no value for ${missing.join(', ')}; set base_url` };
  const servers = memberOf(document, 'servers');
  const isSilent = servers === undefined || (Array.isArray(servers) && servers.length === 0);
  // Who says nothing is where the document is: so do most frameworks that write it themselves.
  const said = text ?? (isSilent ? '/' : undefined);
  if (said === undefined) return {};
  const base = at.protocol === 'file:' ? undefined : at.href;
  const url = toUrl(said, base);
  return url !== undefined && /^https?:$/.test(url.protocol) ? { url: url.href } : {};
}

/**
 * From where the servers of a document are seen that say only where they are beside it. Whoever moves the document to another
 * host does not move the API: what the operator gives it goes to the host that the operator named.
 */
export function seenFrom(asked: URL, found: URL): URL {
  const isSafer = asked.protocol === 'http:' && found.protocol === 'https:';
  return found.origin === asked.origin || (isSafer && found.hostname === asked.hostname) ? found : asked;
}

/** Where one operation is, or those of one path, if that is said there: a URL, or one that is seen from the document's. */
export function ownServer(part: unknown): string | undefined {
  const { text, missing } = firstOf(part);
  return missing.length === 0 ? text : undefined;
}

/** Why nothing can be called at such a server, if that is so. */
export function whyNotCalled(server: string): string | undefined {
  const url = toUrl(server, 'https://seen.from.invalid/');
  if (url === undefined) return 'its server is no URL';
  return /^https?:$/.test(url.protocol)
    ? undefined
    : `its server is at ${url.protocol.slice(0, 40)}, where it cannot be called`;
}

/** The first server of what may have some. */
function firstOf(part: unknown): { readonly text: string | undefined; readonly missing: readonly string[] } {
  const servers = memberOf(part, 'servers');
  const first: unknown = Array.isArray(servers) ? servers[0] : undefined;
  const template = memberOf(first, 'url');
  const missing: string[] = [];
  if (typeof template !== 'string') return { text: undefined, missing };
  const text = template.replace(/\{([^{}]+)\}/g, (_all, name: string) => {
    const value = defaultOf(memberOf(memberOf(first, 'variables'), name));
    if (value === undefined) missing.push(name);
    return value ?? '';
  });
  return { text, missing };
}

function defaultOf(variable: unknown): string | undefined {
  const values = memberOf(variable, 'enum');
  const value = memberOf(variable, 'default') ?? (Array.isArray(values) ? (values[0] as unknown) : undefined);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

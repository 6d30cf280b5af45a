/** Where an API is, as its document says. Runs in a worker. */
import { memberOf } from './references.ts';

/** The first server of a document, its variables replaced by their defaults, as an absolute URL if it is one. */
export function serverOf(document: unknown, at: URL): { readonly url?: string; readonly note?: string } {
  const servers = memberOf(document, 'servers');
  const first: unknown = Array.isArray(servers) ? servers[0] : undefined;
  const template = memberOf(first, 'url');
  if (typeof template !== 'string') return {};
  const missing: string[] = [];
  const text = template.replace(/\{([^{}]+)\}/g, (_all, name: string) => {
    const value = defaultOf(memberOf(memberOf(first, 'variables'), name));
    if (value === undefined) missing.push(name);
    return value ?? '';
  });
  if (missing.length > 0)
    return { note: `the server of the document has no value for ${missing.join(', ')}; set base_url` };
  const base = at.protocol === 'file:' ? undefined : at.href;
  const url = URL.parse(text, base);
  return url !== null && /^https?:$/.test(url.protocol) ? { url: url.href } : {};
}

function defaultOf(variable: unknown): string | undefined {
  const values = memberOf(variable, 'enum');
  const value = memberOf(variable, 'default') ?? (Array.isArray(values) ? (values[0] as unknown) : undefined);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

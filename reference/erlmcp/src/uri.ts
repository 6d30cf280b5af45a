/** URIs and URI templates, as far as this server uses them. */
import { cut, raise } from './errors.ts';

/** Letters that RFC 3986 allows in a URI, percent signs aside. */
const ALLOWED = /^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]*$/;
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/;
const MAX_LENGTH = 2048;

/** Refuses what is no URI: without the form of one, or with letters that none may have. */
export function checkUri(uri: string): void {
  const shown = cut(uri);
  if (uri === '') throw raise('invalid_uri', { uri: shown, reason: 'empty' });
  if (!SCHEME.test(uri)) throw raise('invalid_uri', { uri: shown, reason: 'missing_scheme' });
  if (uri.length > MAX_LENGTH) throw raise('invalid_uri', { uri: shown, reason: 'too_long' });
  if (!ALLOWED.test(uri)) throw raise('uri_syntax_error', { uri: shown, reason: 'illegal_character' });
  if (/%(?![0-9A-Fa-f]{2})/.test(uri))
    throw raise('uri_syntax_error', { uri: shown, reason: 'bad_percent_encoding' });
  if (!URL.canParse(uri)) throw raise('uri_syntax_error', { uri: shown, reason: 'malformed' });
}

/** Is it a template that nobody has filled in? */
export function isTemplate(uri: string): boolean {
  return /\{\w*\}/.test(uri);
}

/** The names of a template's variables. */
export function variablesOf(template: string): readonly string[] {
  return [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
}

/** The values that make a template into this URI; `undefined` when none do. The last variable takes the rest. */
export function match(template: string, uri: string): { readonly [name: string]: string } | undefined {
  const pattern = template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{(\w+)\}/g, '(?<$1>.*)');
  const groups = new RegExp(`^${pattern}$`).exec(uri)?.groups;
  if (groups === undefined) return undefined;
  try {
    return Object.fromEntries(
      Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]),
    );
  } catch {
    return undefined; // escapes that are no UTF-8 stand for no value
  }
}

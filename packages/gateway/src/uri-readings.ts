/** The ways in which servers read a URI: what is decided by its name is decided by all of them. */

/** One URI, as different readers have it. */
export interface Readings {
  /** As it was sent, and in its normal form where that is another. */
  readonly written: readonly string[];
  /** Where they are others: as the paths that a server makes of it, without escapes, dots and doubled slashes. */
  readonly paths: readonly string[];
}

/** How a URI may be read. Whatever is none is read as a path. */
export function readingsOf(uri: string): Readings {
  const written = writtenAs(uri);
  return { written, paths: pathsOf(uri).filter((path) => !written.includes(path)) };
}

/** What all spellings of a URI have in common. */
export function canonicalUri(uri: string): string {
  return pathsOf(uri)[0] ?? uri;
}

function writtenAs(uri: string): readonly string[] {
  return [...new Set([uri, hrefOf(uri)])];
}

/**
 * Below the host; with it, because the host of a scheme of its own is often the first part of a path; and below the host
 * alone, because many servers ask for nothing else of what stands there.
 */
function pathsOf(uri: string): readonly string[] {
  const href = hrefOf(uri);
  const bare = href.replace(USER_AND_PORT, '$1$2');
  return [...new Set([asPath(href, BELOW_HOST), asPath(uri, WITH_HOST), asPath(bare, BELOW_HOST)])];
}

function hrefOf(uri: string): string {
  return URL.canParse(uri) ? new URL(uri).href : uri;
}

/** A pattern of `upstream/uri` as it was written, and in its normal form. One with dots in its path means them. */
export function writtenForms(pattern: string): readonly string[] {
  return formsOf(pattern, (uri) => (DOTS.test(uri) ? [uri] : writtenAs(uri)));
}

/** A pattern of `upstream/uri` as one of paths. */
export function pathForms(pattern: string): readonly string[] {
  return formsOf(pattern, pathsOf);
}

function formsOf(pattern: string, of: (uri: string) => readonly string[]): readonly string[] {
  const slash = pattern.indexOf('/') + 1;
  return slash === 0 ? [pattern] : of(pattern.slice(slash)).map((form) => pattern.slice(0, slash) + form);
}

const DOTS = /(?:^|[/\\])(?:\.|%2e){1,2}(?:[/\\?#]|$)/i;

/** Everything around a host. */
const USER_AND_PORT = /^([a-z][a-z0-9+.-]*:\/\/)(?:[^/?#\\]*@)?([^/?#\\]*?)(?::\d*)?(?=[/?#\\]|$)/i;

/** What comes before a path, the path, and what comes behind. */
const BELOW_HOST = /^([a-z][a-z0-9+.-]*:(?:\/\/[^/?#]*)?)?([^?#]*)(.*)$/is;
const WITH_HOST = /^([a-z][a-z0-9+.-]*:(?:\/\/)?)?([^?#]*)(.*)$/is;

function asPath(uri: string, parts: RegExp): string {
  const [, place = '', path = '', rest = ''] = parts.exec(uri) ?? [];
  return unescaped(place).toLowerCase() + withoutDots(unescaped(path)) + unescaped(rest);
}

/** What is no UTF-8 hides nothing beside it. A star stays escaped: in a pattern it would stand for anything. */
function unescaped(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, (run) =>
    Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8').replaceAll('*', '%2A'),
  );
}

function withoutDots(path: string): string {
  const parts = path.split(/[/\\]+/);
  const kept: string[] = [];
  for (const part of parts) {
    if (part === '..' && kept.at(-1) !== '') kept.pop();
    if (part !== '.' && part !== '..') kept.push(part);
  }
  const last = parts.at(-1);
  if (last === '.' || last === '..') kept.push('');
  return kept.join('/');
}

/** Patterns of `upstream/uri`, and what they are about: judged by its parts where they name a host, else as text. */
import { type Fits, fitsAny } from './patterns.ts';
import { isOfTheWeb, parted, type UriParts } from './uri-parts.ts';
import { formsOf, meantBy, readingsOf, upstreamOf } from './uri-readings.ts';

/** One reading of a URI of an upstream. */
export interface Resource {
  readonly upstream: string;
  readonly reading: string;
  /** Is it the path that a server makes of the URI? */
  readonly isPath: boolean;
  /** `upstream/uri` for all that could be meant by it. */
  readonly meant: () => readonly string[];
}

/** All readings of a URI, ready to be held against patterns. */
export function resourcesOf(upstream: string, uri: string): readonly Resource[] {
  const { written, paths } = readingsOf(uri);
  return [
    ...written.map((reading) => resourceOf(upstream, reading, false)),
    ...paths.map((reading) => resourceOf(upstream, reading, true)),
  ];
}

function resourceOf(upstream: string, reading: string, isPath: boolean): Resource {
  let meant: readonly string[] | undefined;
  return {
    upstream,
    reading,
    isPath,
    meant: () => {
      meant ??= meantBy(reading).map((uri) => `${upstream}/${uri}`);
      return meant;
    },
  };
}

/** Is it surely what one of these patterns is about? Whoever is let through by them may use nothing else. */
export function means(patterns: readonly string[]): (resource: Resource) => boolean {
  const forms = patterns.map(formsOf);
  const asWritten = forms.flatMap(({ written }) => written).map(meansOne);
  // Whoever lets `a%20b` pass means the file `a b` too.
  const asPaths = [...asWritten, ...forms.flatMap(({ paths }) => paths).map(meansOne)];
  return (resource) => (resource.isPath ? asPaths : asWritten).some((fits) => fits(resource));
}

/** Could it be what one of these patterns is about? Whoever is held back by them does not get round them. */
export function mayMean(patterns: readonly string[]): (names: readonly string[]) => boolean {
  const fits = fitsAny(patterns.flatMap((pattern) => formsOf(pattern).likely));
  return (names) => names.some(fits);
}

function meansOne(pattern: string): (resource: Resource) => boolean {
  const before = upstreamOf(pattern);
  const parts = parted(pattern.slice(before.length));
  if (parts === undefined) {
    const fits = fitsAny([pattern]);
    return ({ upstream, reading }) => fits(`${upstream}/${reading}`);
  }
  const scheme = fitsAny([before + parts.scheme]);
  const below = fitsBelow(parts);
  return ({ upstream, reading }) => {
    const found = parted(reading);
    if (found === undefined || !scheme(`${upstream}/${found.scheme}`) || !below(found)) return false;
    // What no browser takes for an address of the web, other readers take for various ones.
    return !isOfTheWeb(found.scheme) || URL.canParse(reading);
  };
}

/** No star runs over the end of its part, except the one at the end of all: it stands for the rest too. */
function fitsBelow({ user, host, port, rest }: UriParts): (found: UriParts) => boolean {
  const isOpen = rest === '' && (port ?? host).endsWith('*');
  const isAnywhere = user === undefined && host === '*' && port === undefined;
  const users = isAnywhere ? () => true : fitsPart(user);
  const hosts = fitsAny([host]);
  const ports = isAnywhere || (isOpen && port === undefined) ? () => true : fitsPart(port);
  const rests: Fits = isOpen ? () => true : fitsAny([rest]);
  return (found) => users(found.user) && hosts(found.host) && ports(found.port) && rests(found.rest);
}

/** Whoever has not named a user or a port has allowed none. */
function fitsPart(pattern: string | undefined): (part: string | undefined) => boolean {
  if (pattern === undefined) return (part) => part === undefined;
  const fits = fitsAny([pattern]);
  return (part) => part !== undefined && fits(part);
}

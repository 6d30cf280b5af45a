/** Where operations are called, and which of these places are the API's own. */
import type { OpenApiSettings } from '../settings/settings.ts';
import { toUrl } from '../to-url.ts';
import type { OperationEntry } from './api-worker.ts';

/** Where an operation is called. */
export interface Place {
  readonly base: URL;
  /** It is given what the settings say: headers, and what is added to queries. */
  readonly isOwn: boolean;
  /** It is the API itself, and no other place that the operator has named: it is given what is the caller's own, too. */
  readonly isHome: boolean;
}

/** Finds the places of operations. */
export interface Places {
  of(operation: OperationEntry): Place;
  /** What an operator should know, once all have been found. */
  readonly notes: readonly string[];
}

/** What places follow from. */
export interface PlacesOptions {
  /** Where the API is. */
  readonly base: URL;
  /** Where its document says that it is. */
  readonly server: string | undefined;
  readonly settings: Pick<OpenApiSettings, 'baseUrl' | 'origins' | 'headers' | 'query'>;
}

/**
 * Finds the places of operations. Some are elsewhere, as their document says. What the operator sends for proof of who they are goes
 * there only when the operator has named the place; and where the operator has said where the API is, nothing else goes there either.
 */
export function createPlaces({ base, server, settings }: PlacesOptions): Places {
  const { baseUrl, origins, headers, query } = settings;
  const home: Place = { base, isOwn: true, isHome: true };
  const notes: string[] = baseUrl === undefined ? [...unsent(base)] : [];
  const isNamed = namedIn(origins);
  // A document that names no server is at the root of wherever it is.
  const root = new URL(server ?? new URL('/', base));
  const hasSecrets = Object.keys(headers).length + Object.keys(query).length > 0;
  return {
    notes,
    of({ server: own, method, path }) {
      const url = own === undefined ? undefined : toUrl(own, root.href);
      if (url === undefined || !/^https?:$/.test(url.protocol)) return home;
      for (const note of unsent(url)) if (!notes.includes(note)) notes.push(note);
      if (url.origin === root.origin) {
        const { pathname, isKnown } = movedWith(url.pathname, root.pathname, base.pathname);
        if (!isKnown)
          notes.push(
            `${method} ${path} is beside the API, says the document; it is called below base_url, at ${pathname}`,
          );
        return { base: new URL(pathname, base), isOwn: true, isHome: true };
      }
      if (isNamed(url.origin)) return { base: url, isOwn: true, isHome: url.origin === base.origin };
      const said = `${method} ${path} is at ${url.origin}, says the document`;
      if (baseUrl !== undefined) {
        notes.push(`${said}; it is called at base_url, unless origins names that place`);
        return home;
      }
      if (hasSecrets)
        notes.push(`${said}; it is called there without headers and query, unless origins names that place`);
      return { base: url, isOwn: false, isHome: false };
    },
  };
}

/** What a document has in the address of a server and is not sent. What it says may be secret. */
function unsent({ origin, pathname, search, username, password }: URL): readonly string[] {
  const at = `the server ${origin}${pathname} of the document`;
  return [
    ...(search === '' ? [] : [`${at} has a query, which is not sent; put what has to go along into query`]),
    ...(username + password === ''
      ? []
      : [`${at} has a user or a password, which are not sent; put them into headers`]),
  ];
}

/**
 * A path of the API, where the API is at `to` and not at `from`: what is below stays below, what is beside stays beside if both
 * end alike. Where else it would be nobody knows; whatever is beside `to` may be somebody else's.
 */
function movedWith(path: string, from: string, to: string): { pathname: string; isKnown: boolean } {
  const [own, before, after] = [path, from, to].map((each) => each.replace(/\/+$/, '')) as [
    string,
    string,
    string,
  ];
  if (own === before || own.startsWith(`${before}/`))
    return { pathname: `${after}${own.slice(before.length)}` || '/', isKnown: true };
  const isAlike = after.endsWith(before);
  const above = isAlike ? after.slice(0, after.length - before.length) : after;
  return { pathname: `${above}${own}` || '/', isKnown: isAlike };
}

/** Is an origin one of these? `https://*.example.com` names all below. */
export function namedIn(origins: readonly string[]): (origin: string) => boolean {
  const patterns = origins.map((origin) => origin.toLowerCase().replace(/\/$/, ''));
  return (origin) =>
    patterns.some((pattern) => {
      const [scheme = '', rest = ''] = pattern.split('://*.');
      if (rest === '') return pattern === origin;
      return origin.startsWith(`${scheme}://`) && origin.endsWith(`.${rest}`);
    });
}

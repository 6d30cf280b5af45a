/** A URI by its parts, and patterns of URIs too: in those each part may have stars. */

/** The parts of a URI that names a host. */
export interface UriParts {
  readonly scheme: string;
  /** With the password, where there is one. */
  readonly user: string | undefined;
  readonly host: string;
  readonly port: string | undefined;
  /** The path, and all that comes behind it. */
  readonly rest: string;
}

/** Takes a URI, or a pattern of one, apart; `undefined` where it has no `//` behind its scheme. */
export function parted(uri: string): UriParts | undefined {
  const [, scheme, authority = '', rest = ''] = URI.exec(uri) ?? [];
  if (scheme === undefined) return undefined;
  const at = authority.lastIndexOf('@');
  const place = authority.slice(at + 1);
  const colon = place.indexOf(':', place.startsWith('[') ? place.indexOf(']') : 0);
  return {
    scheme,
    user: at < 0 ? undefined : authority.slice(0, at),
    host: colon < 0 ? place : place.slice(0, colon),
    port: colon < 0 ? undefined : place.slice(colon + 1),
    rest,
  };
}

/** A host ends at whatever some reader takes for the beginning of a path. */
const URI = /^([a-z*][a-z0-9+.*-]*):\/\/([^/?#\\]*)(.*)$/is;

/** The URI that has these parts. */
export function spelt({ scheme, user, host, port, rest }: UriParts): string {
  return `${scheme}://${user === undefined ? '' : `${user}@`}${host}${port === undefined ? '' : `:${port}`}${rest}`;
}

/** A URI in its normal form; as it is where it has none. */
export function hrefOf(uri: string): string {
  return URL.canParse(uri) ? new URL(uri).href : uri;
}

/** Is the host of such a URI one of the web, with a normal form of its own? */
export function isOfTheWeb(scheme: string): boolean {
  return USUAL_PORTS.has(scheme.toLowerCase());
}

/** Which port is meant if none is written; unknown of most schemes. */
export function usualPort(scheme: string): string | undefined {
  return USUAL_PORTS.get(scheme.toLowerCase());
}

const USUAL_PORTS: ReadonlyMap<string, string> = new Map([
  ['http', '80'],
  ['https', '443'],
  ['ws', '80'],
  ['wss', '443'],
  ['ftp', '21'],
]);

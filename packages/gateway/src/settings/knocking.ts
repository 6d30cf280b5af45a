/** Names and pages that are let in: the door compares them whole with what a request says, so they are written as requests say them. */
import { isIPv6 } from 'node:net';

/** What is kept of a text, or what is wrong with it. */
export type Knocking = { readonly kept: string } | { readonly wrong: string };

const NAME = '(?:\\[[\\dA-Fa-f:.]+\\]|[^\\s:/?#@*\\\\[\\]%"<>^`{|}]+)(?::\\d{1,5})?';

/** What a `Host` header may carry, or an address of IPv6 without its brackets; `*`. */
export const HOST: string = `^(?:\\*|${NAME}|[\\dA-Fa-f]*(?::[\\dA-Fa-f.]*){2,})$`;

/** What an `Origin` header may carry, with a slash at its end or not; `*`. */
export const WEB_ORIGIN: string = `^(?:\\*|null|[A-Za-z][\\dA-Za-z+.-]*://${NAME}/?)$`;

/** A name as a `Host` header carries it. Capitals are no matter there. */
export function readHost(said: string): Knocking {
  if (new RegExp(HOST).test(said) && !isBeyondPorts(said))
    return { kept: isIPv6(said) ? hostIn(`http://[${said}]`) : asSent(said) };
  if (said.includes('*')) return { wrong: `Names are compared whole; ${EACH_OR_ALL}` };
  if (isBeyondPorts(said)) return { wrong: NO_PORT };
  const host = hostIn(said);
  const instead = host === '' ? 'mcp.example.com' : host;
  return { wrong: `Expected a name as a Host header has it, without scheme and path, such as ${instead}` };
}

/** An origin as browsers say it: in small letters, without the usual port and without a path. */
export function readWebOrigin(said: string): Knocking {
  if (!new RegExp(WEB_ORIGIN).test(said) || isBeyondPorts(said)) return { wrong: whyNoOrigin(said) };
  const url = URL.canParse(said) ? new URL(said) : undefined;
  // Of schemes that are no web's, browsers and programs each say the origin in their own way.
  const isOfWeb = url !== undefined && url.origin !== 'null';
  return { kept: isOfWeb ? url.origin : said.replace(/\/$/, '') };
}

/** Has it a port that nobody listens at? */
function isBeyondPorts(said: string): boolean {
  const port = isIPv6(said) ? undefined : /:(\d{1,5})\/?$/.exec(said)?.[1];
  return port !== undefined && (Number(port) === 0 || Number(port) > 65_535);
}

const NO_PORT = 'Expected a port from 1 to 65535, or none';

const EACH_OR_ALL = 'write each of them, or * for all';

function whyNoOrigin(said: string): string {
  if (said.includes('*')) return `Origins are compared whole; ${EACH_OR_ALL}`;
  if (isBeyondPorts(said)) return NO_PORT;
  const [, scheme = 'https:'] = /^([a-z][\da-z+.-]*:)\/\//i.exec(said) ?? [];
  const host = hostIn(said);
  const instead = host === '' ? 'https://app.example.com' : `${scheme.toLowerCase()}//${host}`;
  return `Expected an origin, with its scheme and without a path, such as ${instead}`;
}

/** What of it names a host, and nothing else: it may hold a password. */
function hostIn(said: string): string {
  const address = said.includes('://') ? said.replace(/^[^:]*/, 'http') : `http://${said}`;
  return URL.canParse(address) ? new URL(address).host : '';
}

/** Whoever sends a name in letters of all the world writes it in those of ASCII. */
function asSent(name: string): string {
  const isPlain = /^[ -~]*$/.test(name);
  return isPlain ? name.toLowerCase() : hostIn(name) || name;
}

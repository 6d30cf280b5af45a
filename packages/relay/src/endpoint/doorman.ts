/** Who may knock: the names that a request may call this server by, and the pages that may send it. */
import type { RequestHead } from './request-head.ts';

/** The names and pages that are let in. */
export interface DoormanOptions {
  /** Names that a `Host` header may carry beside the loopback ones; `*` allows all. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Origins of web pages that may call, beside those on loopback; `*` allows all. */
  readonly allowedOrigins?: readonly string[] | undefined;
}

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]', '::1']);

/** Checks `Host` and `Origin`, which is what keeps a web page from reaching a server on this machine. */
export function createDoorman(
  options: DoormanOptions,
  host: string,
): (request: RequestHead) => 'no_host' | 'host' | 'two_hosts' | 'origin' | undefined {
  const names = [...LOOPBACK, host, ...(options.allowedHosts ?? [])];
  const hosts = new Set(names.map((name) => name.toLowerCase()));
  const origins = new Set(options.allowedOrigins ?? []);
  const known = new Map<string, boolean>();

  function hostIsAllowed(header: string): boolean {
    const cached = known.get(header);
    if (cached !== undefined) return cached;
    const name = header.toLowerCase();
    const allowed = hosts.has('*') || hosts.has(name) || hosts.has(withoutPort(name));
    if (known.size < 64) known.set(header, allowed);
    return allowed;
  }

  return (request) => {
    const { host: said, origin } = request.headers;
    if (saysTwice(request.rawHeaders, 'host')) return 'two_hosts';
    if (said === undefined) return 'no_host';
    if (!hostIsAllowed(said)) return 'host';
    if (origin === undefined || origins.has('*') || origins.has(origin)) return undefined;
    return isLoopbackOrigin(origin) ? undefined : 'origin';
  };
}

/** The name before the one port that a header has. An address of IPv6 that has one stands in brackets. */
function withoutPort(name: string): string {
  return /^(\[[^\]]*\]|[^:]*):\d{1,5}$/.exec(name)?.[1] ?? name;
}

/** Node takes the first of two; whoever stands before us may have taken the second. */
function saysTwice(rawHeaders: readonly string[], name: string): boolean {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const said = rawHeaders[i];
    if (said?.length === name.length && said.toLowerCase() === name) count += 1;
  }
  return count > 1;
}

function isLoopbackOrigin(origin: string): boolean {
  return URL.canParse(origin) && LOOPBACK.has(new URL(origin).hostname);
}

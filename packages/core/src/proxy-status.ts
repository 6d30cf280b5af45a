/**
 * What a proxy or a cache says of the hop behind it (RFC 9209, RFC 9211): whether it was asked at all. Where it was, the
 * refusal in front of it tells nothing of the work.
 */
import { isPhrase } from './status-line.ts';

/**
 * The errors that a proxy meets before it has sent anything, and those that it gives of its own. A TLS error or an alert
 * may come at any time, and so may an error inside the proxy.
 */
const BEFORE_SENDING: ReadonlySet<string> = new Set(
  `dns_timeout dns_error destination_not_found destination_unavailable destination_ip_prohibited
  destination_ip_unroutable connection_refused connection_timeout connection_limit_reached tls_certificate_error
  http_request_error http_request_denied proxy_internal_response`.split(/\s+/),
);

/** Parameters that tell how somebody was looked for, or why the proxy itself refuses. */
const OF_THE_WAY: ReadonlySet<string> = new Set(
  'next-hop next-protocol rcode info-code status-code status-phrase details error received-status'.split(' '),
);

/** What a cache says without having asked, or of an answer that is the refusal itself. */
const OF_CACHES: ReadonlySet<string> = new Set('hit fwd fwd-status ttl collapsed key'.split(' '));

/** A hop behind that refuses with the same status said no more than is said here. */
const SAME = '429';

/** Has every proxy refused of itself, or found nobody whom to ask? */
export function isHarmlessProxyStatus(value: string): boolean {
  return parametersOf(value).every(([name, said]) => {
    if (!OF_THE_WAY.has(name)) return false;
    if (name === 'error') return BEFORE_SENDING.has(said);
    if (name === 'received-status') return said === SAME;
    return (name !== 'details' && name !== 'status-phrase') || isPhrase(said);
  });
}

/** Has every cache handed on nothing but a refusal? */
export function isHarmlessCacheStatus(value: string): boolean {
  return parametersOf(value).every(
    ([name, said]) => OF_CACHES.has(name) && (name !== 'fwd-status' || said === SAME),
  );
}

/** One parameter, after the name of who says it; a quoted value may have any signs in it. */
const PARAMETER = /;\s{0,9}([a-z*][\w.*-]{0,60})(?:\s{0,9}=\s{0,9}(?:"([^"]{0,500})"|([^\s;,"]{0,200})))?/gi;

function parametersOf(value: string): readonly (readonly [name: string, said: string])[] {
  return [...value.matchAll(PARAMETER)].map(([, name = '', quoted, plain = '']) => [
    name.toLowerCase(),
    (quoted ?? plain).toLowerCase(),
  ]);
}

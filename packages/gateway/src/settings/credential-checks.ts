/** Credentials of callers that could not be kept, or would not reach their server. */
import type { Path, Report } from './problems.ts';
import type { Settings, UpstreamSettings } from './settings.ts';

/** How a secret gets into the file without being in it. */
const VARIABLE = 'MAYDAY_STORE_SECRET';
const SECRET: string = `\`secret: \${${VARIABLE}}\``;

/** A scheme, as RFC 9110 writes one. */
const SCHEME = /^[!#$%&'*+.^_`|~\w-]+$/;

/** They belong to the connection, or say what a message is. */
const NOT_FREE =
  /^(?:connection|content-.*|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade|http2-settings|proxy-.*|accept|accept-encoding|mcp-.*|last-event-id|traceparent|tracestate)$/;

/** Settings that need a store and a secret, and headers that somebody else writes. */
export function checkCredentials({ upstreams, store }: Settings, report: Report): void {
  for (const upstream of upstreams.values()) {
    if (upstream.type === 'command') continue;
    const path = ['upstreams', upstream.name, 'caller_credentials'];
    const { header, scheme } = upstream.callerCredentials;
    if (header === undefined) continue;
    if (store.url === undefined)
      report(path, `They are kept in a store, sealed; add store with a url and ${SECRET}`);
    else if (store.secret === undefined)
      report(path, `They are kept sealed, and store.secret is missing; add ${SECRET}, and set that variable`);
    if (scheme !== undefined && !SCHEME.test(scheme)) report([...path, 'scheme'], 'Expected one word');
    checkHeader(upstream, header.toLowerCase(), [...path, 'header'], report);
  }
}

function checkHeader(
  upstream: Exclude<UpstreamSettings, { type: 'command' }>,
  header: string,
  path: Path,
  report: Report,
): void {
  if (NOT_FREE.test(header)) report(path, 'This header is not free to carry a credential');
  if (Object.hasOwn(upstream.headers, header))
    report(path, 'headers has it too, the same for all callers; keep one of them');
  if (upstream.type === 'url' && upstream.tokenAudience !== undefined && header === 'authorization')
    report(path, 'token_audience sends the token of the caller in this header; keep one of them');
}

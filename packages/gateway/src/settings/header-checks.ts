/** What would silently not be sent, or break every message: settings of what is reached over HTTP. */
import { isReserved } from '../header-names.ts';
import type { Path, Report } from './problems.ts';
import type { OpenApiSettings, Settings, UrlSettings } from './settings.ts';

const NEVER = /(?!)/;

/**
 * What a message is, in which conversation, and how its answer may come: the gateway says that itself, with each of them. With the
 * values that work all the same, since many clients have them in their files.
 */
const OF_MESSAGES: { readonly [name: string]: RegExp } = {
  accept: /^$|\/(?:\*|json|event-stream)/i,
  'accept-encoding': /^(?:identity)?$/i,
  'content-encoding': /^(?:identity)?$/i,
  'content-type': /^application\/json\s*(?:;|$)/i,
  'last-event-id': NEVER,
  'mcp-method': NEVER,
  'mcp-name': NEVER,
  'mcp-protocol-version': NEVER,
  'mcp-session-id': NEVER,
};

function isOfMessages(header: string): boolean {
  return Object.hasOwn(OF_MESSAGES, header);
}

/** They are for who stands between, and go no further. */
const OF_PROXIES = /^(?:http2-settings|proxy-.*)$/;

/** Reports headers that somebody else writes, and what of an API's address and operations could not be meant. */
export function checkSent({ upstreams }: Settings, report: Report): void {
  for (const upstream of upstreams.values()) {
    const path = ['upstreams', upstream.name];
    if (upstream.type === 'url') checkHeaders(upstream, [...path, 'headers'], report);
    if (upstream.type === 'openapi') checkApi(upstream, path, report);
  }
}

function checkHeaders({ headers }: UrlSettings, path: Path, report: Report): void {
  for (const [name, value] of Object.entries(headers)) {
    const works = Object.hasOwn(OF_MESSAGES, name) ? OF_MESSAGES[name] : undefined;
    if (works?.test(value) === false)
      report([...path, name], 'The gateway writes this header itself; leave it out');
    if (OF_PROXIES.test(name))
      report(
        [...path, name],
        'This header is for a proxy and is not sent on; put a user and a password into proxy',
      );
  }
}

function checkApi({ baseUrl, operations, ...api }: OpenApiSettings, path: Path, report: Report): void {
  if (baseUrl !== undefined && baseUrl.search !== '')
    report([...path, 'base_url'], 'A query in it is not sent; put its names and values into query');
  if (operations?.length === 0)
    report([...path, 'operations'], 'Expected at least one operation; leave it out for all of them');
  const { headers, callerCredentials, idempotencyHeader } = api;
  const header = idempotencyHeader?.toLowerCase();
  const at = [...path, 'idempotency_header'];
  if (header === undefined) return;
  if (isReserved(header) || isOfMessages(header)) report(at, 'This header is not free to carry a key');
  if (Object.hasOwn(headers, header))
    report(at, 'headers has it too, the same for all calls; keep one of them');
  if (header === callerCredentials.header?.toLowerCase())
    report(at, 'caller_credentials sends a credential in this header; keep one of them');
}

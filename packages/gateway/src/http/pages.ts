/**
 * Web pages of other origins, as far as they may call: browsers ask first, and give a page of an answer only what they are
 * told to. Cookies are never asked for: a page shows a key or a token of its own, as everybody does.
 * @see https://fetch.spec.whatwg.org/#http-cors-protocol
 */
import type { Reply, ReplyHeaders, RequestHead } from '@mayday/relay';
import type { Match, Route } from './routes.ts';

/** What callers send that a page may not send unasked. */
const SENT = [
  'Accept',
  'Authorization',
  'Content-Type',
  'Last-Event-ID',
  'Mayday-Dialect',
  'Mcp-Method',
  'Mcp-Name',
  'MCP-Protocol-Version',
  'Mcp-Session-Id',
  'traceparent',
  'tracestate',
] as const;

/** What a page has to read beside an answer. */
const READ = ['Mcp-Session-Id', 'MCP-Protocol-Version', 'Retry-After', 'WWW-Authenticate'].join(', ');

/** A day: what is allowed changes with a restart alone. Browsers take less. */
const MAX_AGE_S = '86400';

/** Tools may want some of their arguments in headers that are named after them. */
const OF_ARGUMENT = /^mcp-param-[\w-]{1,100}$/i;

/**
 * Lets the page that sends a request read its answer, if one does. True: it was a browser's question whether the page may
 * ask, and is answered. Who is not let in has been turned away before.
 */
export function meetPage({ method, headers }: RequestHead, reply: Reply, match: Match | undefined): boolean {
  const { origin } = headers;
  if (origin === undefined || match === undefined || !isForPages(match.route)) return false;
  if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) {
    reply.onHead((head) => readableBy(origin, head));
    return false;
  }
  reply.raw(204, {
    'access-control-allow-origin': origin,
    vary: 'Origin',
    'access-control-allow-methods': match.route.methods.join(', '),
    'access-control-allow-headers': [...SENT, ...argumentsIn(headers)].join(', '),
    'access-control-max-age': MAX_AGE_S,
  });
  return true;
}

/** Endpoints, and where to log in for them. What operators ask is for the gateway's own pages. */
function isForPages({ name }: Route): boolean {
  return name === 'joined' || name === 'upstream' || name === 'metadata';
}

function argumentsIn({ 'access-control-request-headers': asked = '' }: RequestHead['headers']): string[] {
  return String(asked)
    .split(',')
    .map((name) => name.trim())
    .filter((name) => OF_ARGUMENT.test(name));
}

/** What a server says about pages that may ask it is not about those that may ask the gateway. */
function readableBy(origin: string, head: ReplyHeaders): ReplyHeaders {
  const kept = Object.entries(head).filter(([name]) => !name.startsWith('access-control-'));
  return {
    ...Object.fromEntries(kept),
    'access-control-allow-origin': origin,
    'access-control-expose-headers': READ,
    vary: withOrigin(head['vary']),
  };
}

function withOrigin(vary: string | undefined): string {
  if (vary === undefined) return 'Origin';
  return /(?:^|,)\s*(?:origin|\*)\s*(?:,|$)/i.test(vary) ? vary : `${vary}, Origin`;
}

/** The admin API over HTTP: who may ask, how often, from where, and in what form. */
import type { DialectId } from '@mayday/core';
import { toSeconds } from '@mayday/core/http';
import { createMemoryRateStore } from '@mayday/policy';
import type { Entry, Reply, ReplyHeaders, RequestHead } from '@mayday/relay';
import { encodedInTurns } from '../encode-in-turns.ts';
import type { DoorFault } from '../http/refusals.ts';
import type { KnownCaller } from '../identity/keys.ts';
import { policyNames, rateHeaders } from '../limits/rate-headers.ts';
import { toUrl } from '../to-url.ts';
import type { Admin, FoundOperation } from './admin.ts';
import { ROOT } from './describe.ts';
import { follow } from './follow.ts';
import { no } from './operation.ts';
import { readBody } from './read-body.ts';

/** The dialect of an HTTP API. */
export const ADMIN_DIALECT: DialectId = 'problem';

/** The largest request; a key with a thousand scopes fits. */
export const ADMIN_BODY_BYTES = 262_144;

/** Streams that are open at a time: each asks the store twice a second. */
const MAX_STREAMS = 32;

/** What the API over HTTP needs. */
export interface AdminDoorOptions {
  readonly admin: Admin;
  readonly requestsPerMinute: number;
  /** Pages that may ask beside those of the gateway itself. */
  readonly allowedOrigins: readonly string[];
  readonly isClosing: () => boolean;
  readonly onBug: (error: unknown) => void;
}

/** An operator's request. */
export interface AdminVisit {
  readonly request: RequestHead;
  readonly reply: Reply;
  readonly caller: KnownCaller;
  /** Says no. */
  readonly refused: (fault: DoorFault) => undefined;
  /** It stays for as long as its key is good. */
  readonly stays: () => void;
}

/** The way to the API. */
export interface AdminDoor {
  enter(visit: AdminVisit): Entry | undefined;
}

/** Creates it. */
export function createAdminDoor(options: AdminDoorOptions): AdminDoor {
  const counted = counter(options.requestsPerMinute);
  let streams = 0;

  async function answer(
    visit: AdminVisit,
    found: FoundOperation,
    body: unknown,
    headers: ReplyHeaders,
  ): Promise<void> {
    const { request, reply, caller } = visit;
    const outcome = await options.admin.run(found, {
      path: withLastEvent(request, found),
      body,
      actor: caller.name,
    });
    if ('fault' in outcome) refuse(visit, outcome, headers);
    else if (!('follow' in outcome))
      reply.json(outcome.status, await encodedInTurns(outcome.body), { ...PLAIN, ...headers });
    else if (streams >= MAX_STREAMS) refuse(visit, TOO_MANY_STREAMS, headers);
    else {
      streams += 1;
      visit.stays();
      const { isClosing } = options;
      const told = { ...PLAIN, ...FLOWING, ...headers };
      const isHead = request.method === 'HEAD';
      await follow(reply, outcome.follow, { headers: told, isHead, isClosing }).finally(() => {
        streams -= 1;
      });
    }
  }

  function refuse({ refused }: AdminVisit, fault: DoorFault, headers: ReplyHeaders): undefined {
    return refused({ ...fault, headers: { ...PLAIN, ...headers, ...fault.headers } });
  }

  return {
    enter(visit) {
      const { request, caller } = visit;
      if (!isOwnPage(request, options.allowedOrigins)) return refuse(visit, FOREIGN_PAGE, {});
      const { waitMs, headers } = counted(caller.id);
      if (waitMs > 0) return refuse(visit, tooMany(options.requestsPerMinute, waitMs), headers);
      const path = (request.url ?? '').slice(ROOT.length);
      const found = options.admin.find(request.method ?? '', path);
      if ('fault' in found) return refuse(visit, found, headers);
      const odd = found.operation.method === 'POST' ? unfit(visit) : undefined;
      if (odd !== undefined) return refuse(visit, odd, headers);
      return {
        maxBodyBytes: ADMIN_BODY_BYTES,
        handle(bytes) {
          const read = readBody(bytes);
          if ('refused' in read) return refuse(visit, read.refused, headers);
          const isChange = found.operation.method === 'POST';
          void answer(visit, found, read.body, headers).catch((error: unknown) => {
            const fault = failed(error, isChange, options.onBug);
            if (visit.reply.isOpen) refuse(visit, fault, headers);
            else visit.reply.abort();
          });
        },
      };
    },
  };
}

/** Keys are in some answers: nobody in between keeps one. */
const PLAIN: ReplyHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
/** Who compresses a stream holds it back. */
const FLOWING: ReplyHeaders = { 'cache-control': `${PLAIN['cache-control']}, no-transform` };

const MINUTE_MS = 60_000;

/** Counts requests of each operator. */
function counter(
  requestsPerMinute: number,
): (who: string) => { readonly waitMs: number; readonly headers: ReplyHeaders } {
  const rates = createMemoryRateStore({ maxKeys: 10_000 });
  const limit = { calls: requestsPerMinute, perMs: MINUTE_MS };
  const [name = ''] = policyNames([limit]);
  const headersAt = rateHeaders(name, limit);
  return (who) => {
    const wish = { key: who, limit: requestsPerMinute, windowMs: MINUTE_MS, now: Date.now() };
    const [standing] = rates.takeAll([wish]);
    if (standing === undefined) return { waitMs: 0, headers: {} };
    return { waitMs: standing.waitMs, headers: headersAt(standing) };
  };
}

function tooMany(requestsPerMinute: number, waitMs: number): DoorFault {
  return {
    ...no(429, {
      kind: 'rate_limited',
      message: `An operator makes ${requestsPerMinute} requests in a minute`,
      retry: { afterMs: waitMs },
    }),
    headers: { 'retry-after': String(toSeconds(waitMs)) },
  };
}

/**
 * There are no cookies, so that no page can act in the name of whoever looks at it. A page of the gateway itself may ask,
 * and one that is named. Of what needs no `Origin` (a picture, a link) browsers say whether another site asks.
 */
function isOwnPage({ headers }: RequestHead, allowed: readonly string[]): boolean {
  const { origin, host, 'sec-fetch-site': site = 'none' } = headers;
  if (origin === undefined) return site === 'none' || site === 'same-origin';
  if (allowed.includes(origin)) return true;
  return host !== undefined && toUrl(origin)?.host === host.toLowerCase();
}

const FOREIGN_PAGE = no(403, {
  kind: 'forbidden',
  subject: { type: 'header', id: 'Origin' },
  message: 'Pages of another origin may not use the admin API',
  advice: 'Name the origin in `listen.allowed_origins`.',
});

/** What speaks against a change before it is read. */
function unfit({ request, caller }: AdminVisit): DoorFault | undefined {
  if (!caller.isKnown) return NOBODY_KNOWN;
  const { 'content-type': type = '', 'content-encoding': coding = 'identity' } = request.headers;
  if (!JSON_TYPE.test(type) || !UTF8.test(CHARSET.exec(type)?.[1] ?? 'utf-8')) return NOT_JSON;
  return coding === 'identity' ? undefined : ENCODED;
}

const JSON_TYPE = /^application\/json *(?:;|$)/i;
const CHARSET = /; *charset *= *"?([^";]*)/i;
const UTF8 = /^utf-?8 *$/i;

/** Who did it is in the audit log; where nobody needs a key, nobody is known. */
const NOBODY_KNOWN = no(403, {
  kind: 'forbidden',
  message: 'Changes are made by operators who are known by name, and nobody is without a key',
  advice:
    'Make a key with `mayday keys create NAME --role operator`, or give one in the file the role operator.',
});

const NOT_JSON = no(415, {
  kind: 'unsupported_media',
  subject: { type: 'header', id: 'Content-Type' },
  message: 'A change is sent as JSON, in UTF-8',
  advice: 'Send it with Content-Type: application/json.',
});

const ENCODED = no(415, {
  kind: 'unsupported_media',
  subject: { type: 'header', id: 'Content-Encoding' },
  message: 'A change is sent as it is, not compressed',
  advice: 'Send it without Content-Encoding.',
});

const TOO_MANY_STREAMS: DoorFault = {
  ...no(429, {
    kind: 'overloaded',
    message: `${MAX_STREAMS} streams of failures are open; end one of them`,
  }),
  headers: { 'retry-after': '1' },
};

/** Where a stream has ended is told in a header by those who take it up again. */
function withLastEvent({ headers, url = '' }: RequestHead, { operation }: FoundOperation): string {
  const path = url.slice(ROOT.length);
  const last = headers['last-event-id'];
  if (operation.isStream !== true || typeof last !== 'string' || last === '') return path;
  const asked = toUrl(path, 'http://localhost');
  if (asked === undefined) return path;
  asked.searchParams.set('after', last);
  return `${asked.pathname}${asked.search}`;
}

/** A store that is down is nobody's mistake; what a change has done by then is not known. */
function failed(error: unknown, isChange: boolean, onBug: (error: unknown) => void): DoorFault {
  const executed = isChange ? 'maybe' : 'no';
  if (!(error instanceof Error && error.name === 'StoreError')) {
    onBug(error);
    return no(500, { kind: 'internal', executed, message: 'The gateway itself failed with this request' });
  }
  const message = `The store cannot be used now: ${error.message}`;
  const headers = { 'retry-after': '1' };
  return { ...no(503, { kind: 'unavailable', executed, message, retry: { afterMs: 1000 } }), headers };
}

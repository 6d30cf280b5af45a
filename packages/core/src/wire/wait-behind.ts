/** The wait that a library's exception asks for, wherever it keeps it. */
import { waitFromData } from '../hints.ts';
import { waitFromHeaders } from '../http-status.ts';
import { isRecord, member, own, parseJson, type Unknown } from '../json.ts';
import { causeOf } from './answer-behind.ts';
import { headersOf } from './http.ts';
import { messageOf } from './names.ts';

/** In milliseconds: rate-limiter-flexible, discord.js. */
const IN_MS: readonly string[] = ['msBeforeNext', 'timeToReset'];
/** Where libraries keep what an interface said: grammY, telegraf, Shopify. */
const HOLDERS: readonly string[] = ['parameters', 'response', 'body', 'data'];
const INNER: readonly string[] = ['parameters', 'body', 'data'];
const MAX_CAUSES = 5;
const MOST_DETAILS = 20;

/** The wait behind an exception or the nearest of its causes, in milliseconds. `body` is what the interface said. */
export function waitBehind(thrown: unknown, body: unknown, now: number): number | undefined {
  let link: unknown = thrown;
  for (let depth = 0; depth < MAX_CAUSES && isRecord(link); depth += 1) {
    const wait = waitOf(link, now);
    if (wait !== undefined) return wait;
    link = causeOf(link);
  }
  return waitFromData(body) ?? waitInDetails(body);
}

function waitOf(link: unknown, now: number): number | undefined {
  for (const name of IN_MS) {
    const ms = member(link, name);
    if (typeof ms === 'number' && ms >= 0) return ms;
  }
  const response = member(link, 'response');
  // Google's clients put the whole body into the message.
  const message = messageOf(link as Unknown);
  const said = message.startsWith('{') ? parseJson(message) : undefined;
  for (const holder of [
    own(link, 'rawError'), // discord.js: as it came, in seconds; its own `retryAfter` beside it is in milliseconds
    link,
    ...HOLDERS.map((name) => own(link, name)),
    ...INNER.map((name) => own(response, name)),
    said,
  ]) {
    const wait = waitFromData(holder) ?? waitInDetails(holder);
    if (wait !== undefined) return wait;
  }
  return waitInMetadata(member(link, 'metadata'), now);
}

/** gRPC keeps the headers of an answer in its own container. */
function waitInMetadata(metadata: unknown, now: number): number | undefined {
  const getMap = member(metadata, 'getMap');
  if (typeof getMap !== 'function') return undefined;
  try {
    const headers = headersOf(getMap.call(metadata));
    const pushback = headers.get('grpc-retry-pushback-ms');
    return pushback !== undefined && /^\d{1,15}$/.test(pushback)
      ? Number(pushback)
      : waitFromHeaders(headers, now);
  } catch {
    return undefined; // somebody else's method
  }
}

/** `RetryInfo` among the details of Google's errors: `{retryDelay: '30s'}`. */
function waitInDetails(body: unknown): number | undefined {
  const details = own(own(body, 'error'), 'details') ?? own(body, 'details');
  for (const detail of Array.isArray(details) ? details.slice(0, MOST_DETAILS) : []) {
    const delay: unknown = own(detail, 'retryDelay');
    const seconds = typeof delay === 'string' ? /^(\d{1,15}(?:\.\d{1,9})?)s$/.exec(delay)?.[1] : undefined;
    if (seconds !== undefined) return Math.ceil(Number(seconds) * 1000);
  }
  return undefined;
}

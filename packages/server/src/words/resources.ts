/**
 * What the server has of its own at a cloud, a broker or a search engine: tables, queues, keys, and a rate. A backend that
 * lacks one, or has had enough, says so with the statuses of a wrong request; the caller has none of it to correct, unless
 * it has named it.
 */
import type { HeardException } from './hear.ts';
import { isRecord, look } from './look.ts';
import { textsIn } from './sent.ts';

/** Whatever is of the server's own; `undefined` when it is about something else, or the caller's. */
export function ofResource(reason: unknown, words: string, sent: unknown): HeardException | undefined {
  const isNamed = namesOwn(words, sent);
  if (isThrottled(reason, words))
    return {
      init: { kind: 'rate_limited', origin: 'upstream' },
      speaks: isNamed || FOR_OPERATORS.test(words) ? false : undefined,
    };
  if (isNamed || isOwnThing(reason, words, sent))
    return { init: { kind: 'misconfigured', origin: 'server' }, speaks: false };
  if (look(reason, 'name') === 'ReplyError' && words.startsWith('LOADING '))
    return { init: { kind: 'not_ready', origin: 'upstream' }, speaks: false };
  return undefined;
}

/** As the SDK of AWS itself tells them. */
const THROTTLES =
  /^(?:(?:BandwidthLimit|ProvisionedThroughput|RequestLimit|Limit)Exceeded|EC2Throttled|PriorRequestNotComplete|RequestThrottled|SlowDown|Throttl(?:ed|ing)|TooManyRequests|TransactionInProgress)(?:Exception)?$/;
const QUOTA_METRIC = /\bQuota exceeded for quota metric\b/;
/** A quota that is used up for the day does not pass. */
const LASTING = /\b(?:daily|monthly|per (?:day|month))\b/i;
const FOR_OPERATORS =
  /\b(?:provision\w*|tables?|shards?|streams?|accounts?|subscribers?|consumers?|capacity|partitions?)\b/i;

function isThrottled(reason: unknown, words: string): boolean {
  if (QUOTA_METRIC.test(words)) return true;
  if (look(reason, '$metadata') === undefined || LASTING.test(words)) return false;
  return (
    look(look(reason, '$retryable'), 'throttling') === true || THROTTLES.test(String(look(reason, 'name')))
  );
}

/** How backends name what they hold for the server. */
const NAMED: readonly RegExp[] = [
  /\b(arn:aws[\w-]*:[^\s"',]{1,300}?)[.,]?(?=[\s"']|$)/,
  /\bTable: ([\w.-]{1,255}) not found\b/,
  /\bStream ([\w.-]{1,128}) under account\b|\bin stream ([\w.-]{1,128}) under account\b/,
  /\bno (?:queue|exchange) '([^'\n]{1,255})' in vhost\b/,
  /\bno such index \[([^\]\n]{1,255})\]|\bindex \[([^\]\n]{1,255})\] blocked by\b/,
  /^Index ([\w.-]{1,255}) does not exist$/,
  /\bResource not found \(resource=([^)\n]{1,255})\)/,
  /\bfor consumer (project_number:\d{1,20})\b/,
];

/** Does it name something that the caller has not? */
function namesOwn(words: string, sent: unknown): boolean {
  const texts = textsIn(sent);
  return NAMED.some((form) => {
    const name = form
      .exec(words)
      ?.slice(1)
      .find((one) => one !== undefined);
    if (name === undefined) return false;
    const last = name.split(/[:/]/).at(-1);
    return !texts.some((text) => text.includes(name) || text === last);
  });
}

/** The same without a name. Only clouds speak like this. */
const THINGS: readonly RegExp[] = [
  /^The specified (bucket|queue|container|log group|stream|topic|share|table) does not exist\.?$/i,
  /^The (table) specified does not exist\.?$/i,
  /^Cannot do operations on a non-existent (table)$/i,
  /\bcan't find the specified (secret)\b/i,
];
/** And of these, where it is known that a cloud does. */
const OF_AWS: readonly RegExp[] = [/^(Topic|Queue|Stream|Domain) does not exist\.?$/i];
const NO_TABLE = /^Requested resource not found$/;

function isOwnThing(reason: unknown, words: string, sent: unknown): boolean {
  const isAws = look(reason, '$metadata') !== undefined;
  const forms = isAws ? [...THINGS, ...OF_AWS] : THINGS;
  const thing =
    isAws && NO_TABLE.test(words) ? 'table' : forms.map((form) => form.exec(words)?.[1]).find(isText);
  if (thing === undefined) return false;
  const named = look(reason, 'BucketName');
  if (typeof named === 'string' && textsIn(sent).includes(named)) return false;
  return !deals(thing, sent);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** Has the caller an argument for such a thing? */
function deals(thing: string, sent: unknown): boolean {
  const word = thing.toLowerCase().replaceAll(' ', '');
  const names = isRecord(sent) ? Object.keys(sent) : [];
  return names.some((name) => name.toLowerCase().replaceAll(/[_-]/g, '').includes(word));
}

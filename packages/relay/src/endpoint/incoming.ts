/** What a caller sent, taken apart once: a message, or the reason why it is none. */
import type { FaultInit } from '@mayday/core';
import { badMeta } from '@mayday/core/protocol';
import { decode, isMembers, type Members } from '../framing/json.ts';
import { plainIdIn } from '../framing/outermost.ts';
import { type Peek, peek, withoutExtras } from '../framing/peek.ts';
import { OPEN_OBJECT, QUOTE } from '../framing/scan.ts';
import { contradicted, mistypedEnvelope, nameIn } from '../protocol/envelope.ts';
import { type HttpHeaders, namedBy } from '../protocol/headers.ts';
import { type Revision, revisionOf } from '../protocol/revisions.ts';
import { longer, notText, OTHER_VERSION, PARAMS_ARE_NO_OBJECT, refusalOf, withoutId } from './refusals.ts';
import type { RequestHead } from './request-head.ts';

/** A message at the door. */
export interface Incoming {
  readonly body: Buffer;
  readonly peek: Peek;
  /** What is called: the tool, prompt or resource that `params` name. */
  readonly target: string | undefined;
  /** `params._meta`, where it is an object. */
  readonly meta: Members | undefined;
  readonly revision: Revision;
  readonly headers: HttpHeaders;
  /** The headers as they came: names and values in turn. */
  readonly rawHeaders: readonly string[];
  /** What stands after the question mark of the address that its sender used; empty if nothing. */
  readonly query: string;
  /** Why it goes no further. */
  readonly refusal: FaultInit | undefined;
}

/**
 * Takes a message apart. A body that is no JSON is answered here and not left to a server that would meet it with
 * silence, and whoever decides by a name decides by the one that the server will see.
 */
export function takeIn(request: RequestHead, body: Buffer, maxDepth?: number): Incoming {
  const looked = peek(body, { maxDepth });
  const seen = looked.why === undefined ? looked : withPlainId(body, looked);
  const { headers, rawHeaders } = request;
  const meta = metaIn(body, seen);
  return {
    body,
    peek: seen,
    target: nameIn(body, seen),
    meta: isMembers(meta) ? meta : undefined,
    revision: revisionOf(headers, { body, peek: seen }),
    headers,
    rawHeaders,
    query: queryOf(request),
    refusal:
      seen.why === undefined
        ? (wrongIn(body, seen, meta) ?? contradicted(headers, { body, peek: seen }))
        : refusalOf(seen.why),
  };
}

function queryOf({ url = '' }: RequestHead): string {
  const mark = url.indexOf('?');
  return mark < 0 ? '' : url.slice(mark + 1);
}

/**
 * The same for a server that is no HTTP server: whatever JSON-RPC does not know is left out, because the SDKs drop a line
 * that has it without a word.
 */
export function takeInKnown(request: RequestHead, body: Buffer, maxDepth?: number): Incoming {
  const whole = takeIn(request, body, maxDepth);
  return whole.peek.hasExtras ? takeIn(request, withoutExtras(body), maxDepth) : whole;
}

/** What a server would meet with silence, or each server in its own way. */
function wrongIn(body: Buffer, seen: Peek, meta: unknown): FaultInit | undefined {
  return (
    tooLong(body, seen) ??
    wrongName(body, seen) ??
    calledWithoutId(seen) ??
    (seen.kind === 'request' ? unheard(body, seen, meta) : undefined)
  );
}

/** Something is asked, and nobody is to be answered: a server that looks at the method alone would do it unseen. */
function calledWithoutId({ kind, method }: Peek): FaultInit | undefined {
  return kind === 'notification' && REQUEST.test(method) ? withoutId(method) : undefined;
}

/** Where the protocol has requests; its notifications are elsewhere, and other names may be anything. */
const REQUEST =
  /^(?:(?:tools|prompts|resources|completion|tasks|subscriptions|logging|server)\/|(?:initialize|ping)$)/;

/** What a server that stands on an SDK does not take for a request at all. */
function unheard(body: Buffer, seen: Peek, meta: unknown): FaultInit | undefined {
  if (!seen.isVersion2) return OTHER_VERSION;
  if (seen.paramsStart >= 0 && body[seen.paramsStart] !== OPEN_OBJECT) return PARAMS_ARE_NO_OBJECT;
  return badMeta(meta) ?? (isMembers(meta) ? mistypedEnvelope(meta) : undefined);
}

/** Whoever is refused wants to know which request it was, as long as there is no doubt about that. */
function withPlainId(body: Buffer, seen: Peek): Peek {
  const id = plainIdIn(body);
  return id === undefined ? seen : { ...seen, idStart: id.start, idEnd: id.end };
}

/** A name that is no text means something else to everybody who reads it. */
function wrongName(body: Buffer, seen: Peek): FaultInit | undefined {
  const param = namedBy(seen.method);
  const range = param === undefined ? undefined : seen.deciding[param];
  return param === undefined || range === undefined || body[range.start] === QUOTE
    ? undefined
    : notText(param);
}

/** What is looked at for every call must be small: it would hold everybody up. */
const MAX_METHOD = 256;
const MAX_META_BYTES = 64 * 1024;
const LONGEST: readonly (readonly [param: keyof Peek['deciding'], bytes: number])[] = [
  ['_meta', MAX_META_BYTES],
  ['name', 64 * 1024],
  ['uri', 64 * 1024],
  ['taskId', 64 * 1024],
  ['ref', 64 * 1024],
  ['notifications', 256 * 1024],
];

/** What is said once is remembered for as long as the session lasts. */
const REMEMBERED: ReadonlySet<string> = new Set([
  'initialize',
  'notifications/initialized',
  'logging/setLevel',
]);
const MAX_REMEMBERED_BYTES = 64 * 1024;

function tooLong(body: Buffer, seen: Peek): FaultInit | undefined {
  if (REMEMBERED.has(seen.method) && body.length > MAX_REMEMBERED_BYTES)
    return longer(`A message of ${seen.method}`, `${MAX_REMEMBERED_BYTES / 1024} KiB`);
  if (seen.method.length > MAX_METHOD) return longer('The method', `${MAX_METHOD} characters`);
  for (const [param, bytes] of LONGEST) {
    const range = seen.deciding[param];
    if (range !== undefined && range.end - range.start > bytes)
      return longer(`params.${param}`, `${bytes / 1024} KiB`);
  }
  return undefined;
}

function metaIn(body: Buffer, seen: Peek): unknown {
  const range = seen.deciding._meta;
  const isLong = range !== undefined && range.end - range.start > MAX_META_BYTES;
  return range === undefined || isLong ? undefined : decode(body.subarray(range.start, range.end));
}

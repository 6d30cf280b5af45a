/**
 * A limit by a code that some document defines. Whoever believes it asks again, so it is believed while the whole answer
 * says what a door says that counts its visitors: the same rule that a 429 has to keep.
 */
import { isRecord, own, ownArray, ownRecord, type Unknown } from './json.ts';
import { ERROR_KEY } from './protocol.ts';
import { isOwnLimit, withoutAdvice } from './refusal-words.ts';
import { isSaidBeside } from './wire/look-by.ts';
import { saysTwice } from './wire/repeating.ts';
import { makeWire, type Wire } from './wire/wire.ts';

/** Is all of the answer about too many calls? Where a document puts it elsewhere than in an error, its reader knows. */
export function isDefinedLimit(wire: Wire): boolean {
  const { error, result, http: around, hasMore } = wire;
  if (error === undefined) return true;
  const status = around?.status ?? around?.carrier ?? TOO_MANY_REQUESTS;
  if (hasMore === true || saysTwice(wire) || !OF_LIMITS.has(status)) return false;
  if (result !== undefined && !isBareResult(result)) return false;
  const texts = (ownArray(result, 'content') ?? []).map((block) => withoutAdvice(String(own(block, 'text'))));
  const said = {
    status: TOO_MANY_REQUESTS,
    message: error.message,
    data: withoutOurs(error.data),
    reason: texts,
  };
  const { headers = NO_HEADERS, reason } = around ?? {};
  const http = { status: TOO_MANY_REQUESTS, headers, reason, said };
  return isOwnLimit(makeWire('http', true, '', { http }));
}

const TOO_MANY_REQUESTS = 429;
/** Under which a limit travels: JSON-RPC's success, and HTTP's own. Another status tells of something else. */
const OF_LIMITS: ReadonlySet<number> = new Set([200, TOO_MANY_REQUESTS]);
const NO_HEADERS: ReadonlyMap<string, string> = new Map();

/** What a failing result consists of; anything else in it was made. */
const OF_FAILURES: ReadonlySet<string> = new Set(['content', 'error', 'isError', 'resultType', '_meta']);
const OF_TEXTS: ReadonlySet<string> = new Set(['type', 'text']);
/** Whose notes say nothing of the work. */
const OURS = /^(?:dev\.mayday|io\.modelcontextprotocol)\//;

function isBareResult(result: Unknown): boolean {
  const content = own(result, 'content') ?? [];
  return (
    hasOnly(result, (name) => OF_FAILURES.has(name)) &&
    (own(result, 'resultType') ?? 'complete') === 'complete' &&
    hasOnly(own(result, '_meta') ?? {}, (name) => OURS.test(name)) &&
    ownRecord(result, 'error') !== undefined &&
    !isSaidBeside(own(result, 'error')) &&
    Array.isArray(content) &&
    content.every(isBareText)
  );
}

function isBareText(block: unknown): boolean {
  return typeof own(block, 'text') === 'string' && hasOnly(block, (name) => OF_TEXTS.has(name));
}

function hasOnly(value: unknown, isKnown: (name: string) => boolean): boolean {
  return isRecord(value) && Object.keys(value).every(isKnown);
}

/** Without the name of what was called, and with what we ourselves wrote beside it in its place. */
function withoutOurs(data: unknown): unknown {
  if (!isRecord(data)) return data;
  const { tool: _, [ERROR_KEY]: ours, ...rest } = data as Unknown & { readonly tool?: unknown };
  if (!isRecord(ours)) return { ...rest, ...(ours === undefined ? {} : { data: ours }) };
  const { happened, ...others } = ours as Unknown & { readonly happened?: unknown };
  return { ...rest, data: others, executed: happened ?? false };
}

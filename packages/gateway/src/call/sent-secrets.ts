/** What a call was made with that is its caller's own secret: credentials in its headers, and what is named like one beside. */
import { KIND_NAMES } from '@mayday/core';
import { ORIGINS, SUBJECT_TYPES } from '@mayday/core/fault';
import { isCredential } from '@mayday/core/http';
import { sentCredentials } from '@mayday/core/redact';
import { isMembers, type Members, type WireCall } from '@mayday/relay';
import { hasTwins, withTwins } from '../access/twins.ts';
import { isMadeUp, secretsIn } from './secrets-in.ts';

/** So much of it at most: with less of a request nobody is told apart, and whoever sends more keeps nobody waiting. */
const MOST = 20;
const MOST_LETTERS = 16 * 1024;

/** The credentials in the headers of a call, as they came. */
export function credentialsOf({ rawHeaders }: Pick<WireCall, 'rawHeaders'>): readonly string[] {
  let found: string[] | undefined; // most calls have none
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    const value = rawHeaders[at + 1] ?? '';
    if (!isCredential(name, value)) continue;
    found ??= [];
    if (!namesSomebodyAlone(name, value)) found.push(...wholeAndParts(value));
    else if (isMadeUp(value)) found.push(value);
  }
  return found === undefined ? NONE : bounded(found);
}

const NONE: readonly string[] = [];

/** Who calls, for which tenant: several know that, and a failure that speaks of them is to be understood. */
function namesSomebodyAlone(name: string, value: string): boolean {
  const rest = name.replace(NAMES, '-');
  return rest !== name && !isCredential(rest, value);
}

const NAMES =
  /(?<![a-z0-9])(?:from|\w*user(?:id|name)?|e?mail|login|owner|behalf|impersonat\w*|\w*account(?:id)?|\w*tenant(?:id)?|\w*client[^a-z0-9]?id|customer\w*|consumer\w*|subscri\w*|principal|identity|member|subject|sub|actor|uid|dn|org(?:id)?|organi[sz]ation)(?![a-z0-9])/gi;

/** What is named like a credential in the arguments of a call, and in what else its caller says in it. */
export function secretArgumentsOf(call: Sent): readonly string[] {
  const all = [call.params(), toOtherReaders(call)].flatMap((said) => {
    const { _meta: meta, ...rest } = said ?? {};
    const own = Object.fromEntries(ownMeta(isMembers(meta) ? meta : undefined));
    return sentCredentials({ ...rest, _meta: own });
  });
  return bounded(all.flatMap(wholeAndParts));
}

type Sent = Pick<WireCall, 'params' | 'body' | 'peek'>;

/** Of two members of one name the last is ours; its server may have read the first. */
function toOtherReaders({ body, peek: { paramsStart, paramsEnd } }: Sent): Members | undefined {
  if (paramsStart < 0 || paramsEnd - paramsStart > MOST_BYTES) return undefined;
  const params = body.subarray(paramsStart, paramsEnd);
  const all = hasTwins(params) ? withTwins(params) : undefined;
  return isMembers(all) ? all : undefined;
}

const MOST_BYTES = 64 * 1024;

/** All that is looked through for them, as it was said; `undefined` where that is more than so many bytes, or there is more to it. */
export function argumentsAsSaid({ body, peek, meta }: WireCall, most: number): string | undefined {
  const { paramsStart: start, paramsEnd: end, deciding } = peek;
  const { start: from, end: to } = deciding._meta ?? { start: end, end };
  const hasMore = meta !== undefined && ownMeta(meta).length > 0;
  if (start < 0 || end - start - (to - from) > most || hasMore) return undefined;
  return body.toString('latin1', start, from) + body.toString('latin1', to, end);
}

/** What its caller says beside the arguments. */
function ownMeta(meta: WireCall['meta']): readonly (readonly [string, unknown])[] {
  return Object.entries(meta ?? {}).filter(([name]) => !OF_PROTOCOL.test(name));
}

/** These say what the protocol has to know, and are no secret of anybody's. */
const OF_PROTOCOL = /^progressToken$|^(?:dev\.mayday|io\.modelcontextprotocol)\//;

/** Behind the scheme of a credential, and in a list of cookies, are the secrets: all of it is said by nobody without them. */
function wholeAndParts(value: string): readonly string[] {
  const parts = secretsIn(value);
  return parts.some((part) => part !== '' && value.endsWith(part)) ? parts : [value, ...parts];
}

function bounded(found: readonly string[]): readonly string[] {
  let left = MOST_LETTERS;
  return [...new Set(found)]
    .filter((secret) => !isOfProtocol(secret))
    .slice(0, MOST)
    .filter(({ length }) => {
      left -= length;
      return left >= 0;
    });
}

/** With such a secret nobody could tell the rest of an answer any more. */
function isOfProtocol(secret: string): boolean {
  const small = secret.toLowerCase();
  return WORDS.some((word) => word.includes(small));
}

/** What a failing message, and the fault that is made of it, have of the protocol. */
const WORDS: readonly string[] = [
  ...[...KIND_NAMES, ...ORIGINS, ...SUBJECT_TYPES],
  ...'jsonrpc method params result message content resource resource_link structuredContent isError mimeType'.split(
    ' ',
  ),
  ...'validation permission dependency terminal annotations executed retryable retry_after details issues native advice correlationId timestamp'.split(
    ' ',
  ),
  ...'dev.mayday/fault dev.mayday/error tool-failure closient attempts stopped setting timeout_ms hidden'.split(
    ' ',
  ),
].map((word) => word.toLowerCase());

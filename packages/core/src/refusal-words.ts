/**
 * What a refusing HTTP status carries beside itself. A server's own door says little: too many requests, try again
 * later. Whoever tells of a backend, of another answer or of something that was done had let the request in.
 */
import { isRecord } from './json.ts';
import { MAX_LENGTH, saysOnly, words } from './plain-words.ts';
import type { Wire } from './wire/wire.ts';

const MAX_DEPTH = 6;
/** How deep the data of an error lie in its message. */
const AROUND = 2;

/** Somebody further away, an answer of theirs, or work that was done. */
const ELSEWHERE =
  /\b(?:upstream|downstream|back-?end|third[- ]party|provider|dependenc(?:y|ies)|remote|answered|responded|replied|returned|(?<!\b(?:not|only|are|is|be) )accepted(?! (?:values?|types?|formats?|by))|booked|charged|paid|created|inserted|updated|deleted|removed|saved|stored|written|sent|delivered|queued|submitted|committed|processed|completed|executed|performed|succeeded|done|partial(?:ly)?|afterwards?|fetch failed|socket hang up|connection (?:refused|reset|closed|lost))\b|\bE(?:CONN|AI_|HOST|NET|PIPE|TIMEDOUT|NOTFOUND|ADDR|SOCKET|PROTO)|\b(?:UND|ERR)_[A-Z]/i;

/** Words of which a door that counts its visitors makes its sentences; those of our own document among them. */
const LIMIT: ReadonlySet<string> = words(
  `a about access action after again al all allowed an and any api apikey are at back backoff be been before being busy by caller
  calls call can client cloudflare concurrent connections count current currently day days demand due early endpoint
  exceed exceeded exceeds exceeding exhausted failed for frequency from future had has have heavy high hit hour hours
  html in interval into ip is it its key kind later less limit limited limiter limiting limits load local many max
  maximum mcp minimum minute minutes moment month more ms msec much nginx no not number of on one only openresty or origin over
  overloaded parallel per period permitted please posting quickly quota rate ratelimit reached reaction ready reduce remaining
  request requested requests reset resource retry retryable retrying same sec second seconds server session sessions shortly
  simultaneous since slow down soon streamable temporarily tenant that the then there this threshold throttle throttled
  throttling time times to today token tokens tomorrow too traffic try unavailable until up usage use used user very wait was we when
  while will window with within you your advice issues`,
);

/** Does the refusal tell of somebody further away, or of something that was done? */
export function tellsOfWork(wire: Wire): boolean {
  return sentences(wire).some((text) => text.length > MAX_LENGTH || ELSEWHERE.test(text));
}

/** Is all that it says what a door says that counts its visitors? */
export function isOwnLimit(wire: Wire): boolean {
  const headers = wire.http?.headers;
  // A place where something can be found: that was made.
  if (headers?.has('location') === true || headers?.has('content-location') === true) return false;
  return !tellsOfWork(wire) && saysOnly(wire, LIMIT);
}

/** All texts of the answer. */
function sentences({ text, body, error, http }: Wire): readonly string[] {
  const found: string[] = [text];
  for (const said of [body, error?.message, error?.data]) gather(said, MAX_DEPTH, found);
  gather(http?.said, MAX_DEPTH + AROUND, found);
  return found;
}

function gather(value: unknown, depth: number, found: string[]): void {
  if (typeof value === 'string') found.push(value);
  // Deeper than anybody refuses: then it is no refusal.
  else if (depth === 0) found.push('x'.repeat(MAX_LENGTH + 1));
  else if (Array.isArray(value)) for (const item of value.slice(0, 100)) gather(item, depth - 1, found);
  else if (isRecord(value)) for (const item of Object.values(value)) gather(item, depth - 1, found);
}

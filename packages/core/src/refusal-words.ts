/**
 * What a refusing HTTP status carries beside itself. A server's own door says little: too many requests, try again
 * later. Whoever tells of a backend, of another answer or of something that was done had let the request in.
 */
import { isRecord } from './json.ts';
import type { Wire } from './wire/wire.ts';

/** Longer texts are no refusal at a door. */
const MAX_LENGTH = 4000;
const MAX_DEPTH = 6;

/** Somebody further away, an answer of theirs, or work that was done. */
const ELSEWHERE =
  /\b(?:upstream|downstream|back-?end|third[- ]party|provider|dependenc(?:y|ies)|remote|answered|responded|replied|returned|(?<!\b(?:not|only|are|is|be) )accepted(?! (?:values?|types?|formats?|by))|booked|charged|paid|created|inserted|updated|deleted|removed|saved|stored|written|sent|delivered|queued|submitted|committed|processed|completed|executed|performed|succeeded|done|partial(?:ly)?|afterwards?|fetch failed|socket hang up|connection (?:refused|reset|closed|lost))\b|\bE(?:CONN|AI_|HOST|NET|PIPE|TIMEDOUT|NOTFOUND|ADDR|SOCKET|PROTO)|\b(?:UND|ERR)_[A-Z]/i;

/** Words of which a door that counts its visitors makes its sentences. */
const OWN: ReadonlySet<string> = new Set(
  `a about access action again al all allowed an and any api apikey are at back backoff be been before being busy by caller calls
  call can client cloudflare code concurrent connections count current currently day days demand detail due early endpoint
  error exceed exceeded exceeds exceeding exhausted failed for frequency from future had has have heavy high hit hour hours
  html http https in interval into ip is it its jsonrpc key later less limit limited limiter limiting limits load many max
  maximum mcp message minimum minute minutes moment month more ms msec much nginx not number of on one only openresty or over
  parallel per period permitted please posting quickly quota rate ratelimit reached reason reduce remaining request requested
  requests reset resource retry retrying same sec second seconds server session sessions shortly simultaneous since slow down
  soon status streamable temporarily tenant that the then there this threshold throttle throttled throttling time times title
  to today token tokens tomorrow too traffic try type until up usage use used user very wait was we while will window with within
  you your`.split(/\s+/),
);

/** Does the refusal tell of somebody further away, or of something that was done? */
export function tellsOfWork(wire: Wire): boolean {
  return sentences(wire).some((text) => text.length > MAX_LENGTH || ELSEWHERE.test(text));
}

/** Is all that it says what a door says that counts its visitors? Names and numbers are no sentences. */
export function isOwnLimit(wire: Wire): boolean {
  return sentences(wire).every((text) => {
    if (text.length > MAX_LENGTH || ELSEWHERE.test(text)) return false;
    const said = text.replace(/<[^<>]{0,200}>/g, ' ').trim();
    if (!/\s/.test(said)) return true;
    return said.split(/[^\p{L}\p{N}']+/u).every((word) => /\d|^$/.test(word) || OWN.has(word.toLowerCase()));
  });
}

/** All texts of the answer. */
function sentences({ text, body, error }: Wire): readonly string[] {
  const found: string[] = [text];
  gather(body, MAX_DEPTH, found);
  gather(error?.message, 1, found);
  gather(error?.data, MAX_DEPTH, found);
  return found;
}

function gather(value: unknown, depth: number, found: string[]): void {
  if (typeof value === 'string') found.push(value);
  // Deeper than anybody refuses: then it is no refusal.
  else if (depth === 0) found.push('x'.repeat(MAX_LENGTH + 1));
  else if (Array.isArray(value)) for (const item of value.slice(0, 100)) gather(item, depth - 1, found);
  else if (isRecord(value)) for (const item of Object.values(value)) gather(item, depth - 1, found);
}

/**
 * What a refusal carries beside itself. A server's own door says little: too many requests, no such method, the amount
 * is missing. Whoever tells of a backend, of another answer or of something that was done had let the request in.
 */

import { COMPLAINTS, refuses } from './complaints.ts';
import { isRecord } from './json.ts';
import { MAX_LENGTH, saysOnly, type Vocabulary, words } from './plain-words.ts';
import { areOfTheDoor } from './refusal-headers.ts';
import { isVague } from './vague.ts';
import type { Wire } from './wire/wire.ts';

const MAX_DEPTH = 6;
/** How deep the data of an error lie in its message. */
const AROUND = 2;

/** Somebody further away, an answer of theirs, or something of a network. */
const ELSEWHERE =
  /\b(?:upstream|downstream|back-?end|third[- ]party|provider|dependenc(?:y|ies)|remote|answered|responded|replied|returned|partial(?:ly)?|afterwards?|after (?:this|that|the|your) (?:call|request|one)|fetch failed|socket hang up|connection (?:refused|reset|closed|lost))\b|\bE(?:CONN|AI_|HOST|NET|PIPE|TIMEDOUT|NOTFOUND|ADDR|SOCKET|PROTO)|\b(?:UND|ERR)_[A-Z]/i;

/** Work that was done, unless it is denied or a list of what is allowed. */
const DONE =
  /(?<!\b(?:not|only|are|is|be|never) )\b(?:accepted(?! (?:values?|types?|formats?|by))|registered|added|applied|approved|confirmed|scheduled|started|issued|published|posted)\b|\b(?:booked|captured|charged|credited|debited|paid|placed|ordered|reserved|refunded|shipped|transferred|purchased|settled|created|inserted|updated|deleted|removed|saved|stored|written|wrote|uploaded|sent|delivered|queued|submitted|committed|processed|completed|executed|performed|succeeded|done)\b/i;

/** The same in other languages: a handler's words, no door's. */
const DONE_ELSEWHERE =
  /(?<![\p{L}])(?:gebucht|bezahlt|erstellt|angelegt|gespeichert|gesendet|versendet|verschickt|gelöscht|ausgeführt|abgebucht|bestellt|erledigt|créée?|payée?|enregistrée?|envoyée?|réservée?|effectuée?|supprimée?|pagad[oa]|cread[oa]|guardad[oa]|enviad[oa]|reservad[oa]|realizad[oa]|cobrad[oa]|pag[oa]t[oa]|creat[oa]|salvat[oa]|inviat[oa]|prenotat[oa]|betaald|geboekt|verzonden|aangemaakt|criad[oa]|pago|salv[oa])(?![\p{L}])/iu;

/** Words of which a door that counts its visitors makes its sentences; those of our own document among them. */
const LIMIT: Vocabulary = {
  words: words(
    `a about access action after again al all allowed an and any api apikey are at back backoff be been before being busy by caller
  calls call can client cloudflare concurrent connections count current currently day days demand due early endpoint
  exceed exceeded exceeds exceeding exhausted failed for frequency from future had has have heavy high hit hour hours
  html in interval into ip is it its key kind later less limit limited limiter limiting limits load local many max
  maximum mcp minimum minute minutes moment month more ms msec much nginx no not number of on one only openresty or origin over
  overloaded parallel per period permitted please posting quickly quota rate ratelimit reached reaction ready reduce remaining
  request requested requests reset resource retry retryable retrying s same sec second seconds server session sessions shortly
  simultaneous since slow down soon streamable temporarily tenant that the then there this threshold throttle throttled
  throttling time times to today token tokens tomorrow too traffic try unavailable until up usage use used user very wait was we when
  while will window with within you your advice issues`,
  ),
};

/** Does the refusal tell of somebody further away, or of something that was done, in its words or beside them? */
export function tellsOfMore(wire: Wire): boolean {
  return !areOfTheDoor(wire.http?.headers) || sentences(wire).some(tells);
}

function tells(text: string): boolean {
  return text.length > MAX_LENGTH || ELSEWHERE.test(text) || DONE.test(text) || DONE_ELSEWHERE.test(text);
}

/** Is all that it says what a door says that counts its visitors? */
export function isOwnLimit(wire: Wire): boolean {
  return !tellsOfMore(wire) && saysOnly(wire, LIMIT);
}

/** Is all that it says what is wrong with the request? A status or a number alone, without words, says so too. */
export function isOwnRefusal(wire: Wire): boolean {
  return !tellsOfMore(wire) && saysOnly(wire, REFUSAL) && saysSo(wire);
}

function saysSo(wire: Wire): boolean {
  const said = sentences({ ...wire, http: wire.http && { ...wire.http, reason: undefined } });
  const spoken = said.filter((text) => /\p{L}/u.test(text) && !isVague(text));
  return spoken.length === 0 || spoken.some(refuses);
}

const REFUSAL: Vocabulary = { ...COMPLAINTS, words: new Set([...LIMIT.words, ...COMPLAINTS.words]) };

/** All texts of the answer. */
function sentences({ text, body, error, http }: Wire): readonly string[] {
  const found: string[] = [text, http?.reason ?? ''];
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

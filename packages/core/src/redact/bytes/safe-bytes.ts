/**
 * Bytes as they may leave. Those of a text are a text, in the encoding that they have. In all others the texts that stand in
 * them are looked at, for what is surely a secret: it is overwritten where it stands, so that everything else stays where it
 * is, and a picture a picture.
 */
import { GUESSED } from '../own.ts';
import type { Span } from '../page.ts';
import { byLetter, CHARSET, textOfBytes } from './text-of-bytes.ts';
import { narrowRuns, type TextRun, textOfRun, textRuns } from './text-runs.ts';

/** Of the platform, wherever JavaScript runs. */
declare const TextEncoder: new () => { encode(text: string): Uint8Array };

/** By what bytes are judged. */
export interface Judge {
  /** What becomes of bytes that are a text. */
  readonly asText: (text: string) => string;
  /** Where secrets stand in one that stands in other bytes. */
  readonly find: (text: string) => readonly Span[];
  /** What becomes of other bytes, as a letter each: as many letters. As `find` has it, if absent. */
  readonly asLetters?: ((letters: string) => string) | undefined;
}

/** Bytes that were changed, and what they are now called. */
export interface Changed {
  readonly bytes: Uint8Array;
  readonly mimeType: string | undefined;
}

/** So much text in bytes that are none is read; nobody waits for more. */
const MOST_LETTERS = 1024 * 1024;
const ASTERISK = 42;

/** The bytes without secrets; `undefined` where they are those that came, `unread` where there is too much to read in them. */
export function safeBytes(
  bytes: Uint8Array,
  mimeType: string | undefined,
  judge: Judge,
): Changed | 'unread' | undefined {
  const read = textOfBytes(bytes, mimeType);
  if (read === undefined) return others(bytes, mimeType, judge, textRuns);
  const safe = judge.asText(read.text);
  if (safe === read.text) {
    // Two bytes that are the mark of UTF-16 may begin anything, and who reads a letter in each sees what stands behind them.
    const other = read.isWide ? others(bytes, mimeType, judge, narrowRuns) : undefined;
    return other === 'unread' ? undefined : other;
  }
  const letters = read.isByLetter ? inLetters(safe) : undefined;
  if (letters !== undefined) return { bytes: letters, mimeType };
  // Written anew in the encoding of all texts, and said to be.
  return { bytes: new TextEncoder().encode(safe), mimeType: mimeType?.replace(CHARSET, '; charset=utf-8') };
}

/** A byte for each letter, if each is one. */
function inLetters(text: string): Uint8Array | undefined {
  const bytes = bytesOfLetters(text);
  return byLetter(bytes) === text ? bytes : undefined;
}

function bytesOfLetters(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}

/** Bytes that are no text. */
function others(
  bytes: Uint8Array,
  mimeType: string | undefined,
  { find, asLetters }: Judge,
  runsOf: (bytes: Uint8Array) => readonly TextRun[],
): Changed | 'unread' | undefined {
  if (asLetters === undefined) {
    const safe = overwritten(bytes, runsOf(bytes), find);
    return safe === undefined || safe === 'unread' ? safe : { bytes: safe, mimeType };
  }
  const letters = byLetter(bytes);
  const safe = asLetters(letters);
  return safe === letters ? undefined : { bytes: bytesOfLetters(safe), mimeType };
}

/** The bytes with asterisks over what is secret in the texts that stand in them. */
function overwritten(
  bytes: Uint8Array,
  runs: readonly TextRun[],
  find: Judge['find'],
): Uint8Array | 'unread' | undefined {
  let safe: Uint8Array | undefined;
  let left = MOST_LETTERS;
  for (const run of runs) {
    left -= run.length;
    if (left < 0) return 'unread';
    const text = textOfRun(bytes, run);
    for (const span of find(text)) {
      if (!isSure(text, span)) continue;
      safe ??= bytes.slice();
      for (let at = span.start; at < span.end; at++) safe[run.start + at * run.step] = ASTERISK;
    }
  }
  return safe;
}

/** What programs print with. */
const PRINTED = /%[-+#\d.]{0,6}l{0,2}[cdiopsuxX]/g;
/** Where keys begin and end. */
const FRAME = /-----[A-Z ]{1,60}-----/g;
const SHORTEST = 5;

/** No guess, no number that looks like others, and more than the frame that a program puts a secret into. */
function isSure(text: string, { start, end, rule, class: cls }: Span): boolean {
  if (GUESSED.test(rule) || cls === 'card') return false;
  return text.slice(start, end).replace(PRINTED, '').replace(FRAME, '').replace(/\W/g, '').length >= SHORTEST;
}

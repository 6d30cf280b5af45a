import { openTable } from './rules/tables.ts';
import { createNamer } from './surrogates.ts';
import { detect, type Engine, redactString } from './text.ts';
import type { Finding, RedactStream } from './types.ts';

/** How much text waits at least, so that what spans lines is seen whole. */
const SETTLED = 1 << 15;
/** How much may wait for a line at which it can be cut. */
const LONGEST_WAIT = 1 << 16;
/** How much of a line without a blank is held before it is cut anywhere. */
const LONGEST_LINE = 1 << 20;
/** How much of an unfinished line stays behind a cut, so that a secret is not cut in two. */
const KEPT = 1 << 13;
/** So much before a cut and behind it is read, to see that nothing hangs on both sides. */
const AROUND = 1 << 12;
const TRIES = 6;

/** What has arrived and not gone out. */
interface Held {
  text: string;
  /** From this size on a cut is tried. */
  limit: number;
  /** The head of the table that goes on behind the last cut. */
  head: string;
}

/**
 * Redacts text that arrives in pieces.
 *
 * Output is whole lines, and it is cut only where both sides are redacted as they are together, so nothing that a rule
 * sees in the whole text escapes it in the pieces.
 */
export function createStream(engine: Engine): RedactStream {
  const findings: Finding[] = [];
  const namer = createNamer(engine.digest);
  const held: Held = { text: '', limit: SETTLED, head: '' };
  const emit = (text: string): string => {
    if (text === '') {
      return '';
    }
    const { head } = held;
    held.head = openTable(head + text);
    return redactString(engine, namer, head + text, () => '$', findings).slice(head.length);
  };
  return {
    findings,
    push(chunk) {
      held.text += chunk;
      return held.text.length < held.limit ? '' : emit(take(engine, held));
    },
    end: () => {
      const rest = held.text;
      held.text = '';
      return emit(rest);
    },
  };
}

/** Takes off what can be cut off without harm; if too much is waiting, with the least. */
function take(engine: Engine, held: Held): string {
  const { text } = held;
  let at = safeCut(engine, text);
  if (at === 0 && text.length >= LONGEST_WAIT) {
    at = forcedCut(text);
  }
  held.text = text.slice(at);
  held.limit = Math.max(SETTLED, held.text.length + KEPT);
  return text.slice(0, at);
}

/** The last line, not too near the end, before which both sides are redacted as they are together; 0 without one. */
function safeCut(engine: Engine, text: string): number {
  let at = text.length - AROUND;
  for (let tries = 0; tries < TRIES && at > 0; tries++) {
    at = text.lastIndexOf('\n', at - 1) + 1;
    if (at > 0 && !isInKey(text, at) && isSafe(engine, text, at)) {
      return at;
    }
    at -= AROUND / 2;
  }
  return 0;
}

function isInKey(text: string, at: number): boolean {
  return text.lastIndexOf('-----BEGIN ', at) > text.lastIndexOf('-----END ', at);
}

function isSafe(engine: Engine, text: string, at: number): boolean {
  const from = text.lastIndexOf('\n', Math.max(0, at - AROUND)) + 1;
  const before = text.slice(from, at);
  const after = text.slice(at, at + AROUND);
  const apart = [
    ...detect(engine, before),
    ...detect(engine, after).map((span) => ({
      ...span,
      start: span.start + before.length,
      end: span.end + before.length,
    })),
  ];
  const together = detect(engine, before + after);
  return (
    apart.length === together.length &&
    together.every(({ start, end }, index) => apart[index]?.start === start && apart[index]?.end === end)
  );
}

/** A line too long to wait for: cut at a blank, failing that at punctuation, failing that anywhere but near the end. */
function forcedCut(text: string): number {
  const stop = text.length - KEPT;
  const blank = text.lastIndexOf(' ', stop);
  if (blank > stop - KEPT) {
    return blank;
  }
  for (let at = stop; at > stop - KEPT; at--) {
    if (/[,;{}[\]<>"'\n]/.test(text[at] as string)) {
      return at;
    }
  }
  return text.length < LONGEST_LINE ? 0 : stop;
}

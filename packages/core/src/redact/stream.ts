import { createNamer } from './surrogates.ts';
import { type Engine, redactString } from './text.ts';
import type { Finding, RedactStream } from './types.ts';

/** How much text may wait for a line to end before it is cut at a blank. */
const LONGEST_WAIT = 1 << 16;
/** How much of a line without a blank is held before it is cut anywhere. */
const LONGEST_LINE = 1 << 20;
/** How much of an unfinished line stays behind a cut, so that a secret is not cut in two. */
const KEPT = 1 << 13;
/** Lines kept back, so that a trace or a key that spans lines is seen whole. */
const BLOCK_LINE =
  /^(?:[ \t]|\\t|-----|at |#\d|File |Traceback|goroutine|from |[A-Za-z0-9+/=_-]{16,}\r?\n?$)/;

/** What has arrived and not gone out. */
interface Held {
  /** A line and the block under it, which may hang on its words; whole lines all. */
  lines: string[];
  /** How long they are together. */
  size: number;
  /** The line that has not ended. */
  rest: string;
  /** Whether a key has begun and not ended. */
  inKey: boolean;
  /** From this size on a cut is forced. */
  limit: number;
}

/**
 * Redacts text that arrives in pieces.
 *
 * Output is always whole lines, and a block of lines that belong together (a PEM key, a stack trace) is held until the
 * block ends, so nothing that a rule sees in the whole text escapes it in the pieces.
 */
export function createStream(engine: Engine): RedactStream {
  const findings: Finding[] = [];
  const namer = createNamer(engine.digest);
  const held: Held = { lines: [], size: 0, rest: '', inKey: false, limit: LONGEST_WAIT };
  const emit = (text: string): string =>
    text === '' ? '' : redactString(engine, namer, text, () => '$', findings);
  return {
    findings,
    push(chunk) {
      held.rest += chunk;
      const ready = chunk.includes('\n') ? readLines(held) : '';
      return emit(held.size + held.rest.length < held.limit ? ready : ready + force(held));
    },
    end: () => emit(takeLines(held) + held.rest),
  };
}

/** Looks at each line that has become whole, once, and takes off those that no block can hang on any more. */
function readLines(held: Held): string {
  const lines = held.rest.split(/(?<=\n)/);
  held.rest = lines.at(-1)?.endsWith('\n') ? '' : (lines.pop() ?? '');
  let ready = '';
  for (const line of lines) {
    const start = line.slice(0, 200);
    if (!held.inKey && !BLOCK_LINE.test(start)) {
      ready += takeLines(held);
    }
    held.inKey = held.inKey ? !start.includes('-----END ') : start.includes('-----BEGIN ');
    held.lines.push(line);
    held.size += line.length;
  }
  return ready;
}

function takeLines(held: Held): string {
  const text = held.lines.join('');
  held.lines = [];
  held.size = 0;
  held.limit = LONGEST_WAIT;
  return text;
}

/** Too much is waiting: takes off what can be cut off with the least harm. */
function force(held: Held): string {
  const text = takeLines(held) + held.rest;
  const at = forcedCut(text);
  held.rest = text.slice(at);
  held.inKey = false;
  held.limit = Math.max(LONGEST_WAIT, held.rest.length + KEPT);
  return text.slice(0, at);
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

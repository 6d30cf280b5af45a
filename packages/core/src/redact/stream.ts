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

/**
 * Redacts text that arrives in pieces.
 *
 * Output is always whole lines, and a block of lines that belong together (a PEM key, a stack trace) is held until the
 * block ends, so nothing that a rule sees in the whole text escapes it in the pieces.
 */
export function createStream(engine: Engine): RedactStream {
  const findings: Finding[] = [];
  const namer = createNamer();
  let held = '';
  let nextTry = LONGEST_WAIT;
  const emit = (text: string): string =>
    text === '' ? '' : redactString(engine, namer, text, () => '$', findings);
  return {
    findings,
    push(chunk) {
      held += chunk;
      if (!chunk.includes('\n') && held.length < nextTry) {
        return '';
      }
      const cut = safeCut(held);
      const ready = held.slice(0, cut);
      held = held.slice(cut);
      nextTry = Math.max(LONGEST_WAIT, held.length + KEPT);
      return emit(ready);
    },
    end() {
      const rest = held;
      held = '';
      return emit(rest);
    },
  };
}

/** The offset up to which text can go out: the start of the last block, a line or a word that has surely ended. */
function safeCut(text: string): number {
  const key = text.lastIndexOf('-----BEGIN ');
  const end = key < 0 ? 0 : text.indexOf('-----END ', key);
  const isOpen = key >= 0 && (end < 0 || text.indexOf('\n', end) < 0) && text.length - key < LONGEST_WAIT;
  let cut = (isOpen ? text.lastIndexOf('\n', key) : text.lastIndexOf('\n')) + 1;
  while (cut > 0 && text.length - cut < LONGEST_WAIT) {
    const line = text.lastIndexOf('\n', cut - 2) + 1;
    if (!BLOCK_LINE.test(text.slice(line, Math.min(cut, line + 200)))) {
      // The line above a block stays with it: the block may hang on its first words.
      return line;
    }
    cut = line;
  }
  return text.length < LONGEST_WAIT ? cut : forcedCut(text);
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

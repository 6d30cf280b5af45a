import { createNamer } from './surrogates.ts';
import { type Engine, redactString } from './text.ts';
import type { Finding, RedactStream } from './types.ts';

/** How much text may wait for a line to end before it is cut at a blank. */
const LONGEST_WAIT = 1 << 16;
/** Lines kept back, so that a trace or a key that spans lines is seen whole. */
const BLOCK_LINE = /^(?:[ \t]|\\t|-----|at |#\d|File |Traceback|goroutine|from |[A-Za-z0-9+/=_-]{16,}\r?$)/;

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
  const emit = (text: string): string =>
    text === '' ? '' : redactString(engine, namer, text, () => '$', findings);
  return {
    findings,
    push(chunk) {
      held += chunk;
      const cut = safeCut(held);
      const ready = held.slice(0, cut);
      held = held.slice(cut);
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
  const openKey = key >= 0 && text.indexOf('-----END ', key) < 0 && text.length - key < LONGEST_WAIT;
  let cut = text.lastIndexOf('\n', openKey ? key : text.length) + 1;
  while (cut > 0 && text.length - cut < LONGEST_WAIT) {
    const line = text.lastIndexOf('\n', cut - 2) + 1;
    if (!BLOCK_LINE.test(text.slice(line, Math.min(cut, line + 200)))) {
      // The line above a block stays with it: the block may hang on its first words.
      return line;
    }
    cut = line;
  }
  if (text.length < LONGEST_WAIT) {
    return cut;
  }
  const blank = text.lastIndexOf(' ', text.length - 4096);
  return Math.max(blank, 0);
}

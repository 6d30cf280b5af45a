/** Blocks of text that follow one another may have been one text, and the cut may have gone through a secret, or through what tells of it. */
import type { Span } from './page.ts';

/** How much of a text before a cut is read again by itself. */
const READ = 2000;

/**
 * What is secret in texts only because they are read as one: what a cut goes through, and what the text before tells of.
 * What is whole before a cut takes nothing with it that begins anew.
 */
export function seamSpans(texts: readonly string[], detect: (text: string) => readonly Span[]): Span[] {
  const joined = texts.join('');
  let isKnown = knownAlone('', detect);
  let at = 0;
  let from = 0;
  let cut = texts[0]?.length ?? 0;
  return detect(joined).filter(({ start, end }) => {
    while (cut <= start && at + 1 < texts.length) {
      at++;
      from = cut;
      cut += texts[at]?.length ?? 0;
      isKnown = knownAlone(String(texts[at]), detect);
    }
    const text = String(texts[at]);
    if (end <= cut) {
      return at > 0 && isTold(text, start - from, end - from) && !isKnown(start - from, end - from);
    }
    const head = text.slice(-READ);
    const isBegun = detect(head).some((span) => cut - head.length + span.end > start);
    return !isBegun || isOdd(joined.slice(cut, end));
  });
}

/** Tells what of a text is found in it alone; asked from its beginning to its end. */
function knownAlone(text: string, detect: (text: string) => readonly Span[]) {
  let known: readonly Span[] | undefined;
  let next = 0;
  return (start: number, end: number): boolean => {
    known ??= detect(text);
    while ((known[next]?.end ?? Number.POSITIVE_INFINITY) <= start) {
      next++;
    }
    return (known[next]?.start ?? Number.POSITIVE_INFINITY) < end;
  };
}

/** Is it a value of what the text before has named? Either its name goes on before it, or it is no first word of a sentence. */
function isTold(text: string, start: number, end: number): boolean {
  return (start > 0 && !/\s/.test(text.slice(0, start).trimEnd())) || isOdd(text.slice(start, end));
}

/** Not the first word of another sentence. */
function isOdd(rest: string): boolean {
  return /\d|[a-z][A-Z]/.test(rest);
}

/** Blocks of text that follow one another may have been one text, and the cut may have gone through a secret. */
import type { Span } from './page.ts';

/** Characters that a secret can go on over. */
const ENDS = /[\w+/=.:@~$%#!&*-]$/;
const BEGINS = /^[\w+/=.:@~$%#!&*-]/;

/** Could the second text go on with the last word of the first? */
function isSeam(one: string, other: string): boolean {
  return ENDS.test(one) && BEGINS.test(other);
}

/** The stretches of texts, two at least, of which each could go on with the last word of the one before. */
export function stretchesOf<T extends { readonly text: string }>(items: readonly T[]): T[][] {
  const stretches: T[][] = [];
  let stretch: T[] = [];
  for (const item of items) {
    const last = stretch.at(-1);
    if (last !== undefined && !isSeam(last.text, item.text)) {
      stretches.push(stretch);
      stretch = [];
    }
    stretch.push(item);
  }
  return [...stretches, stretch].filter(({ length }) => length > 1);
}

/** How much of a text before a cut is read again by itself. */
const READ = 2000;

/** What is secret in texts read as one. What is whole before a cut takes nothing with it that begins anew. */
export function seamSpans(texts: readonly string[], detect: (text: string) => readonly Span[]): Span[] {
  const joined = texts.join('');
  let at = 0;
  let cut = texts[0]?.length ?? 0;
  return detect(joined).filter(({ start, end }) => {
    while (cut <= start && at + 1 < texts.length) {
      at++;
      cut += texts[at]?.length ?? 0;
    }
    if (end <= cut) {
      return false;
    }
    const head = String(texts[at]).slice(-READ);
    const isBegun = detect(head).some((span) => cut - head.length + span.end > start);
    return !isBegun || isOdd(joined.slice(cut, end));
  });
}

/** Not the first word of another sentence. */
function isOdd(rest: string): boolean {
  return /\d|[a-z][A-Z]/.test(rest);
}

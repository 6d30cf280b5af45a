import { isMadeOfWords } from '../looks.ts';
import { FORMAT, mark, matchAt, type Page } from '../page.ts';
import { charSet, runEnd } from '../runs.ts';
import type { Trigger } from '../scan.ts';
import { classOfRule, formatSource, rows, wordEnd } from './formats.ts';

/** What may stand between a vendor's name and its secret: the rest of a name, an assignment, a few words. */
const BETWEEN =
  /[\w.-]{0,24}(?:[ \t]{1,2}(?:api|app|access|auth|client|secret|token|key|id|password|license|org|project|account|bearer|credential)s?){0,3}\\{0,7}["'`]?\]?[ \t]{0,3}(?:=>|:=|[=:>,]|is|was)?[ \t]{0,3}\\{0,7}["'`]?(?<![\w-])/iy;

const VALUE = charSet(/[\w.+/=-]/);
const SHORTEST = 12;

/** Triggers for formats that only the vendor's name in front tells from any other identifier. */
export function namedFormatTriggers(table: string): Trigger[] {
  const vendors = new Map<string, Array<readonly [id: string, format: string]>>();
  for (const [id = '', vendor = '', format = ''] of rows(table)) {
    vendors.set(vendor, [...(vendors.get(vendor) ?? []), [id, format]]);
  }
  return [...vendors].map(([vendor, formats]) => {
    let patterns: ReadonlyArray<readonly [id: string, pattern: RegExp]> | undefined;
    const detect = (page: Page, start: number, end: number): void => {
      if (start < page.covered) {
        return;
      }
      const { text } = page;
      const between = matchAt(BETWEEN, text, end);
      if (!between) {
        return;
      }
      patterns ??= formats.map(([id, format]) => [id, new RegExp(`${namedSource(format)}`, 'y')] as const);
      const at = end + between[0].length;
      if (runEnd(page, VALUE, at) - at < SHORTEST) {
        return;
      }
      const match = patterns.find(([, pattern]) => matchAt(pattern, text, at));
      if (
        match &&
        (/\d/.test(text.slice(at, match[1].lastIndex)) || !isMadeOfWords(text.slice(at, match[1].lastIndex)))
      ) {
        mark(page, at, wordEnd(page, match[1].lastIndex), match[0], classOfRule(match[0]), FORMAT);
      }
    };
    return [vendor, detect] as const;
  });
}

/** The value has its exact length: nothing but the length tells it. */
export function namedSource(format: string): string {
  return `(?=[\\w.+/=-]{0,80}(?:\\d|[a-z][A-Z]))${formatSource(format).replace(/,400\}$/, '}')}(?![\\w-])`;
}

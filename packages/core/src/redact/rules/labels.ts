import type { Page } from '../page.ts';
import { build } from './patterns.ts';

/** Things that have numbers people quote: a number with such a label is nobody's card, phone or identity. */
const LABELS =
  'gtin|ean|upc|isbn|issn|asin|sku|sscc|imei|bar ?code|article|product|item|part|lot|batch|order|tracking|shipment|parcel|package|delivery|invoice|transaction|txn|payment|refund|serial|reference|ref|case|ticket|contract|booking|confirmation|claim|document|message|request|trace|job|run|task|build|event|session|version|timestamp';
const LABEL = build(
  `(?:^|[^a-z]|[a-z](?=[A-Z]))(?:${LABELS})s?(?:[ _-]?(?:number|num|no|nr|id|code|ref|\\d{1,2}))?[\\s:=#"'.()\\[\\]-]{0,6}$|\\/0[012]\\/$|\\(0[012]\\)$`,
  'i',
);
/** Of these everybody knows the longest: a longer one is no such thing, whatever it is called. */
const OF_14 = /(?:gtin|ean|upc|isbn|issn)s?(?:[ _-]?\w{1,6})?[^a-z\d]{0,6}$/i;
const BEHIND = /^["']?,? (?:is|was)(?: not)? an? (?:in)?valid (?:gtin|ean|upc|isbn|imei|order|tracking)/i;
const NEAR = 32;

/** Whether a number's own context calls it an identifier: the words before it, the key it stands under. */
export function isLabelled(page: Page, start: number, end: number): boolean {
  const { text, label, switches } = page;
  const before = text.slice(Math.max(0, start - NEAR), start);
  const isLong = text.slice(start, end).replace(/\D/g, '').length > 14;
  const isLabel = (words: string): boolean => LABEL.test(words) && !(isLong && OF_14.test(words));
  return (
    isLabel(before) ||
    BEHIND.test(text.slice(end, end + NEAR)) ||
    (label !== undefined && isAlone(text, start, end) && (isLabel(label) || switches.keeps(label))) ||
    switches.keeps(before)
  );
}

/** Is the number all that the text says? In a sentence, the key that it stands under is the sentence's and not the number's. */
function isAlone(text: string, start: number, end: number): boolean {
  return end - start > text.length / 2 && !LETTER.test(text.slice(0, start)) && !LETTER.test(text.slice(end));
}

const LETTER = /\p{L}/u;

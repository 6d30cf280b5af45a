/** What a browser's driver says of an element that the caller has named. */
import { isRecord } from './look.ts';

/** How Playwright begins what it says: with what was called. */
const CALLED = /^(?:page|locator|frame|frameLocator|elementHandle)\.\w{1,40}: /;
const ELEMENT = /\bElement is (?:not|outside|disabled|hidden|detached)\b/i;
const NAMES_ELEMENT = /selector|locator|element|xpath|css|^ref$|target/i;

/** Is it over such an element? */
export function isOverPage(message: string, sent: unknown): boolean {
  if (!CALLED.test(message) || !isRecord(sent)) return false;
  return ELEMENT.test(message) && Object.keys(sent).some((name) => NAMES_ELEMENT.test(name));
}

/** What a browser's driver says of an element or an address that the caller has named. */
import { isRecord } from './look.ts';
import { textsIn } from './sent.ts';

/** How Playwright begins what it says: with what was called. */
const CALLED = /^(?:page|locator|frame|frameLocator|elementHandle)\.\w{1,40}: /;
const ADDRESS = /\bnet::ERR_[A-Z_]{3,60} at (\S{1,2000})/;
const ELEMENT = /\bElement is (?:not|outside|disabled|hidden|detached)\b/i;
const NAMES_ELEMENT = /selector|locator|element|xpath|css|^ref$|target/i;

/** Is it over such an element, or such an address? */
export function isOverPage(message: string, sent: unknown): boolean {
  if (!CALLED.test(message) || !isRecord(sent)) return false;
  const address = ADDRESS.exec(message)?.[1];
  if (address !== undefined) return textsIn(sent).some((text) => isSame(text, address));
  return ELEMENT.test(message) && Object.keys(sent).some((name) => NAMES_ELEMENT.test(name));
}

/** A browser ends an address without a path with a slash. */
function isSame(one: string, other: string): boolean {
  return one.replace(/\/$/, '') === other.replace(/\/$/, '');
}

import { entropy, isIdentifier, isSaidName } from '../looks.ts';
import { type Detector, LOOKS, mark } from '../page.ts';
import { hasPublicPrefix } from './token-shapes.ts';

const BITS = 3.6;
const LONG_ENOUGH = 20;

/** What has identifiers that people quote to one another. */
const LABEL =
  /(?:^|[^a-z])(?:commit|base|head|parent|sha\d{0,3}|etag|revision|rev|digest|checksum|blob|receipt|charge|payment|refund|invoice|order|transaction|txn|job|run|task|build|event|batch|tracking|shipment|ticket|booking|deployment|snapshot|upload|version|operation|execution)(?:[ _-]?(?:id|number|no\.?|ref))?(?: is| was)?(?:[\s:=#"'(]{1,3}|\sW\/")$/i;
const NEAR = 28;

/** Whether a text calls a word an identifier, or the word itself does. */
function isPublic(text: string, start: number, word: string): boolean {
  return hasPublicPrefix(word) || LABEL.test(text.slice(Math.max(0, start - NEAR), start));
}

/** Takes a long word for its high entropy alone, at the strict level. Whoever knows what is in it comes before. */
export const detectOddWord: Detector = (page, start, end) => {
  if (end - start < LONG_ENOUGH || !page.switches.isOn('entropy')) {
    return;
  }
  const word = page.text.slice(start, Math.min(end, start + 256));
  if (
    /\d/.test(word) &&
    /[A-Za-z]/.test(word) &&
    !isIdentifier(word) &&
    !isSaidName(word) &&
    !isPublic(page.text, start, word) &&
    entropy(word) >= (/^[\da-f]+$/i.test(word) ? 3 : BITS)
  ) {
    mark(page, start, end, 'entropy', 'high-entropy', LOOKS);
  }
};

import { entropy, isIdentifier } from '../looks.ts';
import { type Detector, LOOKS, mark } from '../page.ts';
import { detectTokenShape } from './token-shapes.ts';

const BITS = 3.6;
const LONG_ENOUGH = 20;

/** Judges a long word by its looks alone; at the strict level high entropy is enough. */
export const detectWord: Detector = (page, start, end) => {
  const before = page.spans.length;
  detectTokenShape(page, start, end);
  if (page.spans.length > before || end - start < LONG_ENOUGH || !page.switches.isOn('entropy')) {
    return;
  }
  const word = page.text.slice(start, Math.min(end, start + 256));
  if (
    /\d/.test(word) &&
    /[A-Za-z]/.test(word) &&
    !isIdentifier(word) &&
    entropy(word) >= (/^[\da-f]+$/i.test(word) ? 3 : BITS)
  ) {
    mark(page, start, end, 'entropy', 'high-entropy', LOOKS);
  }
};

/** All phrases there are: of software in English, in other languages, and the names that services have for failures. */
import { CODES } from './codes.ts';
import { FOREIGN, FOREIGN_CLASSES } from './languages.ts';
import { type Lexicon, lexiconOf } from './lexicon.ts';
import { CLASSES, PHRASES } from './phrases.ts';

/** The compiled families; the work is done on the first call. */
export const lexicon: () => Lexicon = /* @__PURE__ */ lexiconOf({
  phrases: `${PHRASES}\n${FOREIGN}\n${CODES}`,
  classes: { ...CLASSES, ...FOREIGN_CLASSES },
});

/** The reader for bundles that must be small: statuses, codes, bodies, and the phrases that most servers use. */
import { type Lexicon, lexiconOf } from './lexicon.ts';
import { type Look, lookAtCrash, lookAtGone, lookAtUnavailable } from './looks.ts';
import { CLASSES, COMMON_PHRASES } from './phrases.ts';
import { type ProseReader, proseReader } from './read-prose.ts';

const lexicon: () => Lexicon = /* @__PURE__ */ lexiconOf({ phrases: COMMON_PHRASES, classes: CLASSES });

function lookAt(kind: string, text: string, says: string): Look | undefined {
  switch (kind) {
    case '@crash':
      return lookAtCrash(text);
    case '@gone':
      return lookAtGone(text);
    case '@unavailable':
      return lookAtUnavailable(text, says);
    default:
      return undefined;
  }
}

/** The reader. */
export const compactReader: ProseReader = /* @__PURE__ */ proseReader({ lexicon, lookAt });

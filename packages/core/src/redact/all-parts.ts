/** All parts there are: those of a redactor that knows everything. */
import { withoutLetters } from './bytes/letters-of-bytes.ts';
import { commandParts } from './command-lists.ts';
import { markDisguised } from './disguised.ts';
import { isClean } from './glance.ts';
import { markJson } from './json-texts.ts';
import { knownLeaf } from './leaves.ts';
import { neighbourParts } from './neighbours.ts';
import { nameOf } from './node-names.ts';
import type { Parts } from './parts.ts';
import { shorten } from './repeats.ts';
import { markBehindNames } from './rules/behind-names.ts';
import { markEchoBefore } from './rules/echoes.ts';
import { markExpected, markExpectedUnder } from './rules/expected.ts';
import { markGiven, markGivenWords } from './rules/given.ts';
import { markLater } from './rules/later-values.ts';
import type { NameReaders } from './rules/names.ts';
import { markNamedBehind } from './rules/names-behind.ts';
import { withoutPages } from './rules/pages-to-open.ts';
import { meaningAt } from './rules/plurals.ts';
import { isTold, markReceived, markReceivedUnder } from './rules/received.ts';
import { markSeconds } from './rules/second-values.ts';
import { markColumn } from './rules/tables.ts';
import { linkAt } from './rules/tie.ts';
import { markToldWrong } from './rules/told-wrong.ts';

/** How names are read in full. */
export const ALL_READERS: NameReaders = {
  meaningAt,
  linkAt,
  markBefore: markEchoBefore,
  markColumn,
  markTold(page, wordStart, nameStart, nameEnd, meaning) {
    if (!markToldWrong(page, wordStart, nameEnd, meaning))
      markGiven(page, wordStart, nameStart, nameEnd, meaning);
  },
  isTold,
};

/** The parts. */
export const ALL_PARTS: Parts = {
  looks: [
    markJson,
    (page, label) => markGivenWords(page, 0, page.text.length, label),
    (page, label) => markReceivedUnder(page, 0, page.text.length, label),
    markReceived,
    markNamedBehind,
    (page, label) => markExpectedUnder(page, 0, page.text.length, label),
    markExpected,
    markBehindNames,
    markLater,
    markSeconds,
  ],
  markDisguised,
  withoutLetters,
  toGo: withoutPages,
  shorten,
  knownLeaf,
  nameOf,
  neighbourParts,
  commandParts,
  isClean,
};

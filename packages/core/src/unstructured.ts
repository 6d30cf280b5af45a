/** The bridge from a wire to all that the readers of bodies and prose know. */
import type { Heard } from './dialects/dialect.ts';
import { own } from './json.ts';
import type { Kind } from './kinds.ts';
import { detectDisguised, type Finding, readBody, readProse, weighBody, weighProse } from './prose/index.ts';
import { beforeAdvice, heardInAdvice } from './render/read-model-text.ts';
import type { Wire } from './wire/wire.ts';
import { contextOf, heard, saysNothing, wordsReader } from './words-reader.ts';

/** What the body or the text of a wire says to a reader who knows how software reports errors. */
export const readUnstructured: (wire: Wire) => Heard | undefined = /* @__PURE__ */ besideAdvice(
  /* @__PURE__ */ wordsReader({ readProse, readBody }, heardInAdvice),
);

/** Our own advice that fits any kind is no part of the words: it is kept, and they are read without it. */
function besideAdvice(readWords: (wire: Wire) => Heard | undefined): (wire: Wire) => Heard | undefined {
  return (wire) => {
    const ours = beforeAdvice(wire.text);
    if (ours === undefined) return readWords(wire);
    const { words, said } = ours;
    const heard = readWords({ ...wire, text: words }) ?? NOT_TOLD;
    return { ...heard, message: words, ...said };
  };
}

const NOT_TOLD: Heard = {
  kind: 'unknown',
  certainty: 0,
  evidence: [{ by: 'advice', says: 'a part of it was done; nothing tells what went wrong' }],
};

/** One reason for a reading, and what it weighs. */
export interface Weighed {
  /** Where it was found. */
  readonly in: 'text' | 'body';
  /** The layer that found it: `status`, `phrase`, `body:zod`, … */
  readonly by: string;
  readonly kind: Kind;
  /** 0 … 100. The heaviest decides. */
  readonly weight: number;
  readonly says: string;
  /** The same call meets it again, whatever the kind. */
  readonly never: boolean;
}

/** Every finding in the body and in the text of a wire, the heaviest of each first: why it is read as it is. */
export function weigh(wire: Wire): readonly Weighed[] {
  const context = contextOf(wire);
  const body = wire.body ?? wire.error?.data;
  const inBody = body === undefined || body === null ? [] : weighBody(body, context);
  const inText = wire.text === '' ? [] : weighProse(saysNothing(wire) ? '' : wire.text, context);
  return [
    ...inBody.map((found) => toWeighed('body', found)),
    ...inText.map((found) => toWeighed('text', found)),
  ];
}

function toWeighed(where: Weighed['in'], { by, kind, weight, says, never }: Finding): Weighed {
  return { in: where, by, kind, weight, says, never: never === true };
}

/** Below this, a success stays a success. */
const DISGUISE = 0.7;

/** A failure that came as a plain tool result, without `isError`. */
export function readDisguised(wire: Wire): Heard | undefined {
  if (wire.placement !== 'tool' || wire.result === undefined) return undefined;
  const found = detectDisguised(wire.text, own(wire.result, 'structuredContent'));
  if (found === undefined || found.probability < DISGUISE) return undefined;
  const says = `a success whose text is an error, with probability ${found.probability.toFixed(2)}`;
  const said = heard(found.reading, wire);
  return {
    ...said,
    certainty: Math.min(said.certainty, found.probability),
    evidence: [{ by: 'disguise', says }, ...said.evidence],
  };
}

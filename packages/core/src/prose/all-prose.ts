/** The reader that has all phrases and all looks. */
import type { Subject } from '../fault.ts';
import { lookAt, lookAtAll } from './all-looks.ts';
import { lexicon } from './all-words.ts';
import { codedThing } from './coded-things.ts';
import { issuesInText } from './issues.ts';
import { isComplaint } from './looks.ts';
import { predicateOf } from './predicate.ts';
import { type ProseReader, proseReader } from './read-prose.ts';
import { passesWithTime } from './readiness.ts';
import { ofProtocol, withId } from './subject.ts';
import { thingIn } from './things.ts';
import type { ProseContext } from './types.ts';
import { findUnspaced } from './unspaced.ts';
import type { Finding, Verdict } from './verdict.ts';

/** Below this, what it is about is as doubtful as what it is. */
const BELIEVED = 0.5;

/** The thing that is named, or that a code beside the words names. */
function thingOf({ best, evidence }: Verdict, said: readonly string[]): Subject | undefined {
  for (const text of said) {
    const thing = thingIn(best.kind, text);
    if (thing !== undefined) return thing;
  }
  const code = evidence.find(({ by, kind }) => kind === best.kind && by.startsWith('body:'));
  return code === undefined ? undefined : codedThing(best.kind, code.says);
}

function withSubject(
  verdict: Verdict,
  text: string,
  context: ProseContext,
  said: readonly string[],
): Finding {
  const best = withId(ofProtocol(verdict.best, text, context), text === '' ? (said[0] ?? '') : text, context);
  const subject = best.subject ?? (verdict.certainty < BELIEVED ? undefined : thingOf(verdict, said));
  return subject === best.subject ? best : { ...best, subject };
}

const reader: ProseReader = /* @__PURE__ */ proseReader({
  lexicon,
  lookAt,
  findUnspaced,
  predicateOf,
  isComplaint,
  passesWithTime,
  lookAtAll,
  issuesIn: issuesInText,
  withSubject,
});

/**
 * Reads a failure's text; nothing when nothing is recognised.
 *
 * Total and linear: any string, never throws, the same answer each time.
 *
 * @example
 * readProse('Request failed with status code 429: retry in 7 seconds')
 * // { kind: 'rate_limited', afterMs: 7000, status: 429, certainty: 0.9, … }
 */
export const readProse: ProseReader['readProse'] = reader.readProse;

/** Every finding of a text with its weight, strongest first: why `readProse` says what it says. */
export const weighProse: ProseReader['weighProse'] = reader.weighProse;

/** Every finding of a body with its weight, strongest first: why `readBody` says what it says. */
export const weighBody: ProseReader['weighBody'] = reader.weighBody;

/** Reads a parsed JSON body: `structuredContent`, an HTTP body, `error.data`. */
export const readBody: ProseReader['readBody'] = reader.readBody;

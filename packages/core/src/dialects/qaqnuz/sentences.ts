/** The sentences that the platform itself sends: on the wire they are all that is left of the class. */
import { type Kind, TRAITS } from '../../kinds.ts';

/** The platform's texts that are the same to the letter for everybody. */
export const TEXTS: {
  readonly rateLimited: string;
  readonly unauthorized: string;
  readonly unreachable: string;
  readonly openChange: string;
} = {
  rateLimited: 'Rate limit exceeded. Please wait before sending more requests.',
  unauthorized: 'Unauthorized',
  unreachable: 'This tool is not available for your key.',
  openChange: 'The call was not completed. It may have happened; check before you repeat a change.',
};

/** What a tool depends on. */
const BEHIND = '\\b(?:provider|upstream|dependency|backend|service)';

/**
 * In this order: the arguments of a call, quoted in a refusal, may hold any words. A refusal tells no reason, and
 * none is read into it: an unreachable tool is forbidden, not missing.
 */
const SENTENCES: readonly (readonly [Kind, RegExp])[] = [
  [
    'invalid_arguments',
    /^(?:invalid|unrecognized|unknown|missing)\b.{0,40}\b(?:arguments?|inputs?|keys?|fields?)\b/i,
  ],
  ['forbidden', /^this tool is not available\b/i],
  ['unauthenticated', /^unauthorized\b/i],
  ['approval_required', /\brequires approval\b/i],
  [
    'forbidden',
    /^the call to .{1,200} was denied\b|^(?:access|permission) denied\b|^(?:forbidden|not (?:allowed|permitted|entitled))\b/i,
  ],
  ['forbidden', /^your (?:plan|key|brand) (?:does not|is not|cannot|may not)\b/i],
  ['rate_limited', /\brate limit/i],
  ['overloaded', new RegExp(`^the .{0,100}${BEHIND} is busy\\b`, 'i')],
  [
    'upstream_failed',
    new RegExp(
      `^the .{0,100}${BEHIND} (?:failed|cannot be reached|did not answer|timed out|is (?:down|unavailable))\\b`,
      'i',
    ),
  ],
];

/** What is said of a kind where nothing else may cross. */
export function titleOf(kind: Kind): string {
  return kind === 'rate_limited' ? TEXTS.rateLimited : TRAITS[kind].title;
}

/** Only the beginning is a sentence of the platform's. */
const MAX_LENGTH = 500;

/** The kind behind one of the platform's sentences, if it is one. */
export function sentenceKind(text: string): Kind | undefined {
  const head = text.slice(0, MAX_LENGTH);
  return SENTENCES.find(([, sentence]) => sentence.test(head))?.[0];
}

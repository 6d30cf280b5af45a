/** What was not found, by the word that the text has for it: an order, a recipe, a bucket. */
import type { Subject } from '../fault.ts';

/** Longer texts explain. */
const LONGEST = 300;

const LEAD = String.raw`(?:^|[.:;!?>] |\bdesc = |\n)\W{0,3}(?:error: )?`;
const DETERMINED = '(?:the |an? |this |that |your |any |such |requested |specified |given )*';
const NOUN = `(?<noun>[a-z][a-z-]{1,30}(?: [a-z][a-z-]{1,30}){0,2}?)`;
/** How a thing is told apart. Only what looks like an identifier is handed on. */
const TOLD = String.raw`(?:(?:with |by )?(?:the )?(?:id|number|no\.?|name|named|called|key|slug) ?[:=]? ?)?(?<id>["'\x60“][^"'\x60”\n]{1,80}["'\x60”]|#[\w-]{1,60}|[\w.@/-]*[\d/_@][\w@/.-]*)`;
const ABSENT = String.raw`(?:(?:was|were|is|are|has|could|can|does|do|did) )?(?:not|n't|cannot|no longer)(?: be| been)? (?:found|exists?|known|located)\b`;

const FORMS: readonly RegExp[] = [
  new RegExp(`${LEAD}${DETERMINED}${NOUN}(?: ${TOLD})?(?: |n't |doesn't |isn't )${ABSENT}`, 'i'),
  new RegExp(`${LEAD}${DETERMINED}${NOUN}(?: ${TOLD})? (?:doesn't|didn't) exist\\b`, 'i'),
  new RegExp(`\\bno such ${NOUN}(?::? ${TOLD}|[.!:,]|$)`, 'i'),
  new RegExp(
    `${LEAD}(?:there (?:is|was) )?no ${NOUN} (?:(?:with|for|by|of|at) (?:\\w+ ){0,2}|named |called )?${TOLD}`,
    'i',
  ),
  new RegExp(
    `${LEAD}(?:there (?:is|was) )?no ${NOUN} (?:with|named|called|matching|found|exists|for)\\b`,
    'i',
  ),
  new RegExp(
    `\\b(?:could not|couldn't|cannot|can't|unable to|failed to) (?:find|locate) ${DETERMINED}${NOUN}(?::? ${TOLD}|[.!,]|$)`,
    'i',
  ),
  new RegExp(`${LEAD}unknown ${NOUN}(?::? ${TOLD}|[.!]|$)`, 'i'),
];

/** Words of the protocol, which are looked for by kind, and words that name nothing. */
const NO_THING =
  /^(?:tools?|prompts?|resources?|tasks?|sessions?|methods?|keys?|cursors?|uris?|errors?|exceptions?|requests?|responses?|results?|match(?:es)?|hosts?|servers?|status|it|this|that|they|what|which|who|you|we|one|anything|something|nothing|data|access|more|longer|need|reason|failed|failure|invalid|commands?|modules?|functions?|actions?|operations?)$/i;
const IDENTIFIER = /^(?=.*\d)(?!\d{10,})[\w.-]{1,40}$/;

/** The thing that a text says is not there; nothing when it has no plain word for it. */
export function thingIn(text: string): Subject | undefined {
  if (text.length > LONGEST) return undefined;
  for (const form of FORMS) {
    const { noun, id } = form.exec(text)?.groups ?? {};
    if (noun === undefined) continue;
    const type = noun.split(' ').pop()?.toLowerCase() ?? '';
    if (NO_THING.test(type)) return undefined;
    const name = id?.replace(/^["'`“#]|["'`”.]$/g, '');
    return name !== undefined && IDENTIFIER.test(name) ? { type, id: name } : { type };
  }
  return undefined;
}

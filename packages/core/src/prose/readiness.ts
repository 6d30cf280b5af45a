/**
 * What is not ready: does time alone help, or a step of the caller's? "Not initialized. Call open first" and "Not
 * initialized yet, retry in 2 s" share their words; whoever names a wait, or says what is under way, asks for no step.
 */
import { type Form, matchesOne, sentenceForm } from './forms.ts';
import { namesEnvironment } from './looks.ts';
import type { Finding } from './verdict.ts';

/** Longer texts explain; what they say in passing is no verdict. */
const LONGEST = 300;
/** As much as a sentence of people to people. */
const WEIGHT = 72;

const START = `(?:^|[.;:!?,(–—] ?|- )(?:error: )?(?:please |just )?`;

const form = (source: string): Form => sentenceForm(new RegExp(source, 'i'));

/** How things come to be ready, without the ending. */
const COMING =
  'attach|boot|build|connect|creat|deploy|establish|index|initiali[sz]|launch|load|prepar|provision|rebalanc|reboot|rebuild|reconnect|recover|reindex|reload|restart|restor|resum|retry|start|synchroni[sz]|sync|wak|warm';
const DONE =
  '(?:available|back|built|complete|completed|connected|done|ended|finished|indexed|initiali[sz]ed|loaded|online|over|ready|started|up)';
const BRIEFLY = String.raw`(?:\d|an? (?:few|little|couple|second|minute|moment|bit|while)\b|(?:some|one|several) (?:time|seconds|minutes|moments?)\b)`;

/** Nobody knows how long people take. */
const FOR_PEOPLE = String.raw`(?:for|until) (?:an? |the |your |their )?(?:admin\w*|approval|confirmation|customer|human|operator|owner|somebody|someone|user|you)\b`;

/** A wait for something that is under way. */
const ONCE = form(
  String.raw`\b(?:retry|again|back) (?:once|when|after|as soon as) (?!you\b|your\b)(?:\S+ ){1,6}?(?:has|have|is|are)(?: been)? ${DONE}\b`,
);

/** A wait is asked for. Of what it is, that says nothing. */
const WAITS = [
  ONCE,
  form(String.raw`(?:${START}|\bplease )(?:wait|hold on|stand by)\b(?! ${FOR_PEOPLE})`),
  form(
    String.raw`\b(?:retry|again|back|ready|available|reconnecting|retrying) (?:in|within|after) (?:about )?${BRIEFLY}`,
  ),
  form(
    String.raw`\b(?:retry|again|back) (?:later|shortly|soon|first thing)\b|\b(?:one|a) moment,? please\b|\bgive it ${BRIEFLY}`,
  ),
];

/** Something is under way, and will be done. */
const UNDER_WAY = [
  form(
    String.raw`(?:\b(?:is|are|still|currently|now) |[.;:,(–—] ?|- |^)(?:${COMING})ing\b(?! (?:it|this|them|your)\b)`,
  ),
  form(String.raw`^(?:\w+ ){0,2}\w+ (?:re)?(?:initiali[sz]|start|boot|load)ing(?: up)?[.;,!…]`),
  form(
    String.raw`\b(?:is|are) being (?:re)?(?:built|cloned|computed|connected|created|deployed|established|exported|generated|imported|indexed|initiali[sz]ed|launched|loaded|migrated|prepared|processed|provisioned|rendered|restarted|restored|started|transcoded|upgraded)\b`,
  ),
  form(
    String.raw`\b(?:connection|handshake|import|indexing|initiali[sz]ation|launch|loading|login|migration|reconnect|restart|setup|start-?up|sync|warm-?up)(?: is)?(?: still| already)? in progress\b`,
  ),
  form(
    String.raw`${START}waiting (?!${FOR_PEOPLE})for (?:the|its|an?) (?:(?:first|next|initial)\b|(?:\S+ ){1,6}?to [a-z]+)`,
  ),
  form(String.raw`\b(?:queued|scheduled|pending)\b[^.]{0,20}\bnot (?:yet )?(?:started|running)\b`),
  form(String.raw`\b(?:has|have) not (?:started|finished|completed|ended) yet\b`),
  form(
    String.raw`\b(?:backup|build|deployment|environment|export|import|job|migration|pipeline|run|task)(?: \S{1,40})? (?:is )?not (?:started|finished|completed|running) yet\b`,
  ),
  form(
    String.raw`(?:^|: )(?!you\b)[^.;:,]{1,60} (?:must|has to|have to|needs? to) (?:complete|end|finish|settle) first\b`,
  ),
  ONCE,
];

/** Of what it is said, whoever asks for a wait says that it ends. */
const IN_PROGRESS = form(String.raw`\b(?:in progress|under ?way|ongoing)\b`);

/** What only the caller can do. */
const STEP = String.raw`(?:activate|add|attach|boot|call|choose|clone|connect|create|enable|execute|initiali[sz]e|invoke|join|launch|load|log|login|mount|navigate|open|pair|pick|read|register|request|run|save|scan|select|set|sign|start|switch|take|turn|unlock|upload|use|visit)\b(?! (?:it |this |the tool )?(?:again|later|back)\b)`;
const OBLIGED = String.raw`\byou (?:must|have to|need to|should)(?: first)? (?!wait\b|retry\b|try\b|allow\b|give\b|let\b|be\b)`;
const TOOL = String.raw`(?:["'\x60]?[a-z]+_\w+|["'\x60][\w.-]+["'\x60]|\w+\(\))`;
const WORDS = String.raw`(?: (?!must\b|has\b|have\b|needs\b|is\b|was\b)[^.;:\s]+){0,8}?`;

/** A step is left out, and named. */
const STEPS = [
  form(String.raw`${OBLIGED}[a-z]+${WORDS} (?:first\b|before )`),
  form(String.raw`(?:${START}|\b(?:and|then) )(?:first,? )?${STEP}${WORDS} first\b`),
  form(`${START}${STEP}(?: (?:it|one|them))? (?:with|using|via) ${TOOL}`),
  form(`${START}${STEP} ${TOOL} before (?:this|that|it|you|[a-z]+ing)\\b`),
];
/** The same, less surely: enough to doubt that time alone helps. */
const ASKS = [
  ...STEPS,
  form(`${OBLIGED}[a-z]`),
  form(String.raw`(?:${START}|\bmust )${STEP}${WORDS} before `),
  form(String.raw`${START}${STEP} (?:${TOOL}(?! (?:again|later)\b)|(?:it|one|them|the|an?|your)\b)`),
  form(
    String.raw`(?:[.;:!?,–—]| -) (?:please |then )?${STEP}(?! (?:attempt|has|in progress|is|must|not|pending|queued|scheduled|was|\d))`,
  ),
  form(
    String.raw`(?:[.;:!?,–—]| -) (?:please |then )?(?:ask|check|configure|contact|ensure|install|make sure|restart|tell|verify)\b(?! (?:again|back|later|(?:the |its )?(?:progress|status))\b)`,
  ),
];
/** A call that is to come first, by its name: whatever is said not to be there, it will be. */
const CALL_FIRST = form(
  String.raw`${START}(?:call|invoke) (?:the )?["'\x60]?[\w.-]{1,60}(?:\(\))?["'\x60]?(?: tool)? first\b`,
);
/** More than that it is not configured, or not set up. */
const SURELY = 95;
const NAMES_TOOL = form(String.raw`\b(?:with|using|via|call|run|use|invoke|take|an?) ${TOOL}`);

/** What went wrong is told, so that nothing is under way any more. */
const FAILED =
  /(?!^error: )\b(?:fail\w*|errors?|exception|cannot|can't|could not|couldn't|unable|denied|refused|timed out|timeout|aborted|invalid|unknown)\b/i;

/** Does a text say itself that only time is needed? Not where it asks the caller for a step. */
export function passesWithTime(text: string): boolean {
  return (
    text.length <= LONGEST &&
    (matchesOne(WAITS, text) || matchesOne(UNDER_WAY, text)) &&
    !matchesOne(ASKS, text)
  );
}

/** What a sentence says of what is not ready, where nothing that was found says more. */
export function readinessIn(text: string, found: readonly Finding[]): Finding | undefined {
  if (text.length > LONGEST) return undefined;
  const says = text.slice(0, 80);
  const isUnset = found.some(({ kind, weight }) => kind === 'misconfigured' && weight >= WEIGHT);
  if (isUnset && !namesEnvironment(text) && matchesOne([CALL_FIRST], text))
    return { kind: 'not_ready', weight: SURELY, says, by: 'phrase', never: true };
  if (found.some(({ weight }) => weight >= WEIGHT)) return undefined;
  const finding = { kind: 'not_ready', weight: WEIGHT, says } as const;
  // Whoever names a tool, or asks for a wait, speaks to the caller, whatever the sentence is about.
  if (matchesOne(STEPS, text))
    return { ...finding, by: NAMES_TOOL.test(text) ? 'phrase' : 'sentence', never: true };
  const isUnderWay =
    matchesOne(UNDER_WAY, text) || (matchesOne([IN_PROGRESS], text) && matchesOne(WAITS, text));
  if (FAILED.test(text) || !isUnderWay || matchesOne(ASKS, text)) return undefined;
  return { ...finding, by: matchesOne(WAITS, text) ? 'phrase' : 'sentence' };
}

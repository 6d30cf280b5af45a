/**
 * The text for the model: what happened, what to do next, the wait if there is one. Under 60 words,
 * because everything in it costs the caller's context.
 */
import type { Fault, Issue } from '../fault.ts';
import { dotted } from '../issue-path.ts';
import { ADVICE, type Kind, type Reaction, TRAITS } from '../kinds.ts';
import { remembering } from '../remember.ts';
import { withoutPage } from './page.ts';

/** One less than 60, and one for the mark of a cut. */
const MAX_WORDS = 58;
const MAX_WORD_LENGTH = 200;

/** What to do when the reaction is not the one that the kind implies. */
const BY_REACTION: { readonly [R in Reaction]: string } = {
  validation: 'Change the input, then call again.',
  permission: 'Get access first, then call again.',
  retryable: 'This may pass; wait a little, then call again.',
  dependency: 'Something it depends on failed; back off, then call again.',
  terminal: 'Do not retry; tell the user.',
};

/** What to do after kinds that usually leave doubt, or say that it ran, when it certainly did not. */
export const WITHOUT_DOUBT: { readonly [K in Kind]?: string } = {
  timeout: 'Nothing was done in that time; try again.',
  disconnected: 'The connection broke before anything was done; try again.',
  invalid_output: 'Its answer was unusable, and nothing was done; do not repeat it, tell the user.',
};

/** What to do after the same kinds, when the call can be repeated without harm. */
export const WITHOUT_HARM: { readonly [K in Kind]?: string } = {
  timeout: 'A repetition does no harm; try again.',
  disconnected: 'The connection broke; a repetition does no harm, try again.',
};

/** What to do after kinds that usually leave no doubt, when there is some. */
export const IN_DOUBT: { readonly [K in Kind]?: string } = {
  invalid_output: 'It may have run, but its answer was unusable; do not repeat it, tell the user.',
};

/** The same call meets it again: what is missing is not time but a step before it. */
export const STEP_FIRST = 'A step before it is missing; take that first, then call again.';

/** What to do where a part of the work was done, whatever went wrong with the rest. */
export const PARTLY_DONE = 'A part of it was done. Find out which; do not repeat the call.';

/** The instruction for the caller of a fault, without the wait. */
export function standingAdvice(fault: Fault): string {
  const { kind, reaction, executed, advice } = fault;
  if (advice !== undefined) return advice;
  if (kind === 'not_ready' && reaction === 'validation') return STEP_FIRST;
  if (reaction !== TRAITS[kind].reaction) return BY_REACTION[reaction];
  const special = executed === 'no' ? WITHOUT_DOUBT[kind] : executed === 'maybe' ? IN_DOUBT[kind] : undefined;
  return special ?? ADVICE[kind];
}

/** The instruction for the caller of a fault. */
export function adviceFor(fault: Fault): string {
  const advice = standingAdvice(fault);
  const wait = fault.retryable ? fault.retry.afterMs : undefined;
  return wait === undefined || wait === 0 ? advice : `${advice} ${waitSentence(wait)}`;
}

/** `Wait at least 30 s.`: whole seconds from one second up, rounded so that nobody wakes early. */
function waitSentence(ms: number): string {
  return ms < 1000 ? `Wait at least ${ms} ms.` : `Wait at least ${Math.ceil(ms / 1000)} s.`;
}

/** What a model needs to act on a fault. */
export function forModel(fault: Fault): string {
  const advice = adviceFor(fault);
  const room = MAX_WORDS - countOf(advice);
  const message = withoutPage(fault.message) || TRAITS[fault.kind].title;
  const novel = untold(message, fault.issues);
  // A sentence about one field is told with that field, and not before it.
  const isOfField = fault.issues.some((issue) => issue.path.length > 0 && issue.message === message);
  const words = novel.join('; ');
  const happened = novel.length === 0 ? message : isOfField ? words : `${withoutStop(message)}: ${words}`;
  return `${sentence(cut(happened, room))} ${advice}`;
}

/** The issues, as `path: what`, that a message does not tell already, in these words or in its own order. */
export function untold(message: string, issues: readonly Issue[]): string[] {
  const said = message.toLowerCase();
  return issues
    .filter(({ path, message: what }) => {
      const at = dotted(path);
      const told = at === '' ? message.includes(what) : message.includes(`${at}: ${what}`);
      return !told && !(at !== '' && namesIt(said, at.toLowerCase()) && tells(said, what.toLowerCase()));
    })
    .map(({ path, message: what }) => (path.length > 0 ? `${dotted(path)}: ${what}` : what));
}

/** Words with which sentences say that something is required. */
const ASKED_FOR =
  /(?:^|[^a-z])(?:missing|requires?|needs?|provide|pass|specify|supply|give|include)(?![a-z])/;

/** Does a text say what is wrong? That something is required is also said by asking for it. */
function tells(text: string, what: string): boolean {
  return namesIt(text, what) || (what === 'required' && ASKED_FOR.test(text));
}

/** Does a text name something, as a word or words of its own? `q` is not named by "Required". */
export function namesIt(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0 && name !== ''; at = text.indexOf(name, at + 1))
    if (!/\w/.test(text[at - 1] ?? '') && !/\w/.test(text[at + name.length] ?? '')) return true;
  return false;
}

function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

/** How many words a sentence has. There are few that say what to do. */
const countOf = /* @__PURE__ */ remembering((advice) => words(advice).length);

/** Blanks that are not one between two words. */
const ODD_BLANK = /^\s|\s$|\s\s|[^\S ]/;

/** Where a line ends that nothing else does, before one that begins as a sentence does: not where long lines are only broken. */
const END_OF_LINE = /([\p{L}\p{N})\]"'`])[^\S\n]*\n\s*(?=\p{Lu})/gu;

/** The first words, each of bounded length: a word of ten megabytes is not a word. */
function cut(text: string, room: number): string {
  // Every word has a letter and a blank: so short a text cannot have too many.
  if (text.length < room * 2 && !ODD_BLANK.test(text)) return text;
  const all = words(text.slice(0, room * (MAX_WORD_LENGTH + 1) * 2).replace(END_OF_LINE, '$1; '));
  const kept = all
    .slice(0, room)
    .map((word) => (word.length > MAX_WORD_LENGTH ? `${word.slice(0, MAX_WORD_LENGTH - 1)}…` : word));
  const whole = all.length <= room && text.length <= room * (MAX_WORD_LENGTH + 1) * 2;
  return whole ? kept.join(' ') : `${kept.join(' ')} …`;
}

function withoutStop(text: string): string {
  return text.replace(/[.:;]\s*$/, '');
}

/** A text that ends as a sentence does. */
export function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

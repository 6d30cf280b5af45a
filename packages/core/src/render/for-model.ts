/**
 * The text for the model: what happened, what to do next, the wait if there is one. Under 60 words,
 * because everything in it costs the caller's context.
 */
import { dotted } from '../document.ts';
import type { Fault } from '../fault.ts';
import { KIND_NAMES, KINDS, type Kind, type Reaction } from '../kinds.ts';

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

/** The instruction for the caller of a fault. */
export function adviceFor(fault: Fault): string {
  const advice =
    fault.advice ??
    (fault.reaction === KINDS[fault.kind].reaction ? KINDS[fault.kind].advice : BY_REACTION[fault.reaction]);
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
  const room = MAX_WORDS - words(advice).length;
  const issues = fault.issues.map((issue) =>
    issue.path.length > 0 ? `${dotted(issue.path)}: ${issue.message}` : issue.message,
  );
  const novel = issues.filter((issue) => !fault.message.includes(issue));
  const happened = novel.length > 0 ? `${withoutStop(fault.message)}: ${novel.join('; ')}` : fault.message;
  return `${sentence(cut(happened, room))} ${advice}`;
}

function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

/** The first words, each of bounded length: a word of ten megabytes is not a word. */
function cut(text: string, room: number): string {
  const all = words(text.slice(0, room * (MAX_WORD_LENGTH + 1) * 2));
  const kept = all
    .slice(0, room)
    .map((word) => (word.length > MAX_WORD_LENGTH ? `${word.slice(0, MAX_WORD_LENGTH - 1)}…` : word));
  const whole = all.length <= room && text.length <= room * (MAX_WORD_LENGTH + 1) * 2;
  return whole ? kept.join(' ') : `${kept.join(' ')} …`;
}

function withoutStop(text: string): string {
  return text.replace(/[.:;]\s*$/, '');
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

const WAIT = / Wait at least (\d{1,12}) (ms|s)\.$/;
const KIND_OF_ADVICE: ReadonlyMap<string, Kind> = new Map(
  KIND_NAMES.map((kind) => [KINDS[kind].advice, kind]),
);
const LONGEST = Math.max(...KIND_NAMES.map((kind) => KINDS[kind].advice.length));

/** The kind and the wait that our own text names, so that even bare text keeps them. */
export function readModelText(
  text: string,
): { readonly kind: Kind; readonly message: string; readonly afterMs?: number } | undefined {
  const tail = text.slice(-LONGEST - 40);
  const wait = WAIT.exec(tail);
  const end = text.length - (wait?.[0].length ?? 0);
  const start = text.lastIndexOf('. ', end - 2);
  for (
    let at = start;
    at >= 0 && end - at < LONGEST + 3;
    at = at === 0 ? -1 : text.lastIndexOf('. ', at - 1)
  ) {
    const kind = KIND_OF_ADVICE.get(text.slice(at + 2, end));
    if (kind === undefined) continue;
    const message = text.slice(0, at);
    if (wait === null) return { kind, message };
    return { kind, message, afterMs: Number(wait[1]) * (wait[2] === 's' ? 1000 : 1) };
  }
  return undefined;
}

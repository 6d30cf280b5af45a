/** A server knows its tools and prompts by names of its own; whoever called one hears the name that it was called by. */
import type { Fault } from '@mayday/core';
import { isMembers, type Members, type WireOutcome } from '@mayday/relay';

/** What was called. */
export interface Called {
  readonly type: 'tool' | 'prompt';
  /** The server's name for it. */
  readonly own: string;
  /** The caller's. */
  readonly joined: string;
}

/** Longer texts are no messages about a name. */
const LONGEST = 64 * 1024;

/** A failure in the caller's names, with what it may have meant where there is no such thing. */
export function calledAs(outcome: WireOutcome, called: Called, meant: string | undefined): WireOutcome {
  if (outcome.ok) return outcome;
  const rename = renamer(called);
  const { subject } = outcome.fault;
  const renamed = renamedFault(outcome.fault, rename);
  const isIt = subject?.type === called.type && subject.id === called.own;
  const about = isIt ? { ...renamed, subject: { ...subject, id: called.joined } } : renamed;
  const fault = isMissing(outcome, called) ? { ...about, advice: adviceOn(called.type, meant) } : about;
  const { value } = outcome;
  return value?.type === 'message'
    ? { ...outcome, fault, value: { ...value, message: renamedTexts(value.message, rename) } }
    : { ...outcome, fault };
}

/** What is said, and why it was not said again. */
function renamedFault(fault: Fault, rename: (text: string) => string): Fault {
  const message = rename(fault.message);
  const { details } = fault;
  const stopped = details?.['stopped'];
  return typeof stopped === 'string'
    ? { ...fault, message, details: { ...details, stopped: rename(stopped) } }
    : { ...fault, message };
}

/** Does the server say that there is no such tool or prompt, or the document of an API in its place? */
export function isMissing(outcome: WireOutcome, { type, own }: Called): boolean {
  if (outcome.ok || outcome.refused !== undefined || outcome.fault.kind !== 'not_found') return false;
  const { subject } = outcome.fault;
  return subject?.type === type && (subject.id === undefined || subject.id === own);
}

/** What to do about a name that nobody knows. */
export function adviceOn(type: Called['type'], meant: string | undefined): string {
  return `${meant === undefined ? '' : `Did you mean ${meant}? `}List the ${type}s to see their names.`;
}

/** Only where a name is said to be one: `add` is a word, too. */
function renamer({ type, own, joined }: Called): (text: string) => string {
  const name = own.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  const said = new RegExp(`\\b(${type}(?: (?:named|called|name))?[\\s:]{1,3}["'\`]?)${name}(?![\\w-])`, 'gi');
  return (text) =>
    text.length > LONGEST ? text : text.replace(said, (_, before: string) => before + joined);
}

function renamedTexts(message: unknown, rename: (text: string) => string): unknown {
  const { result, error } = isMembers(message) ? message : NOTHING;
  if (isMembers(error)) return { ...(message as Members), error: renamedIn(error, 'message', rename) };
  const content = isMembers(result) ? result['content'] : undefined;
  if (!Array.isArray(content)) return message;
  const renamed = content.map((block: unknown) =>
    isMembers(block) ? renamedIn(block, 'text', rename) : block,
  );
  return { ...(message as Members), result: { ...(result as Members), content: renamed } };
}

const NOTHING: Members = {};

function renamedIn(members: Members, name: string, rename: (text: string) => string): Members {
  const text = members[name];
  return typeof text === 'string' ? { ...members, [name]: rename(text) } : members;
}

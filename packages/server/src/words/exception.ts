/**
 * A plain exception as a fault. Words go to those who can act on them: what the caller can act on keeps its
 * redacted words; what only the operator can act on leaves as its kind's standard sentence.
 */
import { FaultError, type FaultInit, type Issue, KINDS, type Language, makeFault } from '@mayday/core';
import { SUBJECT_TYPES } from '@mayday/core/fault';
import { namesSecret, type RedactOptions, redact } from '@mayday/core/redact';
import { tellsOfDone } from '@mayday/core/render';
import { judgeValidator } from './arguments.ts';
import { type Answered, answered, type Behind, joined, withoutAddress, wordsBehind } from './backend.ts';
import { isBodyAlone } from './bodies.ts';
import { wordsOfChain, wordsOfGraphql } from './causes.ts';
import { clip } from './clip.ts';
import { isCommand, wordsOfCommand } from './command.ts';
import { describe } from './describe.ts';
import { undumped } from './dumps.ts';
import { FOR_CALLERS } from './for-callers.ts';
import { type HeardException, hear } from './hear.ts';
import { look } from './look.ts';
import { hintFor } from './operator.ts';
import { withPage } from './pages-in-bodies.ts';
import { severalIn, withParts } from './parts.ts';
import { withoutAddresses } from './server-addresses.ts';
import { withoutRoots } from './server-paths.ts';
import { sparing } from './sparing.ts';
import { isFailureAlone, isStatusAlone } from './status-phrases.ts';
import { sentencesOf } from './thrown-body.ts';
import type { JsonSchema } from './tool-schema.ts';
import { withWait } from './waits-in-bodies.ts';

/** Whose words go out: those the caller can act on, nobody's, or everybody's. All of them redacted. */
export type Messages = 'actionable' | 'none' | 'all';

/** What decides beside the exception. */
export interface ExceptionContext {
  readonly messages: Messages;
  readonly maxTextLength: number;
  /** What the caller sent, if it was a call. */
  readonly arguments?: unknown;
  /** What it asked for, where that is a resource. */
  readonly uri?: string | undefined;
  /** Nobody has checked the arguments before the handler did. */
  readonly unchecked?: boolean | undefined;
  /** What its tool says that it takes, if that is known. */
  readonly schema?: (() => JsonSchema | undefined) | undefined;
  /** What its tool says of itself: its name, its description, its arguments. */
  readonly deals?: (() => string) | undefined;
  readonly redaction?: RedactOptions | undefined;
  /** What backends may have said it in. */
  readonly language: Language;
}

/** A fault, and whether the exception's own words were kept back. */
export interface FromException {
  readonly thrown: FaultError;
  readonly masked: boolean;
  /** How its words were redacted: what the caller wrote itself is not taken out of them. */
  readonly redaction?: RedactOptions | undefined;
}

/**
 * The fault of anything that was thrown and is no fault itself. What was never written for a caller is redacted more
 * strictly: words without a context may be anything.
 */
export function faultFromException(reason: unknown, context: ExceptionContext): FromException {
  const itself = withBody(ofItself(reason, context), reason, context);
  const judged = withWait(itself, reason, context.language);
  const strict = strictly(judged.redaction ?? sparing(context.arguments, context.redaction));
  const safely = (text: string): string => redact(text, strict).value;
  const { maxTextLength } = context;
  const told = context.messages === 'actionable' ? withPage(judged, reason, context, safely) : judged;
  return withParts(told, reason, (part) => ofItself(part, context), { maxTextLength, safely });
}

/** How it was judged by itself, or what the body behind it says, where its own words say nothing and all of those may be told. */
function withBody(told: FromException, reason: unknown, context: ExceptionContext): FromException {
  const { fault } = told.thrown;
  const isOpen = told.masked
    ? fault.kind === 'internal' || FOR_CALLERS.has(fault.kind)
    : fault.message === look(reason, 'title') || isStatusAlone(fault.message);
  const said = isOpen ? sentencesOf(reason) : undefined;
  const parts = said?.map((words) => ofItself(new Error(words), context)) ?? [];
  const [first] = parts;
  if (first === undefined || parts.some(({ masked }) => masked)) return told;
  const message = [...new Set(parts.map(({ thrown }) => thrown.fault.message))].join('; ');
  const base = fault.kind === 'internal' ? first.thrown.fault : fault;
  const thrown = new FaultError(makeFault({ ...base, message }), { cause: reason });
  return { ...told, thrown, masked: false };
}

/** The same, by its own words alone. */
function ofItself(thrown: unknown, context: ExceptionContext): FromException {
  const reason = context.messages === 'all' ? thrown : undumped(thrown, context.arguments);
  const about = describe(reason);
  const complaint = fromValidator(reason, context);
  if (complaint !== undefined) return complaint;
  const answer = answered(reason, context.language);
  const own = about.message.trim();
  const alone = answer !== undefined && (own === '' || isFailureAlone(own) || isBodyAlone(own));
  const plain = about.message.replace(COLOURS, '').trim();
  const command = isCommand(reason, plain);
  const whole = command ? wordsOfCommand(reason, plain) : plain;
  const behind = alone ? undefined : (wordsBehind(reason, answer, context.arguments) ?? ofNamed(own, answer));
  const words = alone ? (answer.words ?? withoutAddress(plain)) : joined(whole, behind);
  const heard = hear({ reason, about: { ...about, message: words }, answer, command, context });
  const says = words !== '' || (alone && answer.issues.length > 0);
  const speaks = says && mayBeSaid(heard, words, context.messages);
  const isOpen = !speaks && heard.init.kind === 'internal';
  const isTold = (part: unknown): boolean => !ofItself(part, context).masked;
  const chain =
    isOpen && severalIn(reason).every(isTold) ? (wordsOfChain(reason) ?? wordsOfGraphql(reason)) : undefined;
  if (chain !== undefined) {
    const joint = ofItself(new Error(chain), context);
    if (!joint.masked) return { ...joint, thrown: new FaultError(joint.thrown.fault, { cause: thrown }) };
  }
  const told = heard.words ?? words + hintFor(reason, about, context.arguments);
  const shown = withoutRoots(context.messages === 'all' ? told : withoutAddresses(told, context), context);
  const redaction = sparing(context.arguments, context.redaction);
  const strict = strictly(redaction);
  const safely = (text: string): string => redact(text, strict).value;
  const message =
    speaks && shown !== '' ? clip(shown, context.maxTextLength, safely) : KINDS[heard.init.kind].title;
  const fields = alone ? answer.issues : (behind?.issues ?? issuesIn(message, heard.init, context));
  const fault = makeFault({
    ...heard.init,
    subject: subjectIn(heard.init.subject, message, speaks),
    message,
    issues: speaks ? shortened(fields, safely, context) : NO_ISSUES,
  });
  return { thrown: new FaultError(fault, { cause: thrown }), masked: !speaks, redaction };
}

/** Of a sentence that says no more than whose interface failed, too, what that says follows: `Shop API error: 404`. */
function ofNamed(own: string, answer: Answered | undefined): Behind | undefined {
  const isNamed = answer !== undefined && isFailureAlone(own.replace(/^(?:[A-Z][\w.]*\s+){1,2}/, ''));
  return isNamed ? { sentence: '', words: answer.words ?? '', issues: answer.issues } : undefined;
}

/** A thing is named as far as the words that are told name it; where none are, nothing but a part of the protocol is. */
function subjectIn(
  subject: FaultInit['subject'],
  told: string,
  speaks: boolean,
): FaultInit['subject'] | undefined {
  if (subject === undefined || (!speaks && !SUBJECT_TYPES.includes(subject.type))) return undefined;
  return subject.id === undefined || told.includes(subject.id) ? subject : { type: subject.type };
}

/** What a validator found: in the arguments, or in anything else. */
function fromValidator(reason: unknown, context: ExceptionContext): FromException | undefined {
  const judged = judgeValidator(reason, context);
  if (judged === undefined) return undefined;
  const redaction = sparing(context.arguments, context.redaction);
  const masked = judged.own === undefined || context.messages === 'none';
  const issues = masked ? NO_ISSUES : judged.own.map((issue) => told(issue, strictly(redaction)));
  const init: FaultInit =
    judged.own === undefined ? { kind: 'internal' } : { kind: 'invalid_arguments', issues };
  return { thrown: new FaultError(makeFault(init), { cause: reason }), masked, redaction };
}

/** What words say of single fields, read out of what may be said. */
function issuesIn(words: string, { kind }: FaultInit, { language }: ExceptionContext): readonly Issue[] {
  const reading = kind === 'invalid_arguments' ? language.read(words) : undefined;
  return reading?.failure === true && reading.fault.kind === kind ? reading.fault.issues : NO_ISSUES;
}

/** An exception's words were written for nobody: odd words go as well. A loopback address tells nothing to anybody else. */
function strictly(options: RedactOptions | undefined): RedactOptions {
  return { ...options, level: 'strict', disable: [...(options?.disable ?? []), 'loopback'] };
}

/** A validator's words may quote what only the server knows. */
function told(issue: Issue, strict: RedactOptions): Issue {
  return { ...issue, message: clip(issue.message, LONGEST_ISSUE, (text) => redact(text, strict).value) };
}

const NO_ISSUES: readonly Issue[] = [];
/** Colours for terminals. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: their escape sequences start with one
const COLOURS = /\u001b\[[\d;]{0,20}m/g;

const MOST_ISSUES = 20;
const LONGEST_ISSUE = 500;

/** What a backend says about single fields, short and without secrets. */
function shortened(
  issues: readonly Issue[],
  safely: (text: string) => string,
  context: ExceptionContext,
): readonly Issue[] {
  return issues.slice(0, MOST_ISSUES).map((issue) => ({
    ...issue,
    path: isPlainPath(issue.path, safely) ? issue.path : [],
    message: clip(withoutAddresses(issue.message, context), LONGEST_ISSUE, (text) =>
      safelyOf(issue.path, text, safely),
    ),
  }));
}

/** What is said of a field that is named like a credential is read as if the field were named in front. */
function safelyOf(path: Issue['path'], text: string, safely: (text: string) => string): string {
  const isSecret = path.some((step) => typeof step === 'string' && namesSecret(step));
  return isSecret ? safely(FIELD + text).slice(FIELD.length) : safely(text);
}

const FIELD = 'password ';

/** Names of fields. Anything may stand in their place, and a secret that was split at its dots is not known any more. */
function isPlainPath(path: Issue['path'], safely: (text: string) => string): boolean {
  const joined = path.join('.');
  return path.every((step) => /^[\w$-]{1,60}$/.test(String(step))) && safely(joined) === joined;
}

/** What was done before it failed concerns the caller, whoever has to mend the rest. */
function mayBeSaid({ init, speaks }: HeardException, words: string, messages: Messages): boolean {
  if (messages !== 'actionable') return messages === 'all';
  return speaks ?? (FOR_CALLERS.has(init.kind) || tellsOfDone(words));
}

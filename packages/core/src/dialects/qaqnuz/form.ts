import type { Fault } from '../../fault.ts';
import { isRetryable, TRAITS } from '../../kinds.ts';
import { textContent } from '../answers.ts';
import type { Form, FormContext, JsonRpcWire } from '../dialect.ts';
import {
  isOfOwnInput,
  isOpenLimit,
  isOutside,
  isUnknownMethod,
  isUnknownTool,
  saysOpen,
  withCaution,
  withError,
  withIssues,
} from '../forming.ts';
import { protocolForm } from '../mcp/write.ts';
import { maySay } from '../others-words.ts';
import { isForPrograms, sanitize } from './sanitize.ts';
import { sentenceKind, TEXTS, titleOf } from './sentences.ts';

/** Outside of tools the document has nothing of its own: it is the specification's code, and a sanitised sentence. */
export const form: Form = (written, fault, context) =>
  isOutside(context)
    ? withError(written, { code: codeOf(fault, context), message: sentenceOf(fault, context) })
    : inOneText(written, fault, context);

/** What stands before every call, and who may not ask, has no code of its own: the request was not one to serve. */
function codeOf(fault: Fault, context: FormContext): number {
  if (isOfOwnInput(fault, context)) return -32602;
  const { ofRequest } = context;
  const isMessages = fault.kind === 'parse_error' || fault.kind === 'invalid_arguments';
  const isRefused = ofRequest || fault.reaction === 'permission';
  return isRefused && !isMessages && !isUnknownMethod(fault)
    ? -32600
    : protocolForm(fault, '2026-07-28').code;
}

/** One text, and nothing beside it. */
function inOneText(
  { result: _result, ...answer }: JsonRpcWire,
  fault: Fault,
  context: FormContext,
): JsonRpcWire {
  const said = isUnknownTool(fault, context) ? TEXTS.unreachable : sentenceOf(fault, context);
  const words = maySoundLikeLimit(fault, context) ? said : said.replace(WAITED_OUT, 'limit');
  const text = mayInvite(said, fault) ? withCaution(words, fault, context) : words;
  return { ...answer, result: { content: textContent(text), isError: true } };
}

/**
 * The platform's own sentences where it has one, an author's where it was written for callers; of what only an operator
 * can act on no more than what it is. Every issue is in it: nothing else crosses.
 */
function sentenceOf(fault: Fault, context: FormContext): string {
  const { kind, message } = fault;
  const { foreign } = context;
  if (isOpenLimit(fault, context)) return TEXTS.openChange;
  if (message === TEXTS.openChange) return message;
  if (kind === 'unauthenticated') return TEXTS.unauthorized;
  if (kind === 'rate_limited' && !tellsMore(message)) return TEXTS.rateLimited;
  if (isOfBackend(fault, foreign)) return titleOf(kind);
  // Which scope a tool wants tells that there is such a tool.
  if (kind === 'forbidden' && fault.details?.['required_scopes'] !== undefined) return TEXTS.unreachable;
  if (isForPrograms(message) || (foreign !== undefined && !isRepeatable(fault))) return titleOf(kind);
  return sanitize(withIssues(message, fault.issues), kind);
}

/**
 * The class does not cross: whoever reads "Timed out" calls again, also where more was said, and did not cross. The sentences
 * of a limit are the document's to the letter.
 */
function mayInvite(said: string, fault: Fault): boolean {
  const { kind, retryable } = fault;
  if (kind === 'rate_limited') return false;
  if (retryable) return true;
  return said === titleOf(kind) && (isRetryable(TRAITS[kind].reaction) || saysOpen(fault));
}

/** By these words the document's client knows a limit, waits, and calls again. */
const WAITED_OUT = /(?:rate )+limit/gi;

/** Is it one, or does nothing happen twice? Otherwise the words are only about limits. */
function maySoundLikeLimit({ kind, executed }: Fault, { mayChange }: FormContext): boolean {
  return kind === 'rate_limited' || executed === 'no' || mayChange !== true;
}

/** Is it an author's own sentence about a limit, and more than that there is one? */
function tellsMore(message: string): boolean {
  return sentenceKind(message) === 'rate_limited' && !/^rate limit exceeded\.?$/i.test(message);
}

/** Also of a body that an author passes on: it names its rows as the provider does. */
function isOfBackend({ native }: Fault, foreign: FormContext['foreign']): boolean {
  return foreign === 'backend' || native?.raw !== undefined;
}

/** The platform's own sentences that name something: the caller's arguments, and what somebody has to grant. */
const PLATFORM =
  /^Invalid arguments\. |^\S{1,200} requires approval \(request |^The call to \S{1,200} was denied \(request /;

/** May words that nobody here wrote be repeated? A schema's issues are about what the caller has sent. */
function isRepeatable(fault: Fault): boolean {
  const isAboutCall = fault.reaction === 'validation' || fault.reaction === 'permission';
  return (isAboutCall && (fault.issues.length > 0 || PLATFORM.test(fault.message))) || maySay(fault);
}

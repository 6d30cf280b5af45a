/** What a dialect's document may ask for beside the fault, before it has a form for it. */
import {
  causeOf,
  type Dialect,
  type FaultError,
  type Issue,
  type JsonObject,
  saidRetryable,
} from '@mayday/core';
import type { FormContext } from '@mayday/core/dialects';
import { formOf } from '@mayday/core/forms';
import { redact, withPeople } from '@mayday/core/redact';
import { hides } from '../guards/heed.ts';
import { presentedWith } from '../guards/presented.ts';
import { onlyReads } from '../hints.ts';
import type { Settings } from '../options.ts';
import type { Message } from '../shapes.ts';
import { label } from '../words/tidy.ts';
import { backendBody, backendStatus } from './backend-body.ts';
import { cut } from './cut.ts';
import type { Rendered } from './render.ts';
import type { RequestState } from './request-state.ts';
import { isLaterRound } from './rounds.ts';
import { safeResult } from './safe-result.ts';
import { answersAsTool, methodOf, taskAsked } from './task-requests.ts';
import { schemasIssues } from './validation.ts';

/** The context of one failure. `replaced` is the SDK's own answer. */
export function formContext(
  state: RequestState,
  dialect: Dialect,
  settings: Settings,
  failure: Rendered,
  replaced: Message | undefined,
): FormContext {
  const { thrown } = failure;
  const { name } = state;
  const method = methodOf(state, failure);
  const taskId = taskAsked(state);
  const now = settings.clock.now();
  const plain = {
    method,
    name: name === undefined ? undefined : label(name),
    ours: failure.ours === true,
    ofRequest: failure.ofRequest === true,
    masked: failure.masked === true,
    retryableSaid: saidRetryable(thrown) === true,
    now,
  };
  if (formOf(dialect) === undefined) return plain;
  return {
    ...plain,
    foreign: failure.foreign ?? (isHandedOn(failure, dialect, settings) ? 'somebody' : undefined),
    handedOn: failure.handedOn === true || isLaterRound(state.message),
    byWords: failure.foreign === 'somebody' && isOfNobody(failure, settings),
    wrongKey: thrown !== undefined && dialect.keyForm?.test(presentedWith(thrown) ?? '') === true,
    mayChange: answersAsTool(method) && !onlyReads(state.tool?.annotations),
    taskId: taskId === undefined ? undefined : cut(taskId),
    elapsedMs: Math.max(0, Math.round(now - state.startedAt)),
    answered: failure.foreign === 'backend' ? backendStatus(failure.cause ?? causeOf(thrown)) : undefined,
    said: isForeign(failure, dialect, settings) ? undefined : saidBy(failure, replaced, settings),
    issues: thrown === undefined ? undefined : safeIssues(thrown, settings),
    structuredContent: takesStructuredContent(state, settings),
  };
}

/**
 * SDK v1 clients check `structuredContent` against the tool's schema even when the result is an error. Whoever the tool is
 * hidden from knows of no schema, and does not learn from its absence that there is one.
 */
export function takesStructuredContent(state: RequestState, { guards }: Settings): boolean {
  if (state.revision !== '2025-11-25' || state.tool?.outputSchema === undefined) return true;
  return guards.some((guard) => hides(guard, state));
}

/**
 * Is it what somebody else said? Most who throw an error of the SDK's hand on what they caught, which a closed document does not
 * take for their own words; a result in another system's document is that system's.
 */
function isHandedOn(failure: Rendered, dialect: Dialect, settings: Settings): boolean {
  if (dialect.closed === true && failure.spokenCode !== undefined) return true;
  return failure.authored === true && isForeign(failure, dialect, settings);
}

/** Is an author's result in the dialect of some other system? What it says is not repeated in this one's name. */
function isForeign({ spoken }: Rendered, dialect: Dialect, { language }: Settings): boolean {
  if (spoken === undefined || spoken === dialect.id) return false;
  const theirs = language.dialect(spoken);
  return formOf(theirs) !== undefined || theirs.carriesDocument === true;
}

/** Is it in no document's form? */
function isOfNobody({ spoken }: Rendered, { language }: Settings): boolean {
  return spoken === undefined || language.dialect(spoken).isProtocol === true;
}

/** The failing result that the author wrote, or what the backend of a tool said in its place. */
function saidBy(
  { authored, foreign, thrown, cause }: Rendered,
  replaced: Message | undefined,
  settings: Settings,
): JsonObject | undefined {
  const redaction = withPeople(settings.redaction);
  if (authored === true && replaced?.result !== undefined)
    return safeResult(replaced.result, { ...settings, redaction }) as JsonObject;
  if (foreign !== 'backend' || thrown === undefined) return undefined;
  const body = backendBody(cause ?? causeOf(thrown));
  if (body === undefined) return undefined;
  return { content: [{ type: 'text', text: redact(body, redaction).value }] };
}

function safeIssues(thrown: FaultError, { redaction }: Settings): readonly Issue[] | undefined {
  const issues = schemasIssues(thrown);
  return issues === undefined ? undefined : redact(issues, redaction).value;
}

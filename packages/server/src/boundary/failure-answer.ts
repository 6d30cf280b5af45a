/** A failure as the answer that tells of it: sealed, written in the dialect of whoever asked, and reported. */
import type { Settings } from '../options.ts';
import { privateCause, report } from '../report/report.ts';
import type { Message } from '../shapes.ts';
import { sparingIn } from '../words/sparing.ts';
import type { Failure } from './failure.ts';
import { keptErrorIn } from './kept-error.ts';
import { noteFailure } from './refused-requests.ts';
import { dialectFor, render } from './render.ts';
import type { RequestState } from './request-state.ts';
import { sealForCaller } from './seal.ts';
import { partsOf, withTold } from './told-secrets.ts';

/** Writes the fault and reports it; `replaced` is the answer in whose place it goes out, if there is one. */
export function failureAnswer(
  failure: Failure,
  state: RequestState,
  replaced: Message | undefined,
  settings: Settings,
): Message {
  const cause = failure.cause ?? privateCause(failure.thrown);
  const spared = sparingIn(settings, state.arguments);
  const safe = withTold(spared, state, ...partsOf(failure), replaced);
  const dialect = dialectFor(state, settings);
  const fault = sealForCaller(failure, state, safe, replaced !== undefined);
  noteFailure(failure);
  const message =
    failure.kept === true && replaced !== undefined
      ? keptErrorIn(dialect, replaced, fault, safe.redaction)
      : render(fault, state, dialect, safe, failure, replaced);
  // Before it goes out: a process that ends in between has told its operator why.
  report(settings, {
    fault,
    cause,
    correlationId: fault.correlationId as string,
    call: state,
    dialect: dialect.id,
    placement: message.error === undefined ? 'tool' : 'protocol',
    code: message.error?.code,
    durationMs: settings.clock.now() - state.startedAt,
  });
  return message;
}

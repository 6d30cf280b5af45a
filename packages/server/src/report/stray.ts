/** A promise that a handler started and forgot was rejected: nobody waits for it, so it is only reported. */
import { failureFromThrown } from '../boundary/failure.ts';
import type { RequestState } from '../boundary/request-state.ts';
import { seal } from '../boundary/seal.ts';
import type { Settings } from '../options.ts';
import { hidingSent } from '../words/sparing.ts';
import { label } from '../words/tidy.ts';
import { report } from './report.ts';
import { warn } from './warn.ts';

/** Tells whoever listens; where nobody does, Node warns. */
export function reportStray(state: RequestState, settings: Settings, reason: unknown): void {
  const { thrown } = failureFromThrown(reason, { settings, call: state, began: true });
  const fault = seal({ thrown, began: true }, state, settings);
  const heard = report(settings, {
    fault,
    cause: reason,
    correlationId: fault.correlationId as string,
    call: state,
    dialect: settings.dialect.id,
    placement: 'tool',
    code: undefined,
    durationMs: settings.clock.now() - state.startedAt,
  });
  if (heard) return;
  const where = `${state.method} ${label(state.name ?? '')}`.trim();
  warn(`a rejection that nobody handled in ${where}`, reason, hidingSent(state.arguments, undefined));
}

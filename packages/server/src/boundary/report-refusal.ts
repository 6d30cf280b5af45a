/** What a transport refuses by itself, before a guarded server has seen it, is told to whoever runs the server too. */
import type { Fault, FaultError } from '@mayday/core';
import type { Settings } from '../options.ts';
import { privateCause, report } from '../report/report.ts';
import type { Extra, Message } from '../shapes.ts';
import { dialectFor } from './render.ts';
import { RequestState } from './request-state.ts';

/** A request that no server will see, and so about no tool. */
export function unservedRequest(message: Message, extra: Extra | undefined, startedAt: number): RequestState {
  return new RequestState({ toolFacts: () => undefined }, message, extra, startedAt);
}

/** Reports it, as it left. */
export function reportRefusal(
  settings: Settings,
  thrown: FaultError,
  fault: Fault,
  call: RequestState,
): void {
  report(settings, {
    fault,
    cause: privateCause(thrown),
    correlationId: fault.correlationId as string,
    call,
    dialect: dialectFor(call, settings).id,
    placement: 'protocol',
    code: undefined,
    durationMs: settings.clock.now() - call.startedAt,
  });
}

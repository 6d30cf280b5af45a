/** A failure's fault made ready to leave, with what the request adds to it. */
import type { Fault } from '@mayday/core';
import { cautioned } from '@mayday/core/render';
import { isOpaque } from '../guards/opaque.ts';
import { onlyReads } from '../hints.ts';
import type { Settings } from '../options.ts';
import { label, tidy } from '../words/tidy.ts';
import { correlationIdFor, opaqueId } from './correlate.ts';
import type { Failure } from './failure.ts';
import type { RequestState } from './request-state.ts';
import { subjectType } from './sdk-failures.ts';

/** The fault as it may leave. */
export function seal(failure: Failure, state: RequestState, settings: Settings): Fault {
  const { thrown, began } = failure;
  const opaque = isOpaque(thrown);
  const fault = tidy(thrown, {
    began,
    correlationId: opaque
      ? opaqueId(state)
      : correlationIdFor(thrown.fault, () => settings.correlationId?.(state)),
    maxTextLength: settings.maxTextLength,
    redaction: failure.redaction ?? settings.redaction,
  });
  return opaque ? fault : about(cautious(fault, state), state);
}

/** Whoever is told to try again is told what that can do, unless the tool only reads. */
function cautious(fault: Fault, state: RequestState): Fault {
  const reads = state.method !== 'tools/call' || onlyReads(state.tool?.annotations);
  return reads ? fault : cautioned(fault);
}

/** A fault that names no subject is about what the request was about, where that cannot change its place. */
function about(fault: Fault, state: RequestState): Fault {
  if (fault.subject !== undefined || fault.kind === 'not_found' || fault.kind === 'unsupported') return fault;
  const { name } = state;
  if (name === undefined) return fault;
  return { ...fault, subject: { type: subjectType(state.method), id: label(name) } };
}

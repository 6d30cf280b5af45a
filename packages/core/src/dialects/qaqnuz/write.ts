import type { Fault, Json, JsonObject } from '../../fault.ts';
import { resultResponse, textContent } from '../answers.ts';
import type { WriteContext, Written } from '../dialect.ts';
import { sanitize } from './sanitize.ts';

/** One sanitised text and `isError`; the class and the hint stay in the envelope behind it. */
export function write(fault: Fault, context: WriteContext): Written {
  const envelope = envelopeFor(fault);
  const content = textContent(envelope['sanitized_error'] as string);
  const { wire } = resultResponse(context, { content, isError: true });
  return { wire, envelope };
}

/** The inner envelope. A hint exists only where a retry does. */
export function envelopeFor(fault: Fault): JsonObject {
  const envelope: { [key: string]: Json } = {
    error_class: fault.reaction,
    sanitized_error: sanitize(fault.message, fault.kind),
  };
  const hint = fault.retryable ? hintFor(fault) : undefined;
  if (hint !== undefined) envelope['retry_hint'] = hint;
  return envelope;
}

function hintFor(fault: Fault): JsonObject | undefined {
  const { afterMs, maxAttempts, backoff, jitter } = fault.retry;
  if (afterMs === undefined) return undefined;
  return {
    retry_after_ms: afterMs,
    max_attempts: maxAttempts ?? 1,
    backoff: backoff ?? 'fixed',
    ...(jitter === undefined ? {} : { jitter }),
  };
}

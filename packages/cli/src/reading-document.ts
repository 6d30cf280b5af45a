/** A reading as the command line prints it: snake_case, every promised member present. */
import type { Fault, Reading } from '@mayday/core';

type FailureReading = Extract<Reading, { failure: true }>;

/** The document of a reading; `{failure: false}` for a success. */
export function readingDocument(reading: Reading): { readonly [key: string]: unknown } {
  return reading.failure ? failureDocument(reading) : { failure: false };
}

function failureDocument(reading: FailureReading): { readonly [key: string]: unknown } {
  const { fault } = reading;
  return {
    failure: true,
    kind: fault.kind,
    subject: fault.subject === undefined ? null : { type: fault.subject.type, id: fault.subject.id ?? null },
    reaction: fault.reaction,
    retryable: fault.retryable,
    retry: {
      when: fault.retry.when,
      after_ms: fault.retry.afterMs ?? null,
      max_attempts: fault.retry.maxAttempts ?? null,
      backoff: fault.retry.backoff ?? null,
      jitter: fault.retry.jitter ?? null,
    },
    executed: fault.executed,
    origin: fault.origin,
    message: fault.message,
    issues: fault.issues.map((issue) => ({
      path: issue.path,
      message: issue.message,
      code: issue.code ?? null,
    })),
    placement: reading.placement,
    dialect: reading.dialect,
    certainty: reading.certainty,
    evidence: reading.evidence,
    ...extras(fault),
  };
}

/** Members that only some faults have. */
function extras(fault: Fault): { readonly [key: string]: unknown } {
  return {
    ...(fault.name === undefined ? {} : { name: fault.name }),
    ...(fault.advice === undefined ? {} : { advice: fault.advice }),
    ...(fault.details === undefined ? {} : { details: fault.details }),
    ...(fault.correlationId === undefined ? {} : { correlation_id: fault.correlationId }),
    ...(fault.timestamp === undefined ? {} : { timestamp: fault.timestamp }),
  };
}

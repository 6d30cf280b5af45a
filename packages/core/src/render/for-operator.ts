/** The rendering for the operator: one line for a log, low in cardinality first, so that it sorts and greps. */
import type { Fault } from '../fault.ts';

/** A fault as one log line: `kind=timeout reaction=retryable origin=upstream subject=tool:search id=… "message"`. */
export function forOperator(fault: Fault): string {
  const { subject, native } = fault;
  const parts = [
    `kind=${fault.kind}`,
    `reaction=${fault.reaction}`,
    `origin=${fault.origin}`,
    `executed=${fault.executed}`,
    subject && `subject=${token(subject.type)}${subject.id === undefined ? '' : `:${token(subject.id)}`}`,
    fault.name && `name=${token(fault.name)}`,
    fault.retry.afterMs === undefined ? undefined : `wait_ms=${fault.retry.afterMs}`,
    native &&
      `dialect=${native.dialect}${native.code === undefined ? '' : ` code=${token(String(native.code))}`}`,
    fault.correlationId && `id=${token(fault.correlationId)}`,
    JSON.stringify(fault.message),
  ];
  return parts.filter(Boolean).join(' ');
}

/** A value that cannot break the line apart: quoted when it holds anything but plain characters. */
function token(value: string): string {
  return /^[\w.:/@-]{1,200}$/.test(value) ? value : JSON.stringify(value.slice(0, 200));
}

/** The rendering for the operator: one line for a log, low in cardinality first, so that it sorts and greps. */
import type { Fault } from '../fault.ts';

/** A fault as one log line: `kind=timeout reaction=retryable origin=upstream subject=tool:search id=… "message"`. */
export function forOperator(fault: Fault): string {
  const { subject, native, name, correlationId } = fault;
  const { afterMs } = fault.retry;
  // Every failure has a line: it is put together as it goes, and no list is made of it.
  let line = `kind=${fault.kind} reaction=${fault.reaction} origin=${fault.origin} executed=${fault.executed}`;
  if (subject)
    line += ` subject=${token(subject.type)}${subject.id === undefined ? '' : `:${token(subject.id)}`}`;
  if (name) line += ` name=${token(name)}`;
  if (fault.issues.length > 0) line += fieldsWord(fault);
  if (afterMs !== undefined) line += ` wait_ms=${afterMs}`;
  if (native) line += ` dialect=${native.dialect}`;
  if (native?.code !== undefined) line += ` code=${token(String(native.code))}`;
  if (correlationId) line += ` id=${token(correlationId)}`;
  return `${line} ${JSON.stringify(fault.message)}`;
}

/** Of many fields, so many are named. */
const MAX_FIELDS = 5;
const MAX_FIELD = 80;

/** The fields that its issues are about, such as `user.name`: a few of them, then `…`. Never what was in them. */
export function fieldsIn({ issues }: Pick<Fault, 'issues'>): readonly string[] {
  const names = new Set<string>();
  for (const { path } of issues) {
    if (path.length === 0) continue;
    if (names.size > MAX_FIELDS) break;
    names.add(path.slice(0, MAX_FIELD).join('.').slice(0, MAX_FIELD));
  }
  const all = [...names];
  return all.length > MAX_FIELDS ? [...all.slice(0, MAX_FIELDS), '…'] : all;
}

function fieldsWord(fault: Fault): string {
  const names = fieldsIn(fault).map((name) => (name === '…' ? name : token(name)));
  return names.length === 0 ? '' : ` fields=${names.join(',')}`;
}

/** A value that cannot break the line apart: quoted when it holds anything but plain characters. */
function token(value: string): string {
  return /^[\w.:/@-]{1,200}$/.test(value) ? value : JSON.stringify(value.slice(0, 200));
}

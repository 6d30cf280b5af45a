/** A fault without anything that must not leave: what goes to the caller, the log and the operator alike. */
import { type Fault, redact } from '@mayday/core';

/** The same fault, redacted. A raw body stays: only the dialect that promises to pass it through sends it. */
export function safeFault(fault: Fault): Fault {
  const { message, subject, issues, advice, details, native } = fault;
  const parts = { message, subject, issues, advice, details, said: native?.message, extra: native?.extra };
  const { value, findings } = redact(parts);
  if (findings.length === 0) return fault;
  const { said, extra, ...rest } = value;
  const present = Object.fromEntries(Object.entries(rest).filter(([, part]) => part !== undefined));
  if (native === undefined) return { ...fault, ...present };
  const own = { ...(said === undefined ? {} : { message: said }), ...(extra === undefined ? {} : { extra }) };
  return { ...fault, ...present, native: { ...native, ...own } };
}

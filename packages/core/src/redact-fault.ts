/** Everything of a fault that is written passes through here first. */
import type { Fault } from './fault.ts';
import { redactFaultBy } from './fault-redactor.ts';
import { type RedactOptions, redact, redactBytes } from './redact/index.ts';
import { meaningOfKey } from './redact/rules/keys.ts';

/**
 * The same fault without secrets, personal data and internals. A raw body of Platica's stays as it is: only
 * Platica's own dialect sends it, and passing it through is what that dialect promises.
 */
export function redactFault(fault: Fault, options?: RedactOptions): Fault {
  const bytes = { asText: (text: string) => redact(text, options).value, redaction: options };
  const isHint = (name: string): boolean => meaningOfKey(name)?.isHint === true;
  return redactFaultBy(
    { redact: (whole) => redactBytes(whole, (plain) => redact(plain, options).value, bytes), isHint },
    fault,
  );
}

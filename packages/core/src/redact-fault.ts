/** Everything of a fault that is written passes through here first. */
import type { Fault, JsonObject, Subject } from './fault.ts';
import { type RedactOptions, redact, redactBytes } from './redact/index.ts';
import { meaningOfKey } from './redact/rules/keys.ts';

/**
 * The same fault without secrets, personal data and internals. A raw body of Platica's stays as it is: only
 * Platica's own dialect sends it, and passing it through is what that dialect promises.
 */
export function redactFault(fault: Fault, options?: RedactOptions): Fault {
  const { message, subject, issues, advice, details, name, native } = fault;
  const code = typeof native?.code === 'string' ? native.code : undefined;
  const said = { code, message: native?.message, extra: native?.extra };
  const whole = { message, subject, named: asNamed(subject), issues, advice, details, name, native: said };
  const value = redactBytes(whole, (plain) => redact(plain, options).value, {
    asText: (text) => redact(text, options).value,
    redaction: options,
  });
  if (value === whole) return fault;
  return {
    ...fault,
    message: value.message,
    issues: value.issues,
    ...(value.subject === undefined
      ? {}
      : { subject: ofWords(fault, { ...value.subject, ...idIn(value.named) }, value.message) }),
    ...(value.advice === undefined ? {} : { advice: value.advice }),
    ...(value.details === undefined ? {} : { details: value.details }),
    ...(value.name === undefined ? {} : { name: value.name }),
    ...(native === undefined ? {} : { native: { ...native, ...defined(value.native) } }),
  };
}

/** A subject that is called like a credential names its id: `{ password: … }`. */
function asNamed(subject: Subject | undefined): { readonly [type: string]: string } | undefined {
  if (subject?.id === undefined || meaningOfKey(subject.type)?.isHint !== true) return undefined;
  return { [subject.type]: subject.id };
}

function idIn(named: ReturnType<typeof asNamed>): Pick<Subject, 'id'> {
  const [id] = Object.values(named ?? {});
  return id === undefined ? {} : { id };
}

/** What was taken out of the words for what stands beside it there is no more to be kept by itself. */
function ofWords({ message, subject }: Fault, redacted: Subject, words: string): Subject {
  const { type, id } = redacted;
  const isTaken = id !== undefined && id === subject?.id && message.includes(id) && !words.includes(id);
  return isTaken ? { type } : redacted;
}

function defined(native: {
  code: string | undefined;
  message: string | undefined;
  extra: JsonObject | undefined;
}): object {
  return Object.fromEntries(Object.entries(native).filter(([, member]) => member !== undefined));
}

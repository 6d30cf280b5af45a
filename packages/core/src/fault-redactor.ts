/** What of a fault may leave, by whichever redactor. */
import type { Fault, JsonObject, Subject } from './fault.ts';

/** Redacts the values of a fault. */
export interface FaultRedactor {
  /** The same reference where nothing is to go. */
  readonly redact: <T>(value: T) => T;
  /** Does a name speak of a secret? */
  readonly isHint: (name: string) => boolean;
}

/** The same fault without what a redactor takes out. A raw body of Platica's stays as it is. */
export function redactFaultBy({ redact, isHint }: FaultRedactor, fault: Fault): Fault {
  const { message, subject, issues, advice, details, name, native } = fault;
  const code = typeof native?.code === 'string' ? native.code : undefined;
  const said = { code, message: native?.message, extra: native?.extra };
  const named = asNamed(subject, isHint);
  const whole = { message, subject, named, issues, advice, details, name, native: said };
  const value = redact(whole);
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
function asNamed(
  subject: Subject | undefined,
  isHint: FaultRedactor['isHint'],
): { readonly [type: string]: string } | undefined {
  if (subject?.id === undefined || !isHint(subject.type)) return undefined;
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

/** Everything of a fault that is written passes through here first. */
import type { Fault, JsonObject, Subject } from './fault.ts';
import { dotted, pathFrom } from './issue-path.ts';
import { type RedactOptions, redact } from './redact/index.ts';
import { meaningOfKey } from './redact/rules/keys.ts';

/**
 * The same fault without secrets, personal data and internals. A raw body of Platica's stays as it is: only
 * Platica's own dialect sends it, and passing it through is what that dialect promises.
 */
export function redactFault(fault: Fault, options?: RedactOptions): Fault {
  const { message, subject, issues, advice, details, name, native } = fault;
  const code = typeof native?.code === 'string' ? native.code : undefined;
  const said = { code, message: native?.message, extra: native?.extra };
  const { value, findings } = redact(
    { message, subject, named: asNamed(subject), issues, advice, details, name, native: said },
    options,
  );
  const placed = withWholePaths(value.issues, options);
  if (findings.length === 0) return placed === issues ? fault : { ...fault, issues: placed };
  return {
    ...fault,
    message: value.message,
    issues: placed,
    ...(value.subject === undefined ? {} : { subject: { ...value.subject, ...idIn(value.named) } }),
    ...(value.advice === undefined ? {} : { advice: value.advice }),
    ...(value.details === undefined ? {} : { details: value.details }),
    ...(value.name === undefined ? {} : { name: value.name }),
    ...(native === undefined ? {} : { native: { ...native, ...defined(value.native) } }),
  };
}

/** So many parts of a path are looked at together. */
const MOST_PARTS = 16;

/**
 * A name with dots in it, an address or a token, may have been taken apart on its way here, and each part alone says
 * nothing: paths are looked at as they are written, from each of their parts on.
 */
function withWholePaths(issues: Fault['issues'], options: RedactOptions | undefined): Fault['issues'] {
  const tails = issues.map(({ path }) =>
    path.slice(1, MOST_PARTS).map((_, start) => dotted(path.slice(start))),
  );
  const { value, findings } = redact(tails, options);
  if (findings.length === 0) return issues;
  return issues.map((issue, at) => {
    const first = tails[at]?.findIndex((tail, start) => tail !== value[at]?.[start]) ?? -1;
    if (first === -1) return issue;
    return { ...issue, path: [...issue.path.slice(0, first), ...pathFrom(value[at]?.[first])] };
  });
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

function defined(native: {
  code: string | undefined;
  message: string | undefined;
  extra: JsonObject | undefined;
}): object {
  return Object.fromEntries(Object.entries(native).filter(([, member]) => member !== undefined));
}

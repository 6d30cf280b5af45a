import { createEngine, standardEngine } from './redactor.ts';
import { createStream } from './stream.ts';
import type { Redaction, RedactOptions, Redactor } from './types.ts';
import { redactValue } from './value.ts';

export { addressRedactor } from './addresses-to-open.ts';
export { type BytesOptions, redactBytes } from './bytes/redact-bytes.ts';
export { checkRule, type RuleProblem } from './check-rule.ts';
export { type Clean, withCleanEnd } from './clean-end.ts';
export type { ToldSecret } from './distinctive.ts';
export { withPeople, withPlaces } from './leaving.ts';
export { type NamedSecret, namedSecrets } from './named-secrets.ts';
export {
  clauseBefore,
  isAskedToOpen,
  isNamedToOpen,
  leadsToFailed,
  tellsOfFailure,
} from './rules/asked-to-open.ts';
export { isPageToOpen } from './rules/pages-to-open.ts';
export { namesSecret } from './rules/said-names.ts';
export { createSecretFinder, type SecretFinder, type SecretPlace } from './secret-finder.ts';
export { beginningOf, isCredentialName, sentCredentials } from './sent-credentials.ts';
export { type Mend, mendTasks, withTaskNames } from './tasks.ts';
export { hidingTold, toldSecrets } from './told.ts';
export type { Finding, Redaction, RedactOptions, Redactor, RedactStream, Rule } from './types.ts';

/**
 * Removes secrets, personal data, stack traces and internals from a value and leaves the rest as it was.
 *
 * Takes any string or JSON-like value, never throws, never recurses. What is removed is replaced by a surrogate such as
 * `[api-key:1]`, the same for the same value throughout; redacting twice changes nothing; a value without findings comes
 * back as the same reference.
 *
 * @example
 * redact('connect to postgres://app:hunter2@db.internal/x failed').value;
 * // 'connect to postgres://[credentials:1]@[host:1]/x failed'
 */
export function redact<T>(value: T, options?: RedactOptions): Redaction<T> {
  return redactValue(options === undefined ? standardEngine() : createEngine(options), value);
}

/**
 * Compiles options once, for use on many values. Options that nobody reads, and values they do not have, are refused with a
 * `TypeError`.
 */
export function createRedactor(options?: RedactOptions): Redactor {
  const engine = createEngine(options);
  return {
    redact: (value) => redactValue(engine, value),
    redactText: (text) => redactValue(engine, text),
    stream: () => createStream(engine),
  };
}

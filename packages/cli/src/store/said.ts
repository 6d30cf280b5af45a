/** What came of a question to a desk. */
import { Unreachable, UsageError } from '../usage-error.ts';

/** What came of a question. */
export type Said<T> =
  | { readonly ok: true; readonly body: T }
  | { readonly ok: false; readonly fault: SaidFault };

/** Why there is no answer. */
export interface SaidFault {
  readonly status: number;
  readonly kind: string;
  readonly message: string;
  readonly advice?: string | undefined;
  readonly subject?: { readonly type: string; readonly id?: string | undefined } | undefined;
}

/** The answer, where there is one. */
export function answerOf<T>(said: Said<T>): T {
  if (said.ok) return said.body;
  const { message, advice, kind, status } = said.fault;
  // What is wrong with a value says what is right.
  const isEnough = advice === undefined || kind === 'invalid_arguments';
  const told = isEnough ? message : `${message}; ${uncapitalized(advice)}`;
  // The words that were typed are right; it is the gateway, or its store, that cannot answer now.
  throw status >= 500 || status === 429 ? new Unreachable(told) : new UsageError(told);
}

function uncapitalized(advice: string): string {
  return `${advice.charAt(0).toLowerCase()}${advice.slice(1).replace(/\.$/, '')}`;
}

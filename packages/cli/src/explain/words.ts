/** The words of the language, said for people. */
import type { Executed, Reaction } from '@mayday/core';
import type { RetryWhen } from '@mayday/core/fault';

/** What a caller does, by reaction. */
export const REACTION_WORDS: { readonly [R in Reaction]: string } = {
  validation: 'fix the input',
  permission: 'get access first',
  retryable: 'wait, try again',
  dependency: 'something behind it is broken, back off',
  terminal: 'stop, tell the user',
};

/** When a further attempt makes sense. */
export const WHEN_WORDS: { readonly [W in RetryWhen]: string } = {
  never: 'no retry',
  now: 'retry at once',
  backoff: 'retry with growing waits',
  after_wait: 'retry after the wait it names',
  after_auth: 'retry after signing in',
  after_approval: 'retry after the approval',
  after_change: 'retry after a change',
};

/** Whether the operation happened. */
export const EXECUTED_WORDS: { readonly [E in Executed]: string } = {
  no: 'no, nothing was done',
  maybe: 'maybe: check before you repeat a change',
  yes: 'yes, its effects have happened',
};

/** A failure of which a server declares that nothing was done. */
export const BUSY = {
  kind: 'overloaded',
  reaction: 'retryable',
  retryable: true,
  retry: { when: 'backoff' },
  executed: 'no',
  origin: 'server',
  message: 'busy',
  issues: [],
} as const;

/** The same as the result of a tool. */
export const BUSY_RESULT = {
  isError: true,
  content: [{ type: 'text', text: 'busy' }],
  _meta: { 'dev.mayday/fault': BUSY },
} as const;

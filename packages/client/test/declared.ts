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

/** The same as an error, in the version that is said. */
export const busyError = (id: unknown, jsonrpc = '2.0'): object => ({
  ...{ jsonrpc, id },
  error: { code: -32000, message: 'busy', data: BUSY },
});

/** The same as the result of a tool. */
export const BUSY_RESULT = {
  isError: true,
  content: [{ type: 'text', text: 'busy' }],
  _meta: { 'dev.mayday/fault': BUSY },
} as const;

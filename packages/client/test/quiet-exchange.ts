/** An exchange of which nothing is known but its own stream. */
export const QUIET_EXCHANGE = {
  isCancelled: false,
  hasBegun: false,
  mayBeAnswered: false,
  isSayingMore: () => false,
  refused: () => ({ isTakenBack: false }),
  close: () => undefined,
};

/** A request that is not answered yet. */
export interface Awaited {
  /** Whoever waits for it. */
  readonly goesOn: boolean;
  /** It is not asked before the conversation is open again. */
  isWaiting: boolean;
  /** It was cancelled: no answer is expected. */
  isUnwanted: boolean;
}

/** The request waits for this. */
export async function waiting<T>(request: Awaited, opened: Promise<T>): Promise<T> {
  request.isWaiting = true;
  const said = await opened;
  request.isWaiting = false;
  return said;
}

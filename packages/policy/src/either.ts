/**
 * A signal that ends with the first of two: `AbortSignal.any`, also on a Node that does not have it yet (before 20.3), and for
 * signals that are not Node's.
 */
export function either(one: AbortSignal, other: AbortSignal): AbortSignal {
  const any: typeof AbortSignal.any | undefined = AbortSignal.any;
  const areNodes = one instanceof AbortSignal && other instanceof AbortSignal;
  if (any !== undefined && areNodes) return any.call(AbortSignal, [one, other]);
  const ender = new AbortController();
  for (const signal of [one, other]) {
    const end = (): void => ender.abort(signal.reason);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  }
  return ender.signal;
}

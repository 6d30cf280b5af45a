/** A process that has something else to do: nothing is read, and no timer fires. */
export function beBusy(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

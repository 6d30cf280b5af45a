/** Waiting for something to come to rest. */

const EVERY_MS = 500;

/** How long what never comes to rest by itself may go on with a server that is no longer the one that is meant. */
export const OUTDATED_MS: number = 10 * 60_000;

/** Settles when `isIdle` says so, or after `graceMs`. */
export async function untilIdle(isIdle: () => boolean, graceMs: number): Promise<void> {
  const until = performance.now() + graceMs;
  await new Promise<void>((resolve) => {
    const check = setInterval(() => {
      if (!isIdle() && performance.now() < until) return;
      clearInterval(check);
      resolve();
    }, EVERY_MS);
    check.unref();
  });
}

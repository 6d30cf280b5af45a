/** What the tests of a file share is used up by a first try: a second one has it anew, or it could not but fail again. */
import { beforeEach } from 'vitest';

/** Runs before each try but the first. */
export function beforeSecondTry(renew: () => unknown): void {
  beforeEach(async ({ task }) => {
    if ((task.result?.retryCount ?? 0) > 0) await renew();
  });
}

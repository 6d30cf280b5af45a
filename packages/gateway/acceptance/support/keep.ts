/** One gateway for a whole test file, started again only where a test ended or wedged it. */
import { rmSync } from 'node:fs';
import { afterAll, beforeEach } from 'vitest';
import type { Gateway } from './gateway.ts';
import { send } from './http.ts';

/**
 * Starts the gateway before the first test and whenever it does not answer, so that one death fails one test. A second
 * try has one of its own, which knows nothing of the first: neither do these files, of its store and of its servers.
 */
export function keepGateway(start: () => Promise<Gateway>, files: readonly string[] = []): () => Gateway {
  let gateway: Gateway | undefined;
  beforeEach(async ({ task }) => {
    const isFirstTry = (task.result?.retryCount ?? 0) === 0;
    if (gateway !== undefined && isFirstTry && (await answers(gateway))) return;
    await gateway?.stop('SIGKILL');
    if (!isFirstTry) for (const file of files) forget(file);
    gateway = await start();
  });
  afterAll(async () => {
    await gateway?.stop('SIGKILL');
  });
  return () => {
    if (gateway === undefined) throw new Error('Expected the gateway to run: use it inside a test');
    return gateway;
  };
}

function forget(file: string): void {
  for (const path of [file, `${file}-wal`, `${file}-shm`]) rmSync(path, { force: true });
}

async function answers(gateway: Gateway): Promise<boolean> {
  if (!gateway.alive()) return false;
  return send(`${gateway.url}/-/health`, undefined, { within: 1500 }).then(
    () => true,
    () => false,
  );
}

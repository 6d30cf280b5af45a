/** One gateway for a whole test file, started again only where a test ended or wedged it. */
import { afterAll, beforeEach } from 'vitest';
import type { Gateway } from './gateway.ts';
import { send } from './http.ts';

/** Starts the gateway before the first test and whenever it does not answer, so that one death fails one test. */
export function keepGateway(start: () => Promise<Gateway>): () => Gateway {
  let gateway: Gateway | undefined;
  beforeEach(async () => {
    if (gateway !== undefined && (await answers(gateway))) return;
    await gateway?.stop('SIGKILL');
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

async function answers(gateway: Gateway): Promise<boolean> {
  if (!gateway.alive()) return false;
  return send(`${gateway.url}/-/health`, undefined, { within: 1500 }).then(
    () => true,
    () => false,
  );
}

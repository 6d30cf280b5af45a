/** What most tests of `docs/admin.md` ask: a gateway with a store, two operators, and a server over HTTP behind it. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { KEYS } from './admin.ts';
import { type Gateway, scratch, startGateway } from './gateway.ts';
import { type HttpPuppet, startHttpPuppet } from './http-puppet.ts';
import { keepGateway } from './keep.ts';

/** Keeps one for a whole test file; `settings` are beside store and keys, and are given the server's address. */
export function keepHouse(settings: (url: string) => object): {
  readonly gateway: () => Gateway;
  /** Where its store is. */
  readonly folder: string;
} {
  const folder = scratch();
  let http: HttpPuppet;
  beforeAll(async () => {
    http = await startHttpPuppet();
  });
  afterAll(async () => {
    await http.close();
    rmSync(folder, { recursive: true });
  });
  const store = `file:${join(folder, 'mayday.db')}`;
  const gateway = keepGateway(() => startGateway({ store, keys: KEYS, ...settings(http.url) }));
  return { gateway, folder };
}

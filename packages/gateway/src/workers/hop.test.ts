import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Reply } from '@mayday/relay';
import { afterEach, expect, it } from 'vitest';
import { createHops } from './hop.ts';

const folder = mkdtempSync(join(tmpdir(), 'mayday-hop-'));
const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
  rmSync(folder, { recursive: true, force: true });
});

it('waits for what another worker says with its last breath', async () => {
  const graceMs = 100;
  const socketOf = (worker: number): string => join(folder, `calls-${worker}`);
  const other = createServer((incoming, response) => {
    incoming.resume();
    // Both are told to stop at once; the other one gives up only when its time is over.
    setTimeout(() => response.writeHead(503).end('the gateway stopped'), graceMs + 700);
  });
  const hops = createHops({ worker: 2, living: () => [{ worker: 1 }, { worker: 2 }], socketOf } as never);
  const door = createServer((request, response) => {
    const passed = { request, reply: new Reply(response), refused: () => undefined };
    hops.outer.admin(passed, () => undefined)?.handle(Buffer.alloc(0));
  });
  servers.push(other, door);
  await new Promise<void>((resolve) => other.listen(socketOf(1), resolve));
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
  const answer = fetch(`http://127.0.0.1:${(door.address() as AddressInfo).port}/`, {
    signal: AbortSignal.timeout(10_000),
  });
  const arrived = new Promise((resolve) => other.once('request', resolve));
  await arrived;
  await hops.close(graceMs);
  const said = await answer;
  expect([said.status, await said.text()]).toEqual([503, 'the gateway stopped']);
});

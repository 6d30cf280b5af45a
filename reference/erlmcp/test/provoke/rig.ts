/** What it takes to provoke every error: servers with small limits, a mirrored server that misbehaves, users. */
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openStore } from '../../src/store/index.ts';
import type { Users } from '../../src/store/users.ts';
import { type RawClient, startRaw } from './raw-client.ts';

/** The rig. */
export interface Rig {
  /** A client that is initialized, of a server with small limits. */
  readonly client: RawClient;
  /** A client of a server of its own; not initialized. */
  fresh(...flags: string[]): RawClient;
  /** A client of a server that has heard nothing yet. */
  readonly stranger: RawClient;
  /** The users of all these servers. */
  readonly users: Users;
  /** Runs something while another process holds the database. */
  whileLocked<T>(run: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const SMALL = {
  'max-content-bytes': 1000,
  'request-timeout-ms': 1000,
  'tool-timeout-ms': 1500,
  'task-timeout-ms': 900,
  'client-timeout-ms': 1000,
  'cursor-ttl-ms': 1,
  'progress-ttl-ms': 1,
  'page-size': 2,
  'rate-limit': 10_000,
};

/** Starts everything. */
export async function createRig(): Promise<Rig> {
  const folder = mkdtempSync(join(tmpdir(), 'mayday-erlmcp-'));
  const data = ['--data', folder];
  const upstream = await startUpstream();
  const mirror = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/`;
  const clients: RawClient[] = [];
  const fresh = (...flags: string[]): RawClient => {
    const client = startRaw([...data, ...flags]);
    clients.push(client);
    return client;
  };
  const client = fresh(
    '--mirror',
    mirror,
    ...Object.entries(SMALL).flatMap(([flag, value]) => [`--${flag}`, String(value)]),
  );
  await client.initialize();

  const store = openStore(folder);

  return {
    client,
    fresh,
    stranger: fresh(),
    users: store.users,
    async whileLocked(run) {
      const database = new DatabaseSync(join(folder, 'erlmcp.sqlite'));
      database.exec('BEGIN IMMEDIATE');
      try {
        return await run();
      } finally {
        database.exec('ROLLBACK');
        database.close();
      }
    },
    async close() {
      await Promise.all(clients.map((one) => one.end()));
      store.close();
      await new Promise((resolve) => upstream.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Never answers when asked for `/slow`, hangs up on everything else. */
function startUpstream(): Promise<Server> {
  const server = createServer((socket) => {
    // The far end may be gone before this one notices.
    socket.on('error', () => {});
    socket.once('data', (request) => {
      if (!request.toString('latin1').startsWith('GET /slow')) socket.resetAndDestroy();
    });
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

/** The platform on HTTP in the test's own process, with a clock that the test moves, and a provider that it directs. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  callTool,
  memoryLogger,
  post,
  type Rpc,
  serveHere,
  tempFolder,
} from '@mayday/reference-shared/testing';
import { onTestFinished } from 'vitest';
import { createPlatform, type PlatformOptions } from '../src/platform.ts';
import { createProvider } from '../src/provider.ts';
import type { AuditEntry } from '../src/store/audit-log.ts';
import { openStore, type Store } from '../src/store/index.ts';

/** All scopes of the platform's tools. */
const ALL = [
  'contacts.read',
  'contacts.write',
  'stock.read',
  'payments.refund',
  'contacts.export',
  'users.impersonate',
];

/** A platform, and what a test does with it. */
export interface TestPlatform {
  readonly url: string;
  readonly store: Store;
  readonly folder: string;
  /** What was logged, with private causes. */
  readonly log: readonly object[];
  /** A new key of the brand `acme`, or of another. */
  key(scopes?: readonly string[], brand?: string): string;
  call(key: string, name: string, args?: unknown): Promise<Rpc>;
  /** The answer as it crossed the wire, to the byte. */
  bytes(authorization: string | undefined, name: string, args?: unknown): Promise<string>;
  /** The envelope of the latest call. */
  envelope(): AuditEntry['envelope'] | undefined;
  advance(ms: number): void;
  /** Runs something while another process holds the database. */
  whileLocked<T>(run: () => Promise<T>): Promise<T>;
}

/** Starts a platform; it ends with the test. */
export async function startPlatform(options: Partial<PlatformOptions> = {}): Promise<TestPlatform> {
  const folder = tempFolder();
  const store = openStore(folder);
  store.keys.addBrand('acme');
  store.orders.add('acme', 'o-1', 500);
  let now = Date.parse('2026-11-15T12:00:00Z');
  const logger = memoryLogger();
  const createServer = createPlatform({
    store,
    logger,
    stockOf: createProvider(undefined),
    now: () => now,
    ...options,
  });
  const { url } = await serveHere({
    name: 'qaqnuz',
    dialect: 'mcp',
    createServer,
    logger,
    close: () => store.close(),
  });
  return {
    url,
    store,
    folder,
    log: logger.lines,
    key(scopes = ALL, brand = 'acme') {
      store.keys.addBrand(brand);
      return store.keys.issue(brand, scopes).key;
    },
    call: (key, name, args = {}) => callTool(url, name, args, { authorization: `Bearer ${key}` }),
    async bytes(authorization, name, args = {}) {
      const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
      const headers: { [name: string]: string } = authorization === undefined ? {} : { authorization };
      return (await post(url, JSON.stringify(request), headers)).text();
    },
    envelope: () => store.audit.latest(1)[0]?.envelope,
    advance(ms) {
      now += ms;
    },
    async whileLocked(run) {
      const database = new DatabaseSync(join(folder, 'qaqnuz.sqlite'));
      database.exec('BEGIN IMMEDIATE');
      try {
        return await run();
      } finally {
        database.exec('ROLLBACK');
        database.close();
      }
    },
  };
}

/** A provider of stock figures that answers as it is told to; gives its address. */
export async function startProvider(answer: (sku: string, response: ServerResponse) => void): Promise<URL> {
  const server = createServer(({ url = '' }, response) => answer(url.slice(1), response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
}

/** The text of an answer. */
export function textOf(answer: Rpc): string {
  return answer.result.content[0].text as string;
}

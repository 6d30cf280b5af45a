import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Backend, plantBackend, type Reply } from '../../acceptance/backend.ts';
import { commandOutput, freshFolder, serveStdio } from '../../acceptance/reference.ts';
import type { Pipe } from '../../acceptance/stdio.ts';
import type { Message, Wire } from '../../acceptance/wire.ts';

/** A client that can be asked for samples and for pages to open. */
export const ABLE_CLIENT = {
  protocolVersion: '2025-11-25',
  capabilities: { sampling: {}, elicitation: { form: {}, url: {} } },
  clientInfo: { name: 'acceptance', version: '1.0.0' },
};

/** Limits that are reached quickly. The client's is the shortest, then the request's, then the tool's. */
const SHORT_LIMITS = [
  ...['--rate-limit', '100000', '--page-size', '2', '--max-content-bytes', '1000'],
  ...['--client-timeout-ms', '300', '--request-timeout-ms', '600', '--tool-timeout-ms', '900'],
  ...['--task-timeout-ms', '400', '--cursor-ttl-ms', '1', '--progress-ttl-ms', '1'],
];

/** A server, a server that it mirrors, and a folder. */
export interface World {
  readonly pipe: Pipe;
  readonly mirror: Backend;
  readonly folder: string;
  /** Passwords of those who have one. */
  readonly passwords: Record<string, string>;
  close(): Promise<void>;
}

/** Adds somebody and prints the password. */
export function addUser(folder: string, name: string, role: 'member' | 'admin'): Promise<string> {
  return commandOutput('erlmcp', ['add-user', name, role, '--data', folder]);
}

/** Suspends somebody. */
export function suspendUser(folder: string, name: string): Promise<string> {
  return commandOutput('erlmcp', ['suspend-user', name, '--data', folder]);
}

/** Starts a server on standard streams with an able client, a mirror, and an administrator called ada. */
export async function openWorld(flags: readonly string[] = SHORT_LIMITS): Promise<World> {
  const folder = freshFolder();
  const mirror = await plantBackend(
    (): Reply => ({ headers: { 'content-type': 'text/plain' }, body: 'a page' }),
  );
  const ada = await addUser(folder.path, 'ada', 'admin');
  const pipe = serveStdio('erlmcp', folder.path, ['--mirror', mirror.url, ...flags]);
  await pipe.initialize(ABLE_CLIENT);
  return {
    pipe,
    mirror,
    folder: folder.path,
    passwords: { ada },
    close: async () => {
      await Promise.all([pipe.close(), mirror.close()]);
      folder.remove();
    },
  };
}

/** Signs a client in as the administrator. */
export async function signIn({ passwords }: World, pipe: Pipe): Promise<void> {
  const { result } = await pipe.request('auth/login', { user: 'ada', password: passwords['ada'] });
  await pipe.request('auth/authenticate', { token: result?.token });
}

/** Calls a tool as a task and gives the task's id. */
export async function startTask(pipe: Pipe, name: string, args: Wire, ttl = 60_000): Promise<string> {
  const started = await pipe.request('tools/call', { name, arguments: args, task: { ttl } });
  return started.result?.task?.taskId;
}

/** Holds the database while something is tried. */
export async function whileLocked<T>(folder: string, run: () => Promise<T>): Promise<T> {
  const database = new DatabaseSync(join(folder, 'erlmcp.sqlite'));
  database.exec('BEGIN EXCLUSIVE');
  try {
    return await run();
  } finally {
    database.exec('ROLLBACK');
    database.close();
  }
}

/** The error of an answer that must be one. */
export const errorOf = (answer: Message | undefined): Wire => answer?.error;

/** The official clients of both SDKs, each with a command that it starts itself. */
import { Client as ModernClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernTransport } from '@modelcontextprotocol/client/stdio';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { COMPILE_CACHE } from '../../../../test/compile-cache.ts';
import type { Message } from '../../../gateway/acceptance/support/http.ts';
import { BIN } from './plain-command.ts';

/** Which client, and what it speaks. */
export type Kind = 'SDK 1' | 'SDK 2, 2025-11-25' | 'SDK 2, 2026-07-28';

/** A connected client; both SDKs have the methods that the tests use. */
export interface Connected {
  // biome-ignore lint/suspicious/noExplicitAny: two SDKs whose types differ and whose methods do not
  readonly client: any;
  readonly pid: number;
  /** What the transport could not read: a line that is no message. */
  readonly errors: readonly string[];
  readonly version: string | undefined;
}

const INFO = { name: 'acceptance', version: '1' };
const open = new Set<{ close(): Promise<void> }>();

/** Connects to a command. */
export async function connect(
  kind: Kind,
  command: readonly string[],
  prepare: (client: Message) => void = () => undefined,
  capabilities: object = {},
): Promise<Connected> {
  const [program = '', ...args] = command;
  const errors: string[] = [];
  const made = make(kind, { command: program, args, env: COMPILE_CACHE, stderr: 'ignore' }, capabilities);
  made.client.onerror = (error: Error) => void errors.push(error.message);
  prepare(made.client);
  await made.client.connect(made.transport);
  open.add(made.client);
  const version = made.client.getNegotiatedProtocolVersion?.() ?? made.client._negotiatedProtocolVersion;
  return { client: made.client, pid: made.transport.pid ?? 0, errors, version };
}

/** `mayday wrap` before a command. */
export function behind(command: readonly string[]): string[] {
  return [process.execPath, BIN, 'wrap', '--', ...command];
}

/** Closes every client that is still open. */
export async function closeClients(): Promise<void> {
  await Promise.all([...open].map((client) => client.close()));
  open.clear();
}

// biome-ignore lint/suspicious/noExplicitAny: see above
function make(kind: Kind, server: any, capabilities: object): { client: any; transport: any } {
  if (kind === 'SDK 1') {
    return { client: new Client(INFO, { capabilities }), transport: new StdioClientTransport(server) };
  }
  const mode = kind === 'SDK 2, 2025-11-25' ? 'legacy' : 'auto';
  const client = new ModernClient(INFO, { capabilities, versionNegotiation: { mode } });
  return { client, transport: new ModernTransport(server) };
}

/** A client that can send anything, also what no client should: for provoking errors and for tests. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Members } from '@mayday/server/rpc';

/** Whatever the server says. */
export interface Said {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Members;
  readonly result?: Members;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** A client of one server process. */
export interface RawClient {
  /** Sends a request and gives its answer. */
  call(method: string, params?: object): Promise<Said>;
  /** Sends a request without waiting; gives its id. */
  post(method: string, params?: object): number;
  /** The answer to a request, or to something without an id. */
  answerTo(id: number | null): Promise<Said>;
  /** Sends bytes as they are, and a newline. */
  raw(bytes: string | Buffer): void;
  /** Introduces itself. Without `initialized`, it stops half way. */
  initialize(options?: { readonly initialized?: boolean }): Promise<Said>;
  /** How it answers requests of the server's, by method; what is not here stays unanswered. */
  readonly answers: Map<string, () => object>;
  /** Notifications that came, by arrival. */
  readonly notifications: readonly Said[];
  /** Everything the server logged. */
  log(): string;
  /** Ends the process and waits for it. */
  end(signal?: NodeJS.Signals): Promise<void>;
}

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** How a server process is started. */
function serverCommand(args: readonly string[]): { command: string; args: string[] } {
  return { command: process.execPath, args: [MAIN, ...args] };
}

/** Starts a server on stdio. */
export function startRaw(flags: readonly string[]): RawClient {
  const { command, args } = serverCommand(flags);
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  // A server that is killed in the middle of a write is what some tests are about.
  child.stdin.on('error', () => {});
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const arrived = new Map<string | number | null, Said[]>();
  const waiting = new Map<string | number | null, (said: Said) => void>();
  const notifications: Said[] = [];
  const answers = new Map<string, () => object>();
  let log = '';
  let last = 0;
  child.stderr.on('data', (chunk: Buffer) => {
    log += chunk.toString('utf8');
  });

  function raw(bytes: string | Buffer): void {
    child.stdin.write(bytes);
    child.stdin.write('\n');
  }

  function take(said: Said): void {
    if (said.method !== undefined && said.id === undefined) notifications.push(said);
    else if (said.method !== undefined) reply(said);
    else {
      const id = said.id ?? null;
      const resolve = waiting.get(id);
      waiting.delete(id);
      if (resolve === undefined) arrived.set(id, [...(arrived.get(id) ?? []), said]);
      else resolve(said);
    }
  }

  function reply({ id, method = '' }: Said): void {
    const answer = answers.get(method)?.();
    if (answer !== undefined) raw(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
  }

  createInterface({ input: child.stdout }).on('line', (line) => {
    const said = JSON.parse(line) as Said | Said[];
    for (const one of Array.isArray(said) ? said : [said]) take(one);
  });

  const client: RawClient = {
    answers,
    notifications,
    raw,
    log: () => log,
    post(method, params) {
      const id = ++last;
      raw(JSON.stringify({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) }));
      return id;
    },
    answerTo(id) {
      const said = arrived.get(id)?.shift();
      if (said !== undefined) return Promise.resolve(said);
      return new Promise((resolve) => waiting.set(id, resolve));
    },
    call: (method, params) => client.answerTo(client.post(method, params)),
    async initialize({ initialized = true } = {}) {
      const answer = await client.call('initialize', {
        protocolVersion: '2025-11-25',
        capabilities: { sampling: {}, elicitation: { url: {} } },
        clientInfo: { name: 'raw', version: '1.0.0' },
      });
      if (initialized) raw(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
      return answer;
    },
    async end(signal) {
      if (signal === undefined) child.stdin.end();
      else child.kill(signal);
      await exited;
    },
  };
  return client;
}

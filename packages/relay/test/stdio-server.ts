/**
 * A server that does what its callers ask, good or bad, without any SDK: `say` writes the given lines as they are, with
 * the id of the request for `$ID`, `heard` tells what came in, to the letter.
 */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: {
    readonly [key: string]: unknown;
    readonly _meta?: { readonly progressToken?: unknown };
  };
  readonly result?: unknown;
}

let initialized = 0;
let asked: string | number | undefined;
const cancelled: unknown[] = [];
const heard: string[] = [];

/** Is this the first process that says so to this file? */
function isFirstOf(file: string): boolean {
  try {
    writeFileSync(file, '', { flag: 'wx' });
    return true;
  } catch {
    return false;
  }
}

function send(message: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

function answer(message: Message, result: unknown): void {
  send({ id: message.id, result });
}

const METHODS: { readonly [method: string]: (message: Message) => void } = {
  initialize: (message) => {
    initialized++;
    if (process.env['DEAF_AFTER'] !== undefined && !isFirstOf(process.env['DEAF_AFTER'])) return;
    answer(message, {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'test', version: '1' },
    });
  },
  'notifications/initialized': () => {
    initialized++;
  },
  'notifications/cancelled': (message) => {
    cancelled.push(message.params?.['requestId']);
  },
  echo: (message) => answer(message, { said: message.params?.['say'] ?? null }),
  opened: (message) => answer(message, { initialized }),
  cancelled: (message) => answer(message, { cancelled }),
  fail: (message) => send({ id: message.id, error: { code: -32603, message: 'It broke' } }),
  'tools/call': (message) =>
    message.params?.['name'] === 'ask'
      ? METHODS['ask']?.(message)
      : answer(message, { content: [{ type: 'text', text: 'It broke' }], isError: true }),
  slow: (message) => {
    setTimeout(() => answer(message, { slow: true }), Number(message.params?.['ms'] ?? 50));
  },
  crash: () => process.exit(3),
  garble: (message) => {
    process.stdout.write(`{"jsonrpc":"2.0","id":${message.id},"result":{"cut\n`);
  },
  noise: (message) => {
    process.stdout.write("Server is running, isn't that nice?\n");
    answer(message, {});
  },
  progress: (message) => {
    const progressToken = message.params?._meta?.progressToken;
    send({ method: 'notifications/progress', params: { progressToken, progress: 1 } });
    answer(message, { done: true });
  },
  ask: (message) => {
    asked = message.id;
    send({ id: 'server-1', method: 'sampling/createMessage', params: {} });
  },
  endless: () => {
    const more = (): void => void process.stdout.write('y'.repeat(65_536), more);
    more();
  },
  big: (message) => answer(message, { text: 'x'.repeat(Number(message.params?.['bytes'])) }),
  deaf: () => {},
  pid: (message) => answer(message, { pid: process.pid }),
  env: (message) => answer(message, { names: Object.keys(process.env).sort() }),
  complain: (message) => {
    process.stderr.write('a complaint\n');
    answer(message, {});
  },
  orphan: (message) => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    answer(message, { pid: child.pid });
  },
  say: (message) => {
    const lines = (message.params?.['lines'] ?? []) as string[];
    for (const line of lines) process.stdout.write(`${line.replaceAll('$ID', JSON.stringify(message.id))}\n`);
  },
  heard: (message) => answer(message, { lines: heard }),
  'logging/setLevel': (message) => answer(message, {}),
  'resources/subscribe': (message) =>
    message.params?.['uri'] === 'test://refused' ? METHODS['fail']?.(message) : answer(message, {}),
  'resources/unsubscribe': (message) => answer(message, {}),
  change: () => send({ method: 'notifications/tools/list_changed' }),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  heard.push(line);
  const message = JSON.parse(line) as Message;
  if (message.method === undefined) {
    send({ id: asked, result: { told: message.result } });
    return;
  }
  const run = METHODS[message.method];
  if (run !== undefined) run(message);
  else if (message.id !== undefined)
    send({ id: message.id, error: { code: -32601, message: 'Method not found' } });
});

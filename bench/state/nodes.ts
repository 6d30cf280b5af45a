/** Gateways in processes of their own, which are killed and started again, and what is asked of them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('run-node.ts', import.meta.url));

/** Lines of a log that somebody may want to look at. */
const TOLD = /bug: |store: |not journalled/;

/** One gateway. */
export interface Node {
  readonly url: string;
  readonly child: ChildProcess;
  /** What it said about its store, and about mistakes of its own; known when it has ended. */
  readonly told: readonly string[];
  /** Without a word to anybody. */
  kill(): Promise<void>;
  /** Lets it finish. */
  stop(): Promise<void>;
}

/** Starts a gateway, as it is built, on any port that is free. */
export async function startNode(settings: object): Promise<Node> {
  // What was compiled once is not compiled again: they are started a hundred times.
  const env = { NODE_COMPILE_CACHE: join(tmpdir(), 'mayday-bench-compiled'), ...process.env };
  // A log that this process reads would hold up the gateway whenever it is slow to read it.
  const folder = mkdtempSync(join(tmpdir(), 'mayday-bench-node-'));
  const file = join(folder, 'log');
  const log = openSync(file, 'w');
  const child = spawn(process.execPath, [SCRIPT, JSON.stringify(settings)], {
    env,
    stdio: ['ignore', 'pipe', log, 'ipc'],
  });
  closeSync(log);
  const told: string[] = [];
  const ended = once(child, 'exit');
  const [first] = (await Promise.race([
    once(child.stdout as NonNullable<typeof child.stdout>, 'data'),
    ended.then(([code]) =>
      Promise.reject(new Error(`a gateway ended with ${code}: ${readFileSync(file, 'utf8').slice(0, 1000)}`)),
    ),
  ])) as [Buffer];
  const end = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
    child.kill(signal);
    await ended;
    told.push(
      ...readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => TOLD.test(line)),
    );
    rmSync(folder, { recursive: true });
  };
  return {
    url: String(first).trim(),
    child,
    told,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  };
}

/** What is asked. */
export interface Question {
  readonly method?: 'GET' | 'POST';
  readonly body?: unknown;
  /** Of the caller. */
  readonly key?: string;
  /** Gives up after so long. */
  readonly cutMs?: number;
}

/** What came back. */
export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: whatever is there is looked at
  readonly body: any;
}

const agent = new Agent({ keepAlive: true, maxSockets: 256 });

/** Asks; `undefined` where no whole answer came. */
export function ask(
  url: string,
  { method = 'POST', body, key, cutMs = 15_000 }: Question,
): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    const sent = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      accept: 'application/json, text/event-stream',
      ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    };
    const asking = request(url, { method, headers, agent }, (response) => {
      let said = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        said += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: parsed(said) }));
      response.on('close', () => resolve(undefined));
    });
    const timer = setTimeout(() => asking.destroy(), cutMs);
    asking.on('error', () => resolve(undefined));
    asking.on('close', () => {
      clearTimeout(timer);
      resolve(undefined);
    });
    asking.end(sent);
  });
}

function parsed(said: string): unknown {
  try {
    return JSON.parse(said.startsWith('{') ? said : (/^data: (.*)$/m.exec(said)?.[1] ?? 'null'));
  } catch {
    return null; // cut off
  }
}

/** A call of a tool. */
export function toolCall(name: string, args: object, idempotencyKey?: string): object {
  const meta =
    idempotencyKey === undefined ? {} : { _meta: { 'dev.mayday/idempotency-key': idempotencyKey } };
  return { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args, ...meta } };
}

/** The text of a success. */
export function textIn(answer: Answer | undefined): string | undefined {
  const result = answer?.body?.result;
  return result === undefined || result.isError === true ? undefined : result.content?.[0]?.text;
}

/** The fault of a failure. */
// biome-ignore lint/suspicious/noExplicitAny: whatever is there is looked at
export function faultIn(answer: Answer | undefined): any {
  const said = answer?.body;
  return (
    said?.result?._meta?.['dev.mayday/fault'] ??
    said?.error?.data ??
    (said?.kind === undefined ? undefined : said)
  );
}

/** Numbers from 0 to 1 that are the same each time. */
export function chances(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Does something `count` times, so many at a time. */
export async function many(
  count: number,
  atATime: number,
  work: (i: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const one = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: atATime }, one));
}

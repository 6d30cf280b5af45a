import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Endpoint, exchange, type HttpAnswer, MCP_HEADERS } from '../../acceptance/http.ts';
import type { Program } from '../../acceptance/program.ts';
import {
  commandOutput,
  freshFolder,
  type HttpReference,
  type Name,
  serveHttp,
  serveStdio,
} from '../../acceptance/reference.ts';
import type { Pipe } from '../../acceptance/stdio.ts';
import type { Message } from '../../acceptance/wire.ts';
import type { Input } from './inputs.ts';

/** One reference server on both transports, with whatever a caller needs to be let in. */
export interface Both {
  readonly pipe: Pipe;
  readonly server: HttpReference;
  readonly headers: Record<string, string>;
  close(): Promise<void>;
}

const LIVE_HEAP = fileURLToPath(new URL('live-heap.ts', import.meta.url));

/** The bytes that a server cannot let go of. */
export async function liveBytes({ child, errors }: Program): Promise<number> {
  const said = (): string[] => errors().match(/live heap \d+/g) ?? [];
  const before = said().length;
  child.kill('SIGUSR2');
  while (said().length === before) {
    await pause(10);
  }
  return Number(said().at(-1)?.split(' ')[2]);
}

/** Flags that lift limits which would answer in place of what is asked. */
const FLAGS: Partial<Record<Name, readonly string[]>> = { erlmcp: ['--rate-limit', '10000000'] };

/** Starts a server twice, and shakes hands. */
export async function openBoth(name: Name): Promise<Both> {
  const folder = freshFolder();
  const { key, env } = await identify(name, folder.path);
  const flags = FLAGS[name] ?? [];
  const pipe = serveStdio(name, folder.path, flags, { env, preload: LIVE_HEAP });
  const server = await serveHttp(name, folder.path, flags, { preload: LIVE_HEAP });
  const endpoint = new Endpoint(server.mcp, key === undefined ? {} : { authorization: `Bearer ${key}` });
  await Promise.all([pipe.initialize(), endpoint.initialize()]);
  const close = async (): Promise<void> => {
    await Promise.all([pipe.close(), server.stop()]);
    folder.remove();
  };
  return { pipe, server, headers: endpoint.headers, close };
}

async function identify(
  name: Name,
  folder: string,
): Promise<{ readonly key?: string; readonly env?: Record<string, string> }> {
  if (name === 'platica') {
    const key = 'pl_key_hostile_0123456789abcdef';
    return { key, env: { PLATICA_API_KEY: key } };
  }
  if (name !== 'qaqnuz') {
    return {};
  }
  const operator = (...words: readonly string[]): Promise<string> =>
    commandOutput('qaqnuz', ['operator', ...words, '--data', folder]);
  await operator('add-brand', 'acme');
  const [, key = ''] = (await operator('issue-key', 'acme', 'contacts.read')).split(' ');
  return { key, env: { QAQNUZ_KEY: key } };
}

/** What answers say, without their words: the id, and the code, `failed` for a tool, or `fine`. */
export function told(messages: readonly Message[]): [id: unknown, what: number | string][] {
  return messages
    .flatMap((message) => (Array.isArray(message) ? message : [message]))
    .map((message: Message) => [message.id ?? null, message.error?.code ?? outcome(message)]);
}

/** The words of what was refused. */
export function reasons(messages: readonly Message[]): string[] {
  return messages
    .flatMap((message) => (Array.isArray(message) ? message : [message]))
    .filter((message: Message) => message.error !== undefined || outcome(message) === 'failed')
    .map((message: Message) => message.error?.message ?? message.result?.content?.[0]?.text ?? '');
}

function outcome({ result }: Message): 'failed' | 'fine' {
  return result?.isError === true ? 'failed' : 'fine';
}

let last = 0;

/** Sends lines at once, then a ping, and gives what came beside its answer, which proves that the connection goes on. */
export async function onStdio({ pipe }: Both, lines: Input['lines']): Promise<readonly Message[]> {
  const before = pipe.received.length;
  pipe.send(Buffer.concat(lines.flatMap((line) => [Buffer.from(line), Buffer.from('\n')])));
  last += 1;
  const id = `after-${last}`;
  pipe.send({ jsonrpc: '2.0', id, method: 'ping' });
  const answer = await pipe.answerTo(id, 120_000);
  if (answer.result === undefined) {
    throw new Error(`A ping is answered with ${JSON.stringify(answer)}`);
  }
  return pipe.received.slice(before).filter((message) => message !== answer);
}

/** Posts lines one after the other, then a ping; gives the answers. */
export async function overHttp(
  { server, headers }: Both,
  lines: Input['lines'],
): Promise<readonly HttpAnswer[]> {
  const post = (body: string | Buffer): Promise<HttpAnswer> =>
    exchange(server.mcp, { headers: { ...MCP_HEADERS, ...headers }, body, timeoutMs: 30_000 });
  const answers: HttpAnswer[] = [];
  for (const line of lines) {
    answers.push(await post(line));
  }
  const answer = await post('{"jsonrpc":"2.0","id":"after","method":"ping"}');
  if (answer.messages[0]?.result === undefined) {
    throw new Error(`A ping is answered with ${answer.text}`);
  }
  return answers;
}

/** Posts bodies over some connections that stay open, and gives how many answers came of which status. */
export async function flood(
  { server, headers }: Both,
  bodies: readonly (string | Buffer)[],
): Promise<Record<number, number>> {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const statuses: Record<number, number> = {};
  const queue = bodies.values();
  const worker = async (): Promise<void> => {
    for (const body of queue) {
      const status = await statusOf(server.mcp, { ...MCP_HEADERS, ...headers }, body, agent);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  agent.destroy();
  return statuses;
}

function statusOf(
  url: string,
  headers: Record<string, string>,
  body: string | Buffer,
  agent: Agent,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url, { method: 'POST', headers, agent }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode ?? 0));
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

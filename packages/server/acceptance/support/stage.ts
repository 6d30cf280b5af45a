/** Starts the one process of a test file, and calls its servers in every way there is. */
import { type ChildProcess, spawn } from 'node:child_process';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from 'vitest';
import { INITIALIZE, MCP_HEADERS, type Message, type Wire } from './wire.ts';

/** How a server is reached, and on which SDK it stands. */
export const WAYS = ['SDK v2, stdio', 'SDK v2, HTTP', 'SDK v1, stdio', 'SDK v1, HTTP'] as const;

/** One of them. */
export type Way = (typeof WAYS)[number];

/** What guards a server has. */
export type Variant = 'open' | 'limited' | 'keyed' | 'scoped' | 'ordered';

/** An HTTP answer, whole. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The one JSON-RPC message in it. */
  readonly message: Message;
}

/** What to send; `body` is sent as it is if it is text or bytes. */
export interface HttpQuestion {
  readonly method?: string | undefined;
  readonly headers?: Record<string, string> | undefined;
  readonly body?: Wire;
}

/** The servers of one test file. */
export interface Stage {
  /** Sends a request in one way and gives its answer, whatever it is. */
  ask(way: Way, method: string, params?: Wire, variant?: Variant): Promise<Message>;
  /** Calls a tool. */
  call(way: Way, name: string, args?: Wire, variant?: Variant): Promise<Message>;
  /** Lines exactly as given, to a fresh server behind `guardStdio`, or to the one on standard streams; the first answer. */
  line(server: 'v1' | 'v2' | 'by hand', text: string): Promise<Message>;
  /** An HTTP request exactly as given. */
  http(sdk: 'v1' | 'v2', question: HttpQuestion, variant?: Variant): Promise<HttpAnswer>;
}

/** Runs the process while the file's tests run. */
export function useStage(dialect: string): Stage {
  let child: ChildProcess;
  let ports: readonly number[] = [];
  const open = new Map<string, Promise<Lines>>();
  beforeAll(async () => {
    child = spawn(process.execPath, [SERVE, dialect], { stdio: 'pipe' });
    ports = await portsOf(child);
  }, 60_000);
  afterAll(() => {
    child.kill('SIGKILL');
  });
  const http = (sdk: string, question: HttpQuestion, variant: Variant = 'open'): Promise<HttpAnswer> =>
    exchange(`http://127.0.0.1:${ports[0]}/${sdk}/${variant}/mcp`, question);
  const linesOf = (sdk: string, variant: Variant): Promise<Lines> => {
    const name = `${sdk} ${variant}`;
    const found = open.get(name) ?? greeted(name === 'v1 open' ? ofProcess(child) : ofSocket(ports[1], name));
    open.set(name, found);
    return found;
  };
  let nextId = 0;
  const ask: Stage['ask'] = async (way, method, params = {}, variant = 'open') => {
    nextId += 1;
    const body = { jsonrpc: '2.0', id: nextId, method, params };
    const sdk = way.slice(4, 6);
    if (way.endsWith('HTTP')) return (await http(sdk, { body }, variant)).message;
    return (await linesOf(sdk, variant)).ask(body);
  };
  return {
    ask,
    call: (way, name, args = {}, variant = 'open') =>
      ask(way, 'tools/call', { name, arguments: args }, variant),
    line: async (server, text) => {
      const byHand = server === 'by hand';
      const lines = byHand ? await linesOf('v1', 'open') : ofSocket(ports[1], `${server} open`);
      const answer = lines.any();
      lines.write(text);
      return answer;
    },
    http,
  };
}

const SERVE = fileURLToPath(new URL('serve.ts', import.meta.url));

async function portsOf(child: ChildProcess): Promise<number[]> {
  let said = '';
  for await (const piece of child.stderr as Readable) {
    said += String(piece);
    const found = /^ports (\d+) (\d+)$/m.exec(said);
    if (found !== null) return [Number(found[1]), Number(found[2])];
  }
  throw new Error(`The servers did not start: ${said}`);
}

/** A connection of one message a line. */
interface Lines {
  write(text: string): void;
  ask(message: { readonly id: unknown }): Promise<Message>;
  /** The next message that answers something. */
  any(): Promise<Message>;
}

function ofProcess(child: ChildProcess): Lines {
  return ofStreams(child.stdout as Readable, child.stdin as Writable);
}

function ofSocket(port: number | undefined, name: string): Lines {
  const socket = connect(port ?? 0, '127.0.0.1');
  socket.write(`${name}\n`);
  socket.unref();
  return ofStreams(socket, socket);
}

function ofStreams(input: Readable, output: Writable): Lines {
  const waiting: { fits(message: Message): boolean; take(message: Message): void }[] = [];
  createInterface({ input }).on('line', (line) => {
    const message: Message = JSON.parse(line);
    const at = waiting.findIndex((one) => message.method === undefined && one.fits(message));
    if (at >= 0) waiting.splice(at, 1)[0]?.take(message);
  });
  const wait = (what: string, fits: (message: Message) => boolean): Promise<Message> =>
    new Promise((take, reject) => {
      const late = setTimeout(() => reject(new Error(`No answer to ${what}`)), PATIENCE_MS);
      late.unref();
      waiting.push({ fits, take });
    });
  return {
    write: (text) => void output.write(text),
    any: () => wait('it', () => true),
    ask: (message) => {
      const answer = wait(JSON.stringify(message), ({ id }) => id === message.id);
      output.write(`${JSON.stringify(message)}\n`);
      return answer;
    },
  };
}

const PATIENCE_MS = 8000;

async function greeted(lines: Lines): Promise<Lines> {
  await lines.ask({ id: 'initialize', ...{ jsonrpc: '2.0', method: 'initialize', params: INITIALIZE } });
  lines.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  return lines;
}

/** Sends one HTTP request exactly as given, `Host` included. */
export function exchange(url: string, question: HttpQuestion): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const { method = 'POST', headers = {}, body } = question;
    const sent = httpRequest(
      url,
      { method, headers: { ...MCP_HEADERS, ...headers }, agent: false },
      (answer) => {
        const pieces: Buffer[] = [];
        answer.on('data', (piece: Buffer) => pieces.push(piece));
        answer.on('error', reject);
        answer.on('end', () => {
          const text = Buffer.concat(pieces).toString('utf8');
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            text,
            message: messageIn(text),
          });
        });
      },
    );
    sent.setTimeout(PATIENCE_MS, () => sent.destroy(new Error('No answer')));
    // A server that has said no may close before it has read everything: its answer is still on the way.
    sent.on('error', (error) => setTimeout(() => reject(error), 300));
    sent.end(typeof body === 'object' && !Buffer.isBuffer(body) ? JSON.stringify(body) : body);
  });
}

function messageIn(text: string): Message {
  const data = text.split(/\r?\n/).filter((line) => line.startsWith('data:') && line.length > 6);
  const messages: Message[] = data.map((line) => JSON.parse(line.slice(5)));
  const answer = messages.findLast((message) => message.method === undefined);
  return answer ?? (text.startsWith('{') ? JSON.parse(text) : {});
}

import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import type { Program } from './program.ts';
import { type Channel, INITIALIZE, type Message, type Wire } from './wire.ts';

/** How long an answer may take before a test says that there is none. */
const PATIENCE_MS = 8000;

/** How long a program may take to start on a busy machine. */
const START_MS = 30_000;

/** A program's standard streams, one JSON message a line; bytes can be sent as they are. */
export class Pipe implements Channel {
  /** Every message that came, in order. */
  readonly received: Message[] = [];
  readonly program: Program;
  /** What the client does when the server asks it something. */
  onRequest: ((request: Message) => Wire) | undefined;
  #nextId = 1000;

  constructor(program: Program) {
    this.program = program;
    const { stdout, stdin } = program.child;
    stdin?.on('error', () => undefined);
    if (stdout) {
      createInterface({ input: stdout }).on('line', (line) => this.#take(line));
    }
  }

  #take(line: string): void {
    const message: Message = JSON.parse(line);
    this.received.push(message);
    if (message.method !== undefined && message.id !== undefined && this.onRequest) {
      const answer = this.onRequest(message);
      if (answer !== undefined) {
        this.send({ jsonrpc: '2.0', id: message.id, ...answer });
      }
    }
  }

  /** Sends a value as one line, or bytes and text exactly as given. */
  send(message: Wire): void {
    const raw = typeof message === 'string' || Buffer.isBuffer(message);
    this.program.child.stdin?.write(raw ? message : `${JSON.stringify(message)}\n`);
  }

  /** The answer to a request with this id. */
  answerTo(id: Wire, patienceMs = PATIENCE_MS): Promise<Message> {
    return this.find((message) => message.method === undefined && message.id === id, patienceMs, `id ${id}`);
  }

  /** The first message that fits, now or later. */
  async find(fits: (message: Message) => boolean, patienceMs = PATIENCE_MS, what = 'it'): Promise<Message> {
    const end = Date.now() + patienceMs;
    for (;;) {
      const found = this.received.find(fits);
      if (found) {
        return found;
      }
      if (Date.now() > end) {
        throw new Error(
          `No answer to ${what} in ${patienceMs} ms. Its log: ${this.program.errors().slice(-500)}`,
        );
      }
      await pause(5);
    }
  }

  request(method: string, params?: Wire): Promise<Message> {
    const id = this.#nextId;
    this.#nextId += 1;
    this.send({ jsonrpc: '2.0', id, method, params });
    return this.answerTo(id);
  }

  /** Shakes hands as a client of 2025-11-25 does. */
  async initialize(params: Wire = INITIALIZE): Promise<Message> {
    this.send({ jsonrpc: '2.0', id: 'initialize', method: 'initialize', params });
    const answer = await this.answerTo('initialize', START_MS);
    this.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return answer;
  }

  async close(): Promise<void> {
    await this.program.stop();
  }
}

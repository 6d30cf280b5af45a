/** Server processes: the official SDK's server, guarded or not, at the far end of a pipe that may do anything. */
import { makeFault, toDocument } from '@mayday/core';
import { type GuardOptions, guard } from '@mayday/server';
import { guard as guardV1 } from '@mayday/server/v1';
import { McpServer as ServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { UrlElicitationRequiredError as QuestionV1 } from '@modelcontextprotocol/sdk/types.js';
import {
  UrlElicitationRequiredError as QuestionV2,
  McpServer as ServerV2,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { createBareServer } from './bare-server.ts';
import { count, type Ledger } from './ledger.ts';
import { type Message, orderIn } from './message.ts';
import type { Parts } from './parts.ts';
import { type PipeFate, type Setting, TOOLS } from './story.ts';
import type { Time } from './time.ts';
import { runTool, type Surroundings } from './tool.ts';

/** Who is at the near end of a pipe. */
interface NearEnd {
  onLine(line: string): void;
  /** Called once. */
  onExit(): void;
}

/** One process. */
export interface Process {
  readonly isAlive: boolean;
  /** Writes a line to it. */
  write(line: string): void;
  kill(): void;
}

/** Where processes run. */
export interface Host {
  start(near: NearEnd): Process;
  /** Every process ends, and none can be started for a while. */
  fail(downMs: number): void;
}

/** What hosts are made of. */
export interface HostOptions {
  readonly setting: Setting;
  readonly parts: Parts;
  readonly time: Time;
  readonly ledger: Ledger;
  /** The store that knows the keys of a call, where it is not that of the process itself. */
  readonly epoch: (() => string) | undefined;
}

/** How long a server waits before it shows that what it has refused was done: shorter than it asks its caller to wait. */
const SHOWN_MS = 100;
const ASKED_TO_WAIT_MS = 500;

const HOP_MS = 1;
const LATE_MS = 25_000;

/** Makes a host. */
export function createHost(options: HostOptions): Host {
  const { time } = options;
  const running = new Set<Process>();
  let downUntil = 0;
  let started = 0;
  return {
    start(near) {
      started += 1;
      const process = startProcess(options, `process ${started}`, {
        onLine: near.onLine,
        onExit() {
          running.delete(process);
          near.onExit();
        },
      });
      running.add(process);
      if (time.now() < downUntil) process.kill();
      return process;
    },
    fail(downMs) {
      downUntil = time.now() + downMs;
      for (const process of [...running]) process.kill();
    },
  };
}

function startProcess(options: HostOptions, name: string, near: NearEnd): Process {
  const { time, ledger, parts, setting } = options;
  let alive = true;
  const waiting = new Map<string | number, { order: string; fate: PipeFate; isAnswered: boolean }>();
  const kill = (): void => {
    if (!alive) return;
    alive = false;
    ledger.troubles = Number.POSITIVE_INFINITY; // everything that was under way there
    time.after(HOP_MS, near.onExit);
  };
  const deliver = (line: string, afterMs = HOP_MS): void => {
    // What was written before the end of a process is still read.
    if (alive) time.after(afterMs, () => near.onLine(line));
  };
  const Question = setting.server === 'v1' ? QuestionV1 : QuestionV2;
  const server = createServer(options, {
    time,
    ledger,
    lies: !setting.trusted && !setting.guarded, // a guard believes its own author
    isAlive: () => alive,
    epoch: options.epoch ?? (() => name),
    die: kill,
    question: () => new Question([], 'Visit a page first'),
  });
  const transport = {
    onmessage: undefined as ((message: unknown) => void) | undefined,
    onclose: undefined as (() => void) | undefined,
    start: async () => undefined,
    close: async () => undefined,
    async send(message: Message) {
      const known = message.method === undefined ? waiting.get(message.id ?? '') : undefined;
      if (known === undefined) deliver(JSON.stringify(message));
      else {
        if (known.isAnswered) ledger.answeredTwice.push(known.order);
        known.isAnswered = true;
        answer(message, known.fate, deliver, kill);
      }
    },
  };
  const ready = server.connect(transport as never);

  function write(line: string): void {
    const told = JSON.parse(line) as Message;
    const message = parts.toServer?.(told) ?? told;
    const order = message.method === 'tools/call' ? orderIn(message) : undefined;
    const fate = order === undefined ? 'passes' : ledger.nextPipe(order);
    if (order !== undefined) count(ledger.sent, order);
    if (fate === 'request lost') return;
    time.after(fate === 'request late' ? LATE_MS : HOP_MS, () => {
      if (!alive) return;
      if (fate === 'dies before') kill();
      else if (order !== undefined && isTakenBack(fate, setting)) refuseAndDo(message, order, fate);
      else {
        if (order !== undefined && message.id !== undefined)
          waiting.set(message.id, { order, fate, isAnswered: false });
        transport.onmessage?.(message);
      }
    });
  }
  /** Its work is done, and nobody hears what came of it. */
  function refuseAndDo(message: Message, order: string, fate: PipeFate): void {
    ledger.takenBack.add(order);
    if (message.id !== undefined) waiting.set(message.id, { order, fate: 'answer lost', isAnswered: false });
    transport.onmessage?.(message);
    deliver(JSON.stringify({ jsonrpc: '2.0', id: message.id, result: refusal(order) }));
    time.after(SHOWN_MS, () => {
      if (fate === 'refused, then dies') kill();
      else deliver(JSON.stringify(CHANGE));
    });
  }
  return {
    get isAlive() {
      return alive;
    },
    write: (line) => void ready.then(() => write(line)),
    kill,
  };
}

/** It belongs to no call, so none waits longer for it. */
const CHANGE: Message = {
  jsonrpc: '2.0',
  method: 'notifications/resources/updated',
  params: { uri: 'order://7' },
};

/** Whoever repeats calls has to hear what the process says, and only the gateway sees it all. */
function isTakenBack(fate: PipeFate, { client, way }: Setting): boolean {
  return fate.startsWith('refused, then') && client === 'official' && way === 'gateway';
}

function refusal(order: string): object {
  const message = `Order ${order}: too many requests`;
  const retry = { when: 'backoff', afterMs: ASKED_TO_WAIT_MS } as const;
  const document = toDocument(makeFault({ kind: 'rate_limited', message, executed: 'no', retry }));
  return {
    isError: true,
    content: [{ type: 'text', text: message }],
    _meta: { 'dev.mayday/fault': document },
  };
}

function answer(
  message: Message,
  fate: PipeFate,
  deliver: (line: string, ms?: number) => void,
  kill: () => void,
): void {
  const line = JSON.stringify(message);
  switch (fate) {
    case 'answer lost':
      return;
    case 'answer twice':
      deliver(line);
      deliver(line, 3);
      return;
    case 'answer late':
      deliver(line, LATE_MS);
      return;
    case 'half a line':
      deliver(line.slice(0, line.length / 2));
      return;
    case 'another id':
      deliver(JSON.stringify({ ...message, id: 999_999 }));
      return;
    case 'dies after':
      kill();
      return;
    default:
      deliver(line);
  }
}

interface Connectable {
  connect(transport: never): Promise<void>;
}

function createServer({ setting, parts }: HostOptions, around: Surroundings): Connectable {
  if (setting.server === 'bare') return createBareServer(setting, around) as unknown as Connectable;
  const info = { name: 'shop', version: '1.0.0' };
  // A clock of its own: what one world leaves behind must not reach into the next.
  const clock = {
    now: () => Date.now(),
    setTimeout: (run: () => void, ms: number) => setTimeout(run, ms),
    clearTimeout: (timer: unknown) => clearTimeout(timer as NodeJS.Timeout),
  };
  const options: GuardOptions = { clock, unhandledRejections: 'leave', ...parts.guard };
  const run = ({ order }: { order: string }): Promise<object> => runTool(order, around);
  if (setting.server === 'v1') {
    const plain = new ServerV1(info);
    const server = setting.guarded ? guardV1(plain, options) : plain;
    for (const [name, annotations] of Object.entries(TOOLS))
      server.registerTool(name, { annotations, inputSchema: { order: z.string() } }, run as never);
    return server as unknown as Connectable;
  }
  const plain = new ServerV2(info);
  const server = setting.guarded ? guard(plain, options) : plain;
  for (const [name, annotations] of Object.entries(TOOLS))
    server.registerTool(name, { annotations, inputSchema: z.object({ order: z.string() }) }, run as never);
  return server as unknown as Connectable;
}

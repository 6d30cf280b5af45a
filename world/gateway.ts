/** The gateway without its sockets: its endpoint, its whole path and its links to processes, as they are. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { language } from '@mayday/core';
import { createMemoryIdempotency, type IdempotencyStore } from '@mayday/policy';
import {
  ANYBODY,
  countIds,
  type Endpoint,
  LinkEndpoint,
  type LinkEndpointOptions,
  Reply,
  type ServerProcess,
  type StdioProcessOptions,
} from '@mayday/relay';
import { createHidings } from '../packages/gateway/src/call/hiding.ts';
import { mend } from '../packages/gateway/src/call/mend.ts';
import { outerPath } from '../packages/gateway/src/call/path.ts';
import { createFaultLog } from '../packages/gateway/src/faults/fault-log.ts';
import { resolveSettings, type UpstreamSettings } from '../packages/gateway/src/index.ts';
import { createTaskRunners } from '../packages/gateway/src/upstreams/task-runners.ts';
import { createTransports } from '../packages/gateway/src/upstreams/transports.ts';
import { createUpstream } from '../packages/gateway/src/upstreams/upstream.ts';
import { type HttpAnswer, MemoryResponse } from './memory-response.ts';
import type { Parts } from './parts.ts';
import type { Host, Process } from './server.ts';
import type { Setting } from './story.ts';
import type { Time } from './time.ts';

/** One exchange with the gateway. */
interface Exchange {
  /** Settles with the answer; never, when the gateway died before. */
  readonly answer: Promise<HttpAnswer>;
  /** The caller has gone. */
  leave(): void;
}

/** One exchange, as a clock at the door sees it. */
export interface Visited {
  readonly body: string;
  readonly askedAt: number;
  endedAt: number | undefined;
}

/** A gateway, which may die and come back. */
export interface GatewayHost {
  readonly isUp: boolean;
  /** Names the store of keys that lives now. */
  readonly epoch: string;
  /** Every exchange, and how long it took; for ever, if it has not ended. */
  readonly visits: readonly Visited[];
  /** Mistakes of its own that it has noticed. */
  readonly bugs: unknown[];
  ask(method: string, headers: Headers, body: string, onCut: () => void): Exchange;
  fail(downMs: number, keepsAnswers: boolean): void;
}

/** What a gateway is made of. */
export interface GatewayOptions {
  readonly setting: Setting;
  readonly parts: Parts;
  readonly time: Time;
  readonly host: Host;
}

interface Life {
  isOver: boolean;
  readonly endpoint: Endpoint;
  readonly processes: Set<Process>;
  readonly cut: Set<() => void>;
}

/** Starts a gateway. */
export function startGateway(options: GatewayOptions): GatewayHost {
  return new MemoryGateway(options);
}

class MemoryGateway implements GatewayHost {
  readonly bugs: unknown[] = [];
  readonly visits: Visited[] = [];
  readonly #options: GatewayOptions;
  #store = createMemoryIdempotency();
  #stores = 1;
  #life: Life;

  constructor(options: GatewayOptions) {
    this.#options = options;
    this.#life = this.#begin();
  }

  get isUp(): boolean {
    return !this.#life.isOver;
  }

  get epoch(): string {
    return `store ${this.#stores}`;
  }

  ask(method: string, headers: Headers, body: string, onCut: () => void): Exchange {
    const life = this.#life;
    const { time } = this.#options;
    const response = new MemoryResponse();
    const visited: Visited = { body, askedAt: time.now(), endedAt: undefined };
    this.visits.push(visited);
    const forget = (): void => {
      visited.endedAt ??= time.now();
      life.cut.delete(cut);
    };
    const cut = (): void => {
      forget();
      onCut();
    };
    life.cut.add(cut);
    const answer = new Promise<HttpAnswer>((resolve) => {
      response.onDone = (done) => {
        forget();
        if (!life.isOver) resolve(done);
      };
    });
    const request = { method, headers, rawHeaders: Object.entries(headers).flat() };
    life.endpoint.handle({
      request: request as unknown as IncomingMessage,
      body: Buffer.from(body),
      reply: new Reply(response as unknown as ServerResponse),
      caller: ANYBODY,
    });
    const leave = (): void => {
      forget();
      if (!life.isOver) response.destroy();
    };
    return { answer, leave };
  }

  fail(downMs: number, keepsAnswers: boolean): void {
    const life = this.#life;
    if (life.isOver) return;
    life.isOver = true;
    for (const process of life.processes) process.kill();
    for (const cut of [...life.cut]) cut();
    if (!keepsAnswers) {
      this.#store = createMemoryIdempotency();
      this.#stores += 1;
    }
    this.#options.time.after(downMs, () => {
      this.#life = this.#begin();
    });
  }

  #begin(): Life {
    const { parts } = this.#options;
    const processes = new Set<Process>();
    const over = { isOver: false };
    const isAlive = (): boolean => !over.isOver;
    const answers = whileAlive(parts.answers?.(this.#store) ?? this.#store, isAlive);
    const endpoint = createEndpoint(this.#options, answers, this.bugs, (near) => {
      const process = startBehind(this.#options, near, isAlive);
      processes.add(process.process);
      return process;
    });
    return Object.assign(over, { endpoint, processes, cut: new Set<() => void>() });
  }
}

type Headers = { readonly [name: string]: string };

type Start = (near: StdioProcessOptions) => ServerProcess & { readonly process: Process };

function createEndpoint(
  { setting, parts }: GatewayOptions,
  answers: IdempotencyStore,
  bugs: unknown[],
  start: Start,
): Endpoint {
  const settings = settingsOf(setting);
  const onBug = (error: unknown): void => void bugs.push(error);
  const outer = outerPath({
    journal: createFaultLog(10),
    onBug,
    textBytes: 1_048_576,
    dialects: { language, of: () => 'mayday' },
    onFault: () => undefined,
  });
  const upstream = createUpstream(settings, {
    outer,
    language,
    messageBytes: 67_108_864,
    depth: 256,
    answers,
    transports: createTransports(undefined),
    newId: countIds(undefined, () => 0),
    sealSecret: Buffer.alloc(32),
    tasks: createTaskRunners(),
    given: createHidings(),
    start,
    notServed: () => undefined,
    note: () => undefined,
    onBug,
  });
  if (parts.inner === undefined && parts.hear === undefined) return upstream.endpoint;
  const inner = parts.inner?.(upstream.inner) ?? upstream.inner;
  const hear = parts.hear?.(upstream.hear) ?? upstream.hear;
  const connect: LinkEndpointOptions['connect'] = (use, events, revision) =>
    upstream.connect(use, events, revision);
  const path = { outer, inner, hear, mend };
  return new LinkEndpoint({ upstream: 'shop', connect, path, sessions: settings.sessions, onBug });
}

type CommandSettings = Extract<UpstreamSettings, { type: 'command' }>;

const resolved = new Map<string, CommandSettings>();

/** As a configuration file would have them; everything else is the default. */
function settingsOf({ gatewayTimeoutMs, trusted }: Setting): CommandSettings {
  const key = `${gatewayTimeoutMs} ${trusted}`;
  let settings = resolved.get(key);
  if (settings === undefined) {
    const shop = {
      command: process.execPath,
      timeout_ms: gatewayTimeoutMs,
      retry: { trust_declarations: trusted },
    };
    settings = resolveSettings({ upstreams: { shop } }).settings.upstreams.get('shop') as CommandSettings;
    resolved.set(key, settings);
  }
  return settings;
}

/** A process as the gateway's link has it: it hears nothing once the gateway is dead. */
function startBehind(
  { host, parts, time }: GatewayOptions,
  near: StdioProcessOptions,
  isAlive: () => boolean,
): ServerProcess & { readonly process: Process } {
  let exited = false;
  const process = host.start({
    onLine: (line) => {
      const heard = parts.fromServer === undefined ? line : parts.fromServer(line);
      if (isAlive() && !exited && heard !== undefined) near.onMessage(Buffer.from(heard));
    },
    onExit() {
      exited = true;
      const tell = (): void => {
        if (isAlive()) near.onExit({ code: 1, signal: null, reason: undefined, stderrTail: [] });
      };
      if (parts.endsLateMs === undefined) tell();
      else time.after(parts.endsLateMs, tell);
    },
  });
  return {
    process,
    pid: 1,
    get exited() {
      return exited;
    },
    backlog: 0,
    send(message) {
      if (isAlive()) process.write(message.toString('utf8'));
    },
    pause: () => undefined,
    resume: () => undefined,
    stop: async () => process.kill(),
    kill: () => process.kill(),
  };
}

/** The dead write nothing down, and hear no answers. */
function whileAlive(store: IdempotencyStore, isAlive: () => boolean): IdempotencyStore {
  const never = (): Promise<never> => new Promise(() => undefined);
  return {
    claim: (claim) => (isAlive() ? store.claim(claim) : never()),
    finish: (done) => (isAlive() ? store.finish(done) : never()),
    free: (key) => (isAlive() ? store.free(key) : never()),
  };
}

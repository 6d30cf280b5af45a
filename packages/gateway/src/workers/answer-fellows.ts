/** Tasks that run at this worker, asked for by callers whose requests came in at others. */
import { createServer, type Server, type Socket } from 'node:net';
import { setLast, startCall } from '@mayday/policy';
import {
  type Back,
  CallEnded,
  decode,
  Ender,
  metaOf,
  nameIn,
  type OpenQuestions,
  paramsOf,
  peek,
  type Related,
  type WireCall,
} from '@mayday/relay';
import type { Client } from '../upstreams/ask-waiting.ts';
import { canAsk } from '../upstreams/task-questions.ts';
import type { Upstream } from '../upstreams/upstream.ts';
import type { Crew } from './crew.ts';
import { readFrames, writeFrame } from './frames.ts';
import { freed } from './freed.ts';
import type { AskedOfFellow, CarriedCall, NotWanted, SaidByFellow, WaitingClient } from './task-words.ts';

/** What is behind this worker. */
export interface AnswerFellowsOptions {
  readonly upstreamOf: (name: string) => Pick<Upstream, 'tasks' | 'hear'> | undefined;
  readonly onBug: (error: unknown) => void;
}

/** Those who wait at other workers are remembered to be told apart; of more the oldest are forgotten. */
const MAX_CLIENTS = 1000;

/** Answers from now on, over a socket that only workers reach: who asks was let in by one of them. */
export async function answerFellows(
  crew: Pick<Crew, 'worker' | 'socketOf'>,
  options: AnswerFellowsOptions,
): Promise<{ close(): void }> {
  const clients = new Map<string, FellowClient>();
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    const ender = new Ender();
    socket.on('error', () => {}); // that it closes says enough
    socket.on('close', () => {
      open.delete(socket);
      ender.abort(LEFT);
    });
    readFrames<AskedOfFellow | NotWanted>(socket, (said) => {
      if (said.kind === 'end') ender.abort(new CallEnded(said.fault, said));
      else
        answer(said, { ...options, socket, signal: ender.signal, clients }).catch((error: unknown) => {
          options.onBug(error);
          socket.destroy();
        });
    });
  });
  await listening(server, freed(crew.socketOf(crew.worker, 'tasks')));
  return {
    close() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

/** The worker that asked has ended, or cannot say why nobody waits. */
const LEFT = new CallEnded({ kind: 'cancelled', origin: 'caller', message: 'The caller went away' });

interface Answering extends AnswerFellowsOptions {
  readonly socket: Socket;
  readonly signal: AbortSignal;
  readonly clients: Map<string, FellowClient>;
}

async function answer(
  asked: AskedOfFellow,
  { socket, signal, clients, upstreamOf }: Answering,
): Promise<void> {
  const { tasks, hear } = upstreamOf(asked.upstream) ?? {};
  const call = callOf(asked.call, asked.upstream, { signal, back: new FellowBack(socket) });
  const say = (said: SaidByFellow): unknown => writeFrame(socket, said);
  const known = (waiting: WaitingClient): FellowClient => {
    const client = clients.get(waiting.key) ?? new FellowClient();
    client.declared = new Set(waiting.declared);
    setLast(clients, waiting.key, client, MAX_CLIENTS);
    return client;
  };
  if (tasks === undefined || hear === undefined) say(NOTHING_KNOWN);
  else if (asked.kind === 'list') say({ kind: 'tasks', listed: await tasks.listFor(call, hear) });
  else if (asked.kind === 'answer') tasks.answered(call, asked.answer, known(asked.client));
  else {
    const client = asked.client && known(asked.client);
    say({ kind: 'outcome', outcome: await tasks.askedBy(call, hear, client) });
  }
  socket.end();
}

const NOTHING_KNOWN: SaidByFellow = { kind: 'outcome', outcome: undefined };

function callOf(
  carried: CarriedCall,
  upstream: string,
  { signal, back }: Pick<WireCall, 'signal' | 'back'>,
): WireCall {
  const { body, by } = carried;
  const seen = peek(body);
  const message = decode(body);
  return startCall<WireCall>({
    ...carried,
    peek: seen,
    method: seen.method,
    params: () => paramsOf(message),
    meta: metaOf(message),
    target: nameIn(body, seen),
    caller: by.isKnown ? by.id : undefined,
    upstream,
    startedAt: Date.now(),
    patienceMs: 0,
    signal,
    back,
  });
}

/** Somebody who waits at another worker. Ids of questions are exchanged there. */
class FellowClient implements Client {
  declared: ReadonlySet<string> = new Set();

  canBeAsked(method: string): boolean {
    return canAsk(this.declared, method);
  }

  askedFor(_runner: unknown, related: Related): Related {
    return related;
  }
}

/** The way back to a caller over another worker. Whether a stream has begun, and what was asked, is known there. */
class FellowBack implements Back {
  readonly #socket: Socket;
  readonly isStream = false;
  readonly committed = false;
  readonly asks: OpenQuestions | undefined = undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  open(): void {
    // A stream is begun by what comes in it.
  }

  related({ data, id, ofTask }: Related): boolean {
    return writeFrame(this.#socket, {
      kind: 'related',
      related: { data, id, ofTask },
    } satisfies SaidByFellow);
  }

  onDrain(listener: () => void): void {
    this.#socket.once('drain', listener);
  }
}

function listening(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ path }, resolve);
  });
}

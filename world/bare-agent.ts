/** An agent of nothing but our policies, as both clients are built on them, without an SDK. */
import { type Fault, FaultError, makeFault, read } from '@mayday/core';
import { writeCallMeta } from '@mayday/core/plan';
import { type Attempt, createUpstream, faultInThrown, run } from '@mayday/policy';
import type { Agent } from './agent.ts';
import { broken, type Send } from './door.ts';
import type { Message } from './message.ts';
import type { Host } from './server.ts';
import { type Setting, TOOLS } from './story.ts';

/** Sends a message and settles with what comes back for it. */
type Ask = (message: Message, signal: AbortSignal | undefined) => Promise<Message>;

/** Makes an agent without an SDK. */
export function createBareAgent({ trusted, attemptTimeoutMs, hedgeAfterMs }: Setting, ask: Ask): Agent {
  const upstream = createUpstream({ name: 'shop' });
  let ids = 0;
  const request = (method: string, params: Message['params']): Message => {
    ids += 1;
    return { jsonrpc: '2.0', id: ids, method, params: params ?? {} };
  };
  return {
    connect: () => ask(request('tools/list', {}), undefined),
    async call({ tool, key, deadlineMs }, order, signal) {
      const { readOnlyHint, idempotentHint, destructiveHint } = hintsOf(tool);
      const idempotencyKey = key === undefined ? undefined : `key-${key}`;
      const keyed = idempotencyKey === undefined ? {} : { 'dev.mayday/idempotency-key': idempotencyKey };
      const send = (attempt: Attempt): Promise<Message> => {
        const _meta = writeCallMeta(keyed, attempt.meta);
        return ask(request('tools/call', { name: tool, arguments: { order }, _meta }), attempt.signal);
      };
      const call = {
        method: 'tools/call',
        target: tool,
        readOnly: readOnlyHint,
        idempotent: idempotentHint,
        destructive: destructiveHint,
        idempotencyKey,
        signal,
      };
      const { outcome } = await run(upstream, call, send, {
        deadlineMs,
        attemptTimeoutMs,
        hedgeAfterMs,
        faultIn: (message) => faultIn(message, trusted),
        faultInThrown: (thrown, now) => faultInThrown(thrown, now, { began: false }),
      });
      if (outcome.ok) return { ok: true, text: JSON.stringify(outcome.value.result), executed: undefined };
      return { ok: false, text: outcome.fault.message, executed: outcome.fault.executed };
    },
  };
}

interface Hints {
  readonly readOnlyHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly destructiveHint?: boolean;
}

function hintsOf(tool: keyof typeof TOOLS): Hints {
  return TOOLS[tool];
}

function faultIn(message: Message, trustDeclarations: boolean): Fault | undefined {
  const reading = read(message, { now: Date.now(), trustDeclarations });
  return reading.failure ? reading.fault : undefined;
}

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** Asks over HTTP. */
export function askOver(send: Send): Ask {
  return async (message, signal) => {
    const arrived = await send({ method: 'POST', headers: HEADERS, body: JSON.stringify(message), signal });
    const { status, headers, body, isCut } = arrived;
    if (isCut) throw broken('ECONNRESET');
    if (status === 200) return parsed(body);
    const reading = read({ http: { status, headers, body } }, { now: Date.now() });
    throw new FaultError(reading.failure ? reading.fault : makeFault({ kind: 'unknown' }));
  };
}

function parsed(body: string): Message {
  try {
    return JSON.parse(body) as Message;
  } catch {
    throw new FaultError(makeFault({ kind: 'invalid_output', executed: 'maybe', message: 'No JSON' }));
  }
}

/** Asks a process, and starts it again when it has ended. */
export function askProcess(host: Host): Ask {
  const waiting = new Map<unknown, { answer(message: Message): void; lose(error: unknown): void }>();
  let process: ReturnType<Host['start']> | undefined;
  const lost = (): FaultError => new FaultError(makeFault({ kind: 'disconnected', executed: 'maybe' }));
  const start = (): NonNullable<typeof process> => {
    process = host.start({
      onLine(line) {
        const message = lineIn(line);
        waiting.get(message?.id)?.answer(message as Message);
        waiting.delete(message?.id);
      },
      onExit() {
        process = undefined;
        for (const { lose } of waiting.values()) lose(lost());
        waiting.clear();
      },
    });
    return process;
  };
  return (message, signal) =>
    new Promise((answer, lose) => {
      waiting.set(message.id, { answer, lose });
      signal?.addEventListener('abort', () => waiting.delete(message.id), { once: true });
      (process ?? start()).write(JSON.stringify(message));
    });
}

function lineIn(line: string): Message | undefined {
  try {
    return JSON.parse(line) as Message;
  } catch {
    return undefined; // half a line is nobody's answer
  }
}

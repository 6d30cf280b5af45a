/** Whoever calls: an SDK client, with or without ours around it. */
import { httpTransport, resilient } from '@mayday/client';
import { httpTransport as httpTransportV1, resilient as resilientV1 } from '@mayday/client/v1';
import { Client as ClientV2, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { askOver, askProcess, createBareAgent } from './bare-agent.ts';
import { asFetch, type Send } from './door.ts';
import type { Message } from './message.ts';
import type { Parts } from './parts.ts';
import type { Host } from './server.ts';
import type { CallPlan, Setting } from './story.ts';

/** What an agent was answered. */
export interface Answer {
  readonly ok: boolean;
  readonly text: string;
  /** What it was told about whether it happened, where it was told. */
  readonly executed: string | undefined;
}

/** An agent. */
export interface Agent {
  connect(): Promise<unknown>;
  call(plan: CallPlan, order: string, signal: AbortSignal | undefined): Promise<Answer>;
}

/** What an agent reaches its server through: one of the two. */
export interface Reach {
  readonly network?: Send | undefined;
  readonly host?: Host | undefined;
}

const INFO = { name: 'agent', version: '1.0.0' };
const URL_OF_GATEWAY = 'http://gateway.example/shop/mcp';

/** Makes an agent. */
export function createAgent(setting: Setting, reach: Reach, parts: Parts): Agent {
  const { client, trusted } = setting;
  const { network } = reach;
  if (client === 'policies')
    return createBareAgent(setting, network === undefined ? askProcess(reach.host!) : askOver(network));
  const fetch = network && asFetch(network);
  const { attemptTimeoutMs, hedgeAfterMs } = setting;
  const options = { trustDeclarations: trusted, attemptTimeoutMs, hedgeAfterMs, ...parts.client };
  if (client === 'ours over v1') {
    const transport = () =>
      fetch === undefined ? pipeTo(reach, parts) : httpTransportV1(URL_OF_GATEWAY, { fetch });
    const made = resilientV1(new ClientV1(INFO), { ...options, transport: transport as never });
    return ours(made as unknown as Resilient);
  }
  if (client === 'ours over v2') {
    const transport = () =>
      fetch === undefined ? pipeTo(reach, parts) : httpTransport(URL_OF_GATEWAY, { fetch });
    return ours(
      resilient(new ClientV2(INFO), {
        ...options,
        transport: transport as never,
      }) as unknown as Resilient,
    );
  }
  return official(reach, fetch, parts);
}

interface Resilient {
  connect(): Promise<void>;
  listTools(): Promise<unknown>;
  call(
    params: object,
    extras: object,
  ): Promise<
    | { readonly ok: true; readonly result: unknown }
    | { readonly ok: false; readonly fault: { readonly executed: string }; readonly text: string }
  >;
}

function ours(client: Resilient): Agent {
  return {
    connect: () => client.connect().then(() => client.listTools()),
    async call({ tool, key, deadlineMs }, order, signal) {
      const idempotencyKey = key === undefined ? undefined : `key-${key}`;
      const outcome = await client.call(
        { name: tool, arguments: { order } },
        { signal, deadlineMs, idempotencyKey },
      );
      if (outcome.ok) return { ok: true, text: JSON.stringify(outcome.result), executed: undefined };
      return { ok: false, text: outcome.text, executed: outcome.fault.executed };
    },
  };
}

/** The official client knows neither keys nor deadlines: whoever uses it can say both in `_meta`. */
function official(reach: Reach, fetch: ReturnType<typeof asFetch> | undefined, parts: Parts): Agent {
  const client = new ClientV2(INFO);
  const transport =
    fetch === undefined
      ? pipeTo(reach, parts)
      : new StreamableHTTPClientTransport(new URL(URL_OF_GATEWAY), { fetch });
  return {
    connect: () => client.connect(transport as never).then(() => client.listTools()),
    async call({ tool, key, deadlineMs }, order, signal) {
      const meta: { [name: string]: unknown } = {};
      if (key !== undefined) meta['dev.mayday/idempotency-key'] = `key-${key}`;
      if (deadlineMs !== undefined) meta['dev.mayday/deadline'] = Date.now() + deadlineMs;
      try {
        const result = await client.callTool({ name: tool, arguments: { order }, _meta: meta }, {
          timeout: 60_000,
          signal,
        } as never);
        const said = result as { isError?: boolean; _meta?: { [name: string]: { executed?: string } } };
        const executed = said._meta?.['dev.mayday/fault']?.executed;
        return { ok: said.isError !== true, text: JSON.stringify(result.content), executed };
      } catch (error) {
        const { message, data } = error as { message: string; data?: { executed?: string } };
        return { ok: false, text: message, executed: data?.executed };
      }
    },
  };
}

/** A transport to a process, as the SDKs' own over standard input and output. */
function pipeTo({ host }: Reach, { toClient }: Parts): object {
  const transport = {
    onmessage: undefined as ((message: unknown) => void) | undefined,
    onclose: undefined as (() => void) | undefined,
    onerror: undefined as ((error: unknown) => void) | undefined,
    async start() {
      const process = host!.start({
        onLine(line) {
          try {
            const message = JSON.parse(line) as Message;
            transport.onmessage?.(toClient?.(message) ?? message);
          } catch (error) {
            transport.onerror?.(error);
          }
        },
        onExit: () => transport.onclose?.(),
      });
      transport.process = process;
    },
    async send(message: unknown) {
      if (transport.process?.isAlive !== true) throw new Error('Not connected');
      transport.process.write(JSON.stringify(message));
    },
    async close() {
      transport.process?.kill();
      transport.onclose?.();
    },
    process: undefined as ReturnType<Host['start']> | undefined,
  };
  return transport;
}

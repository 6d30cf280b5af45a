/** Ways to call the same tools. Each gets the same clients, attempt timeout and deadline. */
import { createUpstream, httpTransport, resilient, type UpstreamOptions } from '@mayday/client';
import { Client } from '@modelcontextprotocol/client';
import { AGENTS, ATTEMPT_MS, DEADLINE_MS, type PlannedCall } from './day.ts';
import { KEYED_PEERS, PEERS } from './peers.ts';

/** Makes one call; rejects when it failed for good. */
export type MakeCall = (call: PlannedCall) => Promise<void>;

/** The part of `fetch` that transports use. */
export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

export interface Strategy {
  readonly name: string;
  /** As it is explained below the table. */
  readonly settings: string;
  prepare(url: string, fetch?: Fetch): Promise<{ call: MakeCall; close(): Promise<void> }>;
}

const INFO = { name: 'agent', version: '1.0.0' };

function mayday(
  name: string,
  settings: string,
  more: { attempts?: number; upstream?: UpstreamOptions } = {},
): Strategy {
  return {
    name,
    settings,
    async prepare(url, fetch) {
      const upstream = createUpstream({ name: 'shop', ...more.upstream });
      const clients = Array.from({ length: AGENTS }, () =>
        resilient(new Client(INFO), {
          upstream,
          transport: () => httpTransport(url, fetch === undefined ? {} : { fetch }),
          attempts: more.attempts,
          attemptTimeoutMs: ATTEMPT_MS,
          deadlineMs: DEADLINE_MS,
          failures: 'throw',
        }),
      );
      await Promise.all(clients.map((client) => client.connect()));
      await Promise.all(clients.map((client) => client.listTools()));
      return {
        async call({ agent, tool, id }) {
          await clients[agent]!.callTool({ name: tool, arguments: { call: id } });
        },
        close: async () => {
          await Promise.all(clients.map((client) => client.close()));
        },
      };
    },
  };
}

const defaults = mayday('Mayday, defaults', '`resilient(client)` with one upstream for all agents');
const tuned = mayday(
  'Mayday, tuned',
  'the same, patient to the deadline, with circuits for tools that open after three failures in a row',
  { upstream: { patienceMs: DEADLINE_MS, targetBreaker: { consecutive: 3 } } },
);

/** A server that knows nothing of keys, as most do. */
export const STRATEGIES: readonly Strategy[] = [...PEERS, defaults, tuned];

/** A server that recognises an order by its idempotency key, and declares it. Ours makes the keys by itself. */
export const KEYED_STRATEGIES: readonly Strategy[] = [...KEYED_PEERS, defaults];

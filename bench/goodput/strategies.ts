/** Five ways to call the same tools. Each gets the same clients, attempt timeout and deadline. */
import { setMaxListeners } from 'node:events';
import { createUpstream, httpTransport, resilient } from '@mayday/client';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { ConsecutiveBreaker, circuitBreaker, ExponentialBackoff, handleAll, retry, wrap } from 'cockatiel';
import pRetry from 'p-retry';
import { AGENTS, ATTEMPT_MS, DEADLINE_MS, draw, type PlannedCall } from './day.ts';

/** Makes one call; rejects when it failed for good. */
export type MakeCall = (call: PlannedCall) => Promise<void>;

export interface Strategy {
  readonly name: string;
  /** As it is explained below the table. */
  readonly settings: string;
  prepare(url: string, seed: number): Promise<{ call: MakeCall; close(): Promise<void> }>;
}

const INFO = { name: 'agent', version: '1.0.0' };

async function plainClients(url: string): Promise<readonly Client[]> {
  const clients = Array.from({ length: AGENTS }, () => new Client(INFO));
  await Promise.all(clients.map((client) => client.connect(new StreamableHTTPClientTransport(new URL(url)))));
  return clients;
}

/** A strategy around the SDK's own client. */
function around(
  name: string,
  settings: string,
  policy: () => (once: () => Promise<void>, signal: AbortSignal) => Promise<void>,
): Strategy {
  return {
    name,
    settings,
    async prepare(url) {
      const clients = await plainClients(url);
      const apply = policy();
      return {
        async call({ agent, tool, id }) {
          const signal = AbortSignal.timeout(DEADLINE_MS);
          setMaxListeners(0, signal);
          await apply(async () => {
            const params = { name: tool, arguments: { call: id } };
            const result = await clients[agent]!.callTool(params, { timeout: ATTEMPT_MS, signal });
            if (result.isError === true) throw new Error('the tool failed');
          }, signal);
        },
        close: async () => {
          await Promise.all(clients.map((client) => client.close()));
        },
      };
    },
  };
}

async function threeMore(once: () => Promise<void>): Promise<void> {
  for (let left = 3; ; left -= 1) {
    try {
      return await once();
    } catch (error) {
      if (left === 0) throw error;
    }
  }
}

const mayday: Strategy = {
  name: 'Mayday',
  settings:
    'resilient(client, { attempts: 8 }) with one upstream for all agents, patient to the deadline; otherwise the defaults',
  async prepare(url, seed) {
    let drawn = 0;
    const random = (): number => {
      drawn += 1;
      return draw(seed, drawn, 99);
    };
    const upstream = createUpstream({ name: 'shop', random, patienceMs: DEADLINE_MS });
    const clients = Array.from({ length: AGENTS }, () =>
      resilient(new Client(INFO), {
        upstream,
        transport: () => httpTransport(url),
        attempts: 8,
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

export const STRATEGIES: readonly Strategy[] = [
  around('no retry', 'the SDK alone', () => (once) => once()),
  around('naive ×3', 'up to three more attempts, at once', () => threeMore),
  around(
    'p-retry',
    'defaults: ten retries, 1 s doubling; stops at the deadline',
    () => (once, signal) => pRetry(once, { signal }),
  ),
  around(
    'cockatiel',
    'retry ×3 with exponential backoff around a breaker (5 in a row, 10 s), one for all agents',
    () => {
      const policy = wrap(
        retry(handleAll, { maxAttempts: 3, backoff: new ExponentialBackoff() }),
        circuitBreaker(handleAll, { halfOpenAfter: 10_000, breaker: new ConsecutiveBreaker(5) }),
      );
      return (once, signal) => policy.execute(once, signal);
    },
  ),
  mayday,
];

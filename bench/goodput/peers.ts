/** Others' libraries around the SDK's own client, set up as somebody would who knows both. */
import { setMaxListeners } from 'node:events';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import {
  circuitBreaker,
  ExponentialBackoff,
  handleWhen,
  isBrokenCircuitError,
  retry,
  SamplingBreaker,
  wrap,
} from 'cockatiel';
import pRetry from 'p-retry';
import { AGENTS, ATTEMPT_MS, DEADLINE_MS, type PlannedCall, toolOf } from './day.ts';
import type { Fetch, Strategy } from './strategies.ts';

const INFO = { name: 'agent', version: '1.0.0' };

async function plainClients(url: string, fetch: Fetch | undefined): Promise<readonly Client[]> {
  const clients = Array.from({ length: AGENTS }, () => new Client(INFO));
  const options = fetch === undefined ? {} : { fetch };
  await Promise.all(
    clients.map((client) => client.connect(new StreamableHTTPClientTransport(new URL(url), options))),
  );
  return clients;
}

/** One try at a call, and everything that a policy may want to know about it. */
interface Try {
  readonly once: () => Promise<void>;
  readonly signal: AbortSignal;
  readonly tool: string;
  /** May it be tried again after this? */
  mayRepeat(error: unknown): boolean;
}

type Apply = (one: Try) => Promise<void>;

/** A strategy around the SDK's own client. `keys`: orders carry an idempotency key, and are repeated freely. */
function around(
  name: string,
  settings: string,
  policy: () => Apply,
  { keys = false, isRefused = isRefusal }: { keys?: boolean; isRefused?: (error: unknown) => boolean } = {},
): Strategy {
  return {
    name,
    settings,
    async prepare(url, fetch) {
      const clients = await plainClients(url, fetch);
      const apply = policy();
      return {
        async call({ agent, tool, id }: PlannedCall) {
          const signal = AbortSignal.timeout(DEADLINE_MS);
          setMaxListeners(0, signal);
          const key =
            keys && tool === 'create_order' ? { 'dev.mayday/idempotency-key': `order-${id}` } : undefined;
          const params = {
            name: tool,
            arguments: { call: id },
            ...(key === undefined ? {} : { _meta: key }),
          };
          await apply({
            signal,
            tool,
            mayRepeat: (error) => isSafe(tool) || key !== undefined || isRefused(error),
            async once() {
              const result = await clients[agent]!.callTool(params, { timeout: ATTEMPT_MS, signal });
              if (result.isError === true) throw new Error('the tool failed');
            },
          });
        },
        close: async () => {
          await Promise.all(clients.map((client) => client.close()));
        },
      };
    },
  };
}

function isSafe(tool: string): boolean {
  const { readOnlyHint, idempotentHint } = toolOf(tool).annotations;
  return readOnlyHint === true || idempotentHint === true;
}

/** What anybody would take for a refusal: 429, 503, and a connection that was not made. */
function isRefusal(error: unknown): boolean {
  const { status, cause } = error as { status?: number; cause?: { code?: string } };
  return status === 429 || status === 503 || cause?.code === 'ECONNREFUSED';
}

/** What certainly is one. */
function isProvenRefusal(error: unknown): boolean {
  return isRefusal(error) && (error as { status?: number }).status !== 503;
}

function isThrottle(error: unknown): boolean {
  return (error as { status?: number }).status === 429;
}

/** As its documentation has it, for every call and every failure. */
const pRetryDefaults: Strategy = around(
  'p-retry, defaults',
  'ten retries of everything, 1 s doubling; stops at the deadline',
  () =>
    ({ once, signal }) =>
      pRetry(once, { signal }),
);

const tunedPRetry = (): Apply => {
  return ({ once, signal, mayRepeat }) =>
    pRetry(once, {
      signal,
      retries: 50,
      minTimeout: 100,
      maxTimeout: 2000,
      randomize: true,
      shouldRetry: ({ error }) => mayRepeat(error),
    });
};

/** A breaker for each tool, over a sliding window; it does not count rate limits. */
const tunedCockatiel = (): Apply => {
  const breakers = new Map<string, ReturnType<typeof circuitBreaker>>();
  const breakerOf = (tool: string): ReturnType<typeof circuitBreaker> => {
    const known = breakers.get(tool);
    if (known !== undefined) return known;
    const made = circuitBreaker(
      handleWhen((error) => !isThrottle(error)),
      { halfOpenAfter: 500, breaker: new SamplingBreaker({ threshold: 0.5, duration: 3000, minimumRps: 3 }) },
    );
    breakers.set(tool, made);
    return made;
  };
  return async ({ once, signal, tool, mayRepeat }) => {
    const again = retry(
      handleWhen((error) => isBrokenCircuitError(error) || mayRepeat(error)),
      { maxAttempts: 7, backoff: new ExponentialBackoff({ initialDelay: 100, maxDelay: 4000 }) },
    );
    await wrap(again, breakerOf(tool)).execute(once, signal);
  };
};

const P_RETRY = 'as many retries as fit, 100 ms doubling to 2 s, jitter';
const COCKATIEL =
  'a sampling breaker for each tool (half of 3 s, probes after 0.5 s, rate limits not counted), seven retries, 100 ms doubling to 4 s';
const REFUSED = 'writes only after 429, 503 or ECONNREFUSED';

/** Peers without the server's help. */
export const PEERS: readonly Strategy[] = [
  around(
    'no retry',
    'the SDK alone',
    () =>
      ({ once }) =>
        once(),
  ),
  pRetryDefaults,
  around('p-retry, careful', `${P_RETRY}; writes only after 429 or ECONNREFUSED`, tunedPRetry, {
    isRefused: isProvenRefusal,
  }),
  around('p-retry, tuned', `${P_RETRY}; ${REFUSED}`, tunedPRetry),
  around('cockatiel, tuned', `${COCKATIEL}; ${REFUSED}`, tunedCockatiel),
];

/** Peers whose user passes a key with every order. */
export const KEYED_PEERS: readonly Strategy[] = [
  around(
    'p-retry, tuned',
    `${P_RETRY}; a key with each order, so that it is repeated like a read`,
    tunedPRetry,
    { keys: true },
  ),
  around('cockatiel, tuned', `${COCKATIEL}; a key with each order`, tunedCockatiel, { keys: true }),
];

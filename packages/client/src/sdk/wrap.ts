/**
 * The wrapper: every request of an SDK client goes through one place, reads to a result or a fault, and is
 * tried again only where that can do no harm. It overrides public methods on the instance, so everything
 * that is built on them (`callTool`, `listTools`, `readResource`, …) is covered.
 */
import { FaultError, readCallMeta, writeCallMeta } from '@mayday/core';
import {
  type Attempt,
  DEADLINE_MS,
  joinListeners,
  type Listener,
  type RunOptions,
  run,
  type Settled,
  type Upstream,
} from '@mayday/policy';
import { isObject } from '../http/reply.ts';
import { createAnnotationBook } from './annotations.ts';
import { type CallExtras, callInfo, INSIDE, insideOf, sdkOptionsFor } from './call.ts';
import { type Connection, manageConnection } from './connection.ts';
import { checkOptions, type ResilientOptions, upstreamOf } from './options.ts';
import { faultInResult, faultInSdkError, isAnswer } from './read-failure.ts';
import { settleToolCall } from './settle.ts';
import type { Flavour, SdkClient, SdkOptions, SdkRequest } from './types.ts';

type Call = (...args: unknown[]) => Promise<unknown>;

/** What wrapping adds to a client. */
export interface Wrapped {
  /** The shared state: budget, circuits, places. */
  readonly upstream: Upstream;
  /** Calls a tool and returns what became of it, whatever that is; never throws. */
  callSettled(params: SdkRequest['params'], extras: CallExtras): Promise<Settled<unknown>>;
}

const wrapped = new WeakSet<object>();

/** Handshakes decide what the connection is; they are repeated by whoever connects, not here. */
const HANDSHAKE: readonly string[] = ['initialize', 'server/discover'];

/** Wraps a client of either SDK, in place. */
export function wrapClient<Transport>(
  client: SdkClient,
  flavour: Flavour,
  options: ResilientOptions<Transport>,
): Wrapped {
  checkOptions(options);
  if (wrapped.has(client))
    throw new TypeError('Expected a client that is not resilient yet; this one already is');
  wrapped.add(client);
  const upstream = upstreamOf(options);
  const book = createAnnotationBook();
  const originals = {
    request: client.request.bind(client) as Call,
    callTool: client.callTool.bind(client) as Call,
    connect: client.connect.bind(client) as Call,
    close: client.close.bind(client),
  };
  const connection: Connection = manageConnection(client, originals, options.transport);
  const listeners = joinListeners([options.onEvent, options.telemetry?.listen]);
  let connectedAt: number | undefined;
  let unsubscribe: (() => void) | undefined;
  // Circuits belong to the upstream, not to a call of this client.
  const onCircuit: Listener = (event) => {
    if (event.type === 'circuit') listeners(event);
  };

  async function settled(args: readonly unknown[]): Promise<Settled<unknown>> {
    const request = args[0] as SdkRequest;
    const at = flavour.optionsAt(args);
    const given = (args[at] ?? {}) as SdkOptions;
    const { extras } = insideOf(given);
    const call = {
      ...callInfo(request, book, options, extras),
      signal: given.signal,
      above: readCallMeta(request.params?.['_meta']),
    };
    const telemetry = options.telemetry?.start(call);
    const listening: Upstream = {
      ...upstream,
      emit: joinListeners([upstream.emit, listeners, telemetry?.listen]),
    };
    let sessionId: string | undefined;

    const send = async (attempt: Attempt): Promise<unknown> => {
      // Connecting takes its own time, and until it is done nothing has been sent.
      await attempt.prepare(connection.ready());
      sessionId = connection.sessionId;
      const sent = [...args];
      sent[0] = withMeta(
        request,
        { ...telemetry?.meta(), ...keyMeta(extras) },
        options.tellServer === false ? undefined : attempt,
      );
      sent[at] = sdkOptionsFor(given, attempt);
      return originals.request(...sent);
    };
    const runOptions: RunOptions<unknown> = {
      ...options,
      ...extras,
      ...timesFor(request, given, options, extras),
      faultIn:
        request.method === 'tools/call' ? (value) => faultInResult(value, upstream.clock.now()) : undefined,
      faultInThrown: (thrown, now) => faultInSdkError(thrown, now, sessionId !== undefined),
      isAnswer,
      recover: (fault) => connection.recover(fault, sessionId),
    };
    const done = await run(listening, call, send, runOptions);
    if (done.outcome.ok) book.learn(request.method, done.outcome.value);
    return done;
  }

  const request: Call = async (...args) => {
    const { method } = args[0] as SdkRequest;
    if (HANDSHAKE.includes(method)) {
      if (method === 'initialize') connection.handshake(args);
      return originals.request(...args);
    }
    const inside = insideOf(args[flavour.optionsAt(args)]);
    const done = await settled(args);
    inside.settled = done;
    const { outcome } = done;
    if (outcome.ok) return outcome.value;
    // `callTool` of v2 mends a missing header itself, but only if it recognises the SDK's own error.
    if (inside.tool && isHeaderMismatch(outcome.thrown)) throw outcome.thrown;
    if (inside.tool && outcome.value !== undefined) return outcome.value;
    throw new FaultError(outcome.fault, { cause: outcome.thrown });
  };

  const callTool: Call = (...args) =>
    settleToolCall(originals.callTool, args, flavour, options.failures ?? 'sdk');

  const connect = async (...args: unknown[]): Promise<void> => {
    const mayRepeat = args[0] === undefined && options.transport !== undefined;
    const { outcome } = await run(upstream, { method: 'initialize' }, () => connection.connect(args), {
      ...options,
      attempts: mayRepeat ? options.attempts : 1,
      attemptTimeoutMs: undefined,
      hedgeAfterMs: undefined,
      faultInThrown: (thrown, now) => faultInSdkError(thrown, now, false),
    });
    if (outcome.ok) {
      connectedAt = upstream.clock.now();
      unsubscribe ??= upstream.subscribe(onCircuit);
      return;
    }
    if (outcome.thrown instanceof TypeError && /^Expected /.test(outcome.thrown.message))
      throw outcome.thrown;
    throw new FaultError(outcome.fault, { cause: outcome.thrown });
  };

  const close = async (): Promise<void> => {
    if (!(await connection.close())) return;
    unsubscribe?.();
    unsubscribe = undefined;
    if (connectedAt === undefined) return;
    listeners({ type: 'session', upstream: upstream.name, elapsedMs: upstream.clock.now() - connectedAt });
    connectedAt = undefined;
  };

  Object.assign(client, { request, callTool, connect, close });
  return {
    upstream,
    async callSettled(params, extras) {
      const inside = { [INSIDE]: { tool: true, extras } };
      const args: unknown[] = [params];
      args[flavour.callOptionsAt] = { ...inside, signal: extras.signal };
      return settleToolCall(originals.callTool, args, flavour, 'settled') as Promise<Settled<unknown>>;
    },
  };
}

/** The times of a call: its own, then the tool's, then the client's. */
function timesFor<Transport>(
  request: SdkRequest,
  given: SdkOptions,
  options: ResilientOptions<Transport>,
  extras: CallExtras,
): Pick<RunOptions<unknown>, 'deadlineMs' | 'attemptTimeoutMs'> {
  const name = request.method === 'tools/call' ? String(request.params?.['name']) : '';
  const tool =
    options.tools !== undefined && Object.hasOwn(options.tools, name) ? options.tools[name] : undefined;
  const deadlineMs = extras.deadlineMs ?? given.maxTotalTimeout ?? tool?.deadlineMs ?? options.deadlineMs;
  return {
    // Whoever gives one attempt two minutes does not want the call to end after one.
    deadlineMs:
      deadlineMs ?? (given.timeout === undefined ? undefined : Math.max(DEADLINE_MS, given.timeout)),
    attemptTimeoutMs:
      extras.attemptTimeoutMs ?? given.timeout ?? tool?.attemptTimeoutMs ?? options.attemptTimeoutMs,
  };
}

function withMeta(
  request: SdkRequest,
  trace: { [key: string]: string },
  attempt: Attempt | undefined,
): SdkRequest {
  const params = request.params ?? {};
  const given = isObject(params['_meta']) ? params['_meta'] : {};
  const meta = writeCallMeta({ ...trace, ...given }, attempt?.meta ?? {});
  return Object.keys(meta).length === 0 ? request : { ...request, params: { ...params, _meta: meta } };
}

function keyMeta({ idempotencyKey }: CallExtras): { [key: string]: string } {
  return idempotencyKey === undefined ? {} : { 'dev.mayday/idempotency-key': idempotencyKey };
}

function isHeaderMismatch(thrown: unknown): boolean {
  return isObject(thrown) && thrown['code'] === -32020;
}

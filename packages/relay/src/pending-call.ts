/** One call through a link: attempts, related messages, and the one answer. */
import type { FaultInit } from '@mayday/core';
import type { SessionStream } from './event-store.ts';
import { toEvent } from './framing/events.ts';
import { decode } from './framing/json.ts';
import { hasFailed, mayHaveFailed } from './framing/may-have-failed.ts';
import type { Call, Decision, Failure, Guard } from './guard.ts';
import type { Cancel, Link, Outgoing } from './links/link.ts';
import type { Reply, ReplyHeaders } from './reply.ts';
import type { Session } from './session.ts';

/** What a call needs. */
export interface PendingCallOptions {
  readonly call: Call;
  readonly link: Link;
  readonly reply: Reply;
  readonly guard: Guard;
  readonly timeoutMs: number;
  readonly session?: Session;
  /** Headers of the answer. */
  readonly headers?: ReplyHeaders;
  /** Called once, with whether it succeeded. */
  readonly onDone?: (succeeded: boolean) => void;
}

/** Makes the call, again where the guard says so, and answers once. */
export function runCall(options: PendingCallOptions): void {
  const { call, link, reply, guard, session } = options;
  const message: Outgoing = { body: call.body, peek: call.peek, revision: call.era, headers: passedOn(call) };
  let cancel: Cancel = () => {};
  let again: NodeJS.Timeout | undefined;
  let stream: SessionStream | undefined;
  let done = false;

  const deadline = setTimeout(() => {
    cancel('the time limit was reached');
    conclude({ type: 'fault', fault: timeoutFault(options.timeoutMs) });
  }, options.timeoutMs);
  deadline.unref();

  function attempt(): void {
    let settled = false;
    const once = (then: () => void): void => {
      if (settled || done) return;
      settled = true;
      then();
    };
    cancel = link.request(message, {
      answered: (bytes) => once(() => receive(bytes)),
      related: (bytes) => {
        deadline.refresh();
        relate(bytes);
      },
      lost: (fault, original) =>
        once(() => conclude({ type: 'fault', fault, ...(original === undefined ? {} : { original }) })),
    });
  }

  function receive(bytes: Buffer): void {
    if (mayHaveFailed(bytes)) {
      const parsed = decode(bytes);
      if (hasFailed(parsed)) {
        conclude({ type: 'message', message: parsed, bytes });
        return;
      }
    }
    guard.succeeded(call, bytes);
    finish(bytes, 200, undefined, true);
  }

  function conclude(failure: Failure): void {
    const decision = guard.failed(call, failure);
    if ('retryAfterMs' in decision && !reply.isStream) {
      call.attempt++;
      again = setTimeout(attempt, decision.retryAfterMs);
      return;
    }
    const sent = 'send' in decision ? decision : forced(guard, call, failure);
    finish(sent.send, sent.status, sent.headers, false);
  }

  function relate(bytes: Buffer): void {
    if (done) return;
    if (session !== undefined) {
      stream ??= reply.isOpen ? session.stream(reply) : undefined;
      stream?.send(bytes);
      return;
    }
    reply.stream(options.headers);
    reply.event(toEvent(bytes));
  }

  function finish(
    bytes: Buffer,
    status: number,
    headers: ReplyHeaders | undefined,
    succeeded: boolean,
  ): void {
    if (done) return;
    stop();
    options.onDone?.(succeeded);
    if (stream !== undefined && session !== undefined) {
      stream.send(bytes);
      session.finish(stream);
    } else if (reply.isStream) {
      reply.event(toEvent(bytes));
      reply.end();
    } else reply.json(status, bytes, { ...options.headers, ...headers });
  }

  function stop(): void {
    done = true;
    clearTimeout(deadline);
    clearTimeout(again);
  }

  reply.onGone(() => {
    if (done || stream !== undefined) return; // the answer waits in the session's stream
    stop();
    // In the 2025 era a lost connection cancels nothing; without a session it is all that can be heard of a caller.
    if (session === undefined) cancel('the caller went away');
    guard.dropped(call);
    options.onDone?.(false);
  });

  const refusal = guard.admit(call);
  if (refusal === undefined) attempt();
  else conclude({ type: 'fault', fault: refusal });
}

/** Once part of an answer is out, or when the last attempt is over, a retry is no option. */
function forced(guard: Guard, call: Call, failure: Failure): Exclude<Decision, { retryAfterMs: number }> {
  call.isLast = true;
  const decision = guard.failed(call, failure);
  return 'send' in decision ? decision : { send: Buffer.from('{}'), status: 500 };
}

function timeoutFault(ms: number): FaultInit {
  return {
    kind: 'timeout',
    origin: 'gateway',
    message: `The server did not answer within ${Math.round(ms / 100) / 10} s`,
  };
}

const PASSED_ON: readonly string[] = ['authorization', 'mcp-method', 'mcp-name', 'traceparent', 'tracestate'];

function passedOn(call: Call): { [name: string]: string } {
  const headers: { [name: string]: string } = {};
  for (const name of PASSED_ON) {
    const value = call.headers[name];
    if (typeof value === 'string') headers[name] = value;
  }
  for (const name in call.headers) {
    const value = call.headers[name];
    if (name.startsWith('mcp-param-') && typeof value === 'string') headers[name] = value;
  }
  return headers;
}

/** Stands in front of one upstream: reads its failures, retries what is safe, and says the rest anew. */
import { randomUUID } from 'node:crypto';
import {
  type DialectId,
  type Fault,
  type FaultInit,
  type PlanOptions,
  plan,
  readCallMeta,
  redactFault,
} from '@mayday/core';
import {
  type Breaker,
  type Budget,
  createBreaker,
  createBudget,
  type Permit,
  type Verdict,
} from '@mayday/policy';
import { type Call, type Decision, type Failure, type Guard, metaOf, paramsOf, parse } from '@mayday/relay';
import { answer, MODERN_STATUS } from './answer.ts';
import { DIALECT_HEADER, isDialectId } from './dialects.ts';
import type { FaultLog } from './fault-log.ts';
import { type Interpreted, interpret } from './interpret.ts';
import { createToolHints, type ToolHints } from './tool-hints.ts';

/** How an upstream's failures are dealt with. */
export interface UpstreamGuardOptions {
  readonly name: string;
  /** The dialect it speaks; found out if absent. */
  readonly from?: DialectId | undefined;
  /** The dialect of callers who ask for none. */
  readonly dialect: DialectId;
  readonly retry?:
    | (PlanOptions & { readonly repeatable?: readonly string[]; readonly trustAnnotations?: boolean })
    | undefined;
  readonly breaker?: { readonly consecutive?: number; readonly openMs?: number } | false | undefined;
  readonly log: FaultLog;
  /** The dialect of a caller's key. */
  readonly dialectOf?: ((call: Call) => DialectId | undefined) | undefined;
  readonly onFault?: ((fault: Fault, upstream: string, method: string) => void) | undefined;
  readonly now?: () => number;
  readonly random?: () => number;
}

/** A guard, and what it has learned. */
export interface UpstreamGuard extends Guard {
  readonly hints: ToolHints;
  readonly state: Breaker['state'];
}

/** Without a failure for this long, successes are not counted: there is nothing to weigh them against. */
const QUIET_MS = 10_000;

/** Kinds that tell of an upstream in trouble, when the answer did not come from the upstream itself. */
const TROUBLE: ReadonlySet<string> = new Set([
  'overloaded',
  'timeout',
  'disconnected',
  'unavailable',
  'upstream_failed',
]);

/** Creates the guard of one upstream. */
export function createUpstreamGuard(options: UpstreamGuardOptions): UpstreamGuard {
  const now = options.now ?? Date.now;
  const random = options.random ?? Math.random;
  const breaker = options.breaker === false ? undefined : createBreaker(options.breaker ?? {});
  const budget: Budget = createBudget();
  const hints = createToolHints();
  const probes = new Map<Call, Permit>();
  let lastFailureAt = Number.NEGATIVE_INFINITY;

  function admit(call: Call): FaultInit | undefined {
    budget.deposit();
    if (breaker === undefined || breaker.state === 'closed') return undefined;
    const permit = breaker.admit();
    if (!permit.admitted) {
      return {
        kind: 'unavailable',
        origin: 'gateway',
        executed: 'no',
        subject: { type: 'upstream', id: options.name },
        message: `Calls to ${options.name} are held back because it keeps failing`,
        retry: { afterMs: permit.afterMs },
      };
    }
    probes.set(call, permit);
    return undefined;
  }

  function settle(call: Call, verdict: Verdict): void {
    const probe = probes.get(call);
    if (probe !== undefined) {
      probes.delete(call);
      probe.settle(verdict);
      return;
    }
    if (verdict === 'failure') lastFailureAt = now();
    else if (now() - lastFailureAt > QUIET_MS) return;
    if (breaker?.state !== 'closed') return;
    const permit = breaker.admit();
    if (permit.admitted) permit.settle(verdict);
  }

  function failed(call: Call, failure: Failure): Decision {
    const heard = interpret(call, failure, options.from);
    if (heard.verbatim && failure.type !== 'fault') {
      settle(call, 'success');
      return passOn(call, failure);
    }
    // Turned away by `admit`: nothing was asked, so nothing is learned and nothing is repeated.
    if (failure.type === 'fault' && failure.fault.subject?.type === 'upstream')
      return sayAnew(call, failure, heard);
    settle(call, verdictOf(heard, failure));
    const wait = retryAfter(call, heard);
    if (wait !== undefined) return { retryAfterMs: wait };
    return sayAnew(call, failure, heard);
  }

  function retryAfter(call: Call, heard: Interpreted): number | undefined {
    if (call.isLast === true || !heard.fault.retryable || call.peek.kind !== 'request') return undefined;
    const message = parse(call.body);
    const above = readCallMeta(metaOf(message));
    const { retry } = options;
    const method = call.peek.method;
    const tool = method === 'tools/call' ? nameIn(message) : undefined;
    const known = tool === undefined || retry?.trustAnnotations === false ? {} : hints.of(tool);
    const repeatable = tool !== undefined && retry?.repeatable?.includes(tool) === true ? true : undefined;
    const decided = plan(
      heard.fault,
      { method, ...known, repeatable },
      {
        attempt: call.attempt,
        attemptAbove: above.attempt,
        remainingMs: above.deadline === undefined ? undefined : above.deadline - now(),
      },
      { maxWaitMs: 2000, random, ...retry },
    );
    return decided.retry && budget.withdraw() ? decided.afterMs : undefined;
  }

  function nameIn(message: unknown): string | undefined {
    const name = paramsOf(message)?.['name'];
    if (typeof name !== 'string') return undefined;
    // The joined endpoint calls it `files_read`; its own list and the configuration say `read`.
    return name.replace(new RegExp(`^${options.name}(?:__?|[-./])`), '');
  }

  function sayAnew(call: Call, failure: Failure, heard: Interpreted): Decision {
    const redacted = redactFault(heard.fault);
    const correlationId = redacted.correlationId ?? randomUUID();
    const fault: Fault = { ...redacted, correlationId };
    const to = dialectFor(call);
    options.log.add({
      at: now(),
      upstream: options.name,
      method: call.peek.method,
      fault,
      from: heard.from,
      to,
      certainty: heard.certainty,
      attempts: call.attempt,
      durationMs: now() - call.startedAt,
      original: originalOf(failure),
    });
    options.onFault?.(fault, options.name, call.peek.method);
    const placement = heard.placement === 'protocol' ? 'protocol' : 'tool';
    return answer(call, failure, fault, to, placement);
  }

  function dialectFor(call: Call): DialectId {
    const asked = call.headers[DIALECT_HEADER];
    if (typeof asked === 'string' && isDialectId(asked)) return asked;
    return options.dialectOf?.(call) ?? options.dialect;
  }

  return {
    hints,
    get state() {
      return breaker?.state ?? 'closed';
    },
    admit,
    failed,
    succeeded: (call, bytes) => {
      settle(call, 'success');
      if (call.peek.method === 'tools/list' && bytes !== undefined) hints.learn(parse(bytes));
    },
    dropped: (call) => settle(call, 'none'),
  };
}

/** An answer shows that the upstream lives, even a failing one; only silence and broken pipes speak against it. */
function verdictOf(heard: Interpreted, failure: Failure): Verdict {
  if (failure.type === 'message') return 'success';
  if (heard.fault.kind === 'cancelled') return 'none';
  return TROUBLE.has(heard.fault.kind) ? 'failure' : 'neutral';
}

function passOn(call: Call, failure: Exclude<Failure, { type: 'fault' }>): Decision {
  if (failure.type === 'http') return { send: failure.body, status: failure.status };
  const code = (failure.message as { error?: { code?: number } }).error?.code ?? 0;
  const byRevision = call.era === '2026-07-28' ? MODERN_STATUS[code] : undefined;
  return { send: failure.bytes, status: failure.status ?? byRevision ?? 200 };
}

function originalOf(failure: Failure): Buffer | undefined {
  if (failure.type === 'message') return failure.bytes;
  return failure.type === 'http' ? failure.body : failure.original;
}

/** The policies around a tool that some other framework calls. */
import { type Fault, FaultError, forModel, type PlanOptions } from '@mayday/core';
import {
  type Attempt,
  createUpstream,
  type FaultEvent,
  faultInThrown,
  run,
  type Settled,
  type Upstream,
  type UpstreamOptions,
} from '@mayday/policy';
import type { CallFacts } from '../sdk/call.ts';
import type { ToolPolicy } from '../sdk/options.ts';
import { faultInSdkError, isAnswer } from '../sdk/read-failure.ts';

/** How the tools of another framework are guarded. */
export interface AgentOptions extends Omit<PlanOptions, 'random'> {
  /** Shared by all calls to the same server. */
  readonly upstream?: Upstream | UpstreamOptions | undefined;
  /** By tool name. Unless a tool is said to be repeatable, only what was certainly not executed is repeated. */
  readonly tools?: { readonly [name: string]: ToolPolicy } | undefined;
  readonly deadlineMs?: number | undefined;
  readonly attemptTimeoutMs?: number | undefined;
  readonly onFault?: ((event: FaultEvent) => void) | undefined;
}

/** Calls a tool under the policies. */
export interface Guard {
  call<T>(
    name: string,
    send: (attempt: Attempt) => Promise<T>,
    faultIn: (value: T, now: number) => Fault | undefined,
    more?: { readonly signal?: AbortSignal | undefined; readonly call?: CallFacts },
  ): Promise<Settled<T>>;
}

/** Creates a guard with one upstream for all its tools. */
export function createGuard(options: AgentOptions): Guard {
  const { upstream: given, tools, ...rest } = options;
  const upstream = given !== undefined && 'emit' in given ? given : createUpstream(given);
  return {
    call(name, send, faultIn, more = {}) {
      const own = tools !== undefined && Object.hasOwn(tools, name) ? tools[name] : undefined;
      const { signal } = more;
      const call = { method: 'tools/call', target: name, ...more.call, repeatable: own?.repeatable, signal };
      return run(upstream, call, send, {
        ...rest,
        deadlineMs: own?.deadlineMs ?? rest.deadlineMs,
        attemptTimeoutMs: own?.attemptTimeoutMs ?? rest.attemptTimeoutMs,
        faultIn: (value) => faultIn(value, upstream.clock.now()),
        isAnswer,
        faultInThrown: (thrown, now) =>
          thrown instanceof FaultError ? faultInThrown(thrown, now) : faultInSdkError(thrown, now, false),
      });
    },
  };
}

/** The value, or a fault whose message is the text for the model: both frameworks show it to the model. */
export function valueOrThrow<T>({ outcome }: Settled<T>): T {
  if (outcome.ok) return outcome.value;
  const text = forModel(outcome.fault);
  throw new FaultError({ ...outcome.fault, message: text }, { cause: outcome.thrown });
}

/** The policies around a tool that some other framework calls. */
import { type Fault, FaultError, faultOf } from '@mayday/core';
import {
  type Attempt,
  type FaultEvent,
  type OptionNames,
  onlyKnown,
  run,
  type Settled,
  type Upstream,
  type UpstreamOptions,
  upstreamOf,
} from '@mayday/policy';
import { refusalInResult } from '../http/reply.ts';
import type { ToolFacts } from '../sdk/annotations.ts';
import { cautiously } from '../sdk/caution.ts';
import { checkPatience, PATIENCE, type Patience, type ToolPolicy, toolPolicyOf } from '../sdk/options.ts';
import { faultInSdkError, isAnswer, type ReadingFrom, refusalBehind } from '../sdk/read-failure.ts';
import { type Relied, takenBack } from '../sdk/taken-back.ts';
import { textFor } from '../sdk/text.ts';
import { unsendableArguments } from '../sdk/unsendable.ts';

/** How the tools of another framework are guarded. */
export interface AgentOptions extends Patience {
  /** Shared by all calls to the same server. */
  readonly upstream?: Upstream | UpstreamOptions | undefined;
  /** By tool name. Unless a tool is said to be repeatable, only what was certainly not executed is repeated. */
  readonly tools?: { readonly [name: string]: ToolPolicy } | undefined;
  /** `false` does not believe what tools say about themselves. Default `true`. */
  readonly trustAnnotations?: boolean | undefined;
  /** `false` does not believe a server that declares that nothing was executed. Default `true`. */
  readonly trustDeclarations?: boolean | undefined;
  readonly deadlineMs?: number | undefined;
  readonly attemptTimeoutMs?: number | undefined;
  readonly onFault?: ((event: FaultEvent) => void) | undefined;
}

const KNOWN: OptionNames<AgentOptions> = {
  ...PATIENCE,
  upstream: true,
  tools: true,
  trustAnnotations: true,
  trustDeclarations: true,
  deadlineMs: true,
  attemptTimeoutMs: true,
  onFault: true,
};

/** One call of a tool, as a framework makes it. */
interface ToolCall<T> {
  readonly name: string;
  send(attempt: Attempt): Promise<T>;
  /** What is written into the request as its arguments. */
  readonly input: unknown;
  /** The fault in what the tool returned; `undefined` when it is a success. */
  faultIn(value: T, from: ReadingFrom): Fault | undefined;
  readonly facts?: ToolFacts | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * The tool is a function of the caller's own: whatever it throws or hands on, its work had begun. Otherwise it is a
   * request of an MCP client.
   */
  readonly isOwn: boolean;
  /** Its server lists it: so it did when the framework made a tool of it, if nothing is known since. */
  readonly isListed?: boolean | undefined;
  /** What the framework makes of the result of a call; where it is not known, one that comes late is not told. */
  readonly lateAs?: ((result: unknown) => T) | undefined;
  /** May the framework have sent the request more than once before it threw this? Then it tells of one of them only. */
  readonly wasRepeated?: ((thrown: unknown) => boolean) | undefined;
}

/** Calls tools under the policies. */
export interface Runner {
  run<T>(call: ToolCall<T>): Promise<Settled<T>>;
}

/** Creates a runner with one upstream for all its tools. */
export function createRunner(options: AgentOptions): Runner {
  onlyKnown('resilient tools', options, KNOWN);
  checkPatience(options);
  const { upstream: given, tools, trustAnnotations, trustDeclarations, ...rest } = options;
  const upstream = upstreamOf(given);
  return {
    async run({ name, send, input, faultIn, facts, signal, isOwn, isListed = !isOwn, lateAs, wasRepeated }) {
      const own = toolPolicyOf(tools, name);
      const { takesKey: _, ...said } = trustAnnotations === false ? {} : (facts ?? {});
      const { repeatable, once } = own ?? {};
      const call = { method: 'tools/call', target: name, ...said, repeatable, once, signal };
      const called = { type: 'tool', id: name, isListed };
      const relied: Relied = {};
      const sendOrTell: typeof send = async (attempt) => {
        const before = takenBack(relied);
        if (before === undefined) return send(attempt);
        if (before.late !== undefined && lateAs !== undefined) return lateAs(before.late.result);
        throw new FaultError(before.fault);
      };
      const done = await run(upstream, call, sendOrTell, {
        ...rest,
        deadlineMs: own?.deadlineMs ?? rest.deadlineMs,
        attemptTimeoutMs: own?.attemptTimeoutMs ?? rest.attemptTimeoutMs,
        faultIn: (value) => {
          const now = upstream.clock.now();
          const fault = faultIn(value, { now, trustDeclarations, began: isOwn || undefined, called });
          Object.assign(relied, { fault, refusal: isOwn ? undefined : refusalInResult(value) });
          return fault;
        },
        isAnswer,
        faultInThrown: (thrown, now) => {
          const unsendable = isOwn ? undefined : unsendableArguments(thrown, input);
          if (unsendable !== undefined) return unsendable;
          // An MCP client throws no faults: whoever did has read it in the answer to some other call.
          const began = isOwn || faultOf(thrown) !== undefined || wasRepeated?.(thrown) === true;
          const fault = faultInSdkError(thrown, { now, hadSession: true, began, trustDeclarations, called });
          Object.assign(relied, { fault, refusal: began ? undefined : refusalBehind(thrown) });
          return fault;
        },
      });
      return cautiously(done, call);
    },
  };
}

/** The value, or a fault whose error message is the text for the model: frameworks show that to the model. */
export function valueOrThrow<T>({ outcome }: Settled<T>): T {
  if (outcome.ok) return outcome.value;
  const error = new FaultError(outcome.fault, { cause: outcome.thrown });
  error.message = textFor(outcome.fault);
  throw error;
}

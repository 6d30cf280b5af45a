/** What is known about the tool that is called, as far as it decides whether the call may be repeated. */
import type { Fault } from '@mayday/core';
import { isRepeatable } from '@mayday/core/plan';
import { cautioned } from '@mayday/core/render';
import type { WireCall, WireOutcome, WirePolicy } from '@mayday/relay';
import type { CommonSettings } from '../settings/settings.ts';
import type { ToolHints } from './tool-hints.ts';

/** Adds the tool's own word, if it is trusted, and the operator's, which overrules it. */
export function annotate(hints: ToolHints, settings: CommonSettings['retry']): WirePolicy {
  const repeatable = new Map<string, boolean>([
    ...settings.repeatable.map((tool) => [tool, true] as const),
    ...settings.neverRepeat.map((tool) => [tool, false] as const),
  ]);
  return (next) => async (call) => {
    if (call.method !== 'tools/call' || call.target === undefined) return next(call);
    const known = settings.trustAnnotations ? hints.of(call.target) : undefined;
    const annotated = {
      ...call,
      readOnly: known?.readOnly,
      idempotent: known?.idempotent,
      destructive: known?.destructive,
      repeatable: repeatable.get(call.target),
      once: repeatable.get(call.target) === false ? true : call.once,
      // The key is honoured here; a server that knows nothing of keys would execute a second attempt.
      idempotencyKey: known?.takesKeys === true ? call.idempotencyKey : undefined,
    };
    const seen =
      known === undefined && settings.trustAnnotations ? asItIsLearned(annotated, hints) : annotated;
    return cautiously(seen, await next(seen));
  };
}

/** Of a tool that nobody has listed, the word is asked for when a call of it has failed: it counts from then on. */
function asItIsLearned(call: WireCall, hints: ToolHints): WireCall {
  const known = (): ReturnType<ToolHints['of']> => hints.of(call.target ?? '');
  return {
    ...call,
    get readOnly() {
      return known()?.readOnly;
    },
    get idempotent() {
      return known()?.idempotent;
    },
    get destructive() {
      return known()?.destructive;
    },
  };
}

/** By the fault without it. */
const withCaution = new WeakMap<Fault, Fault>();

/** Who is told to try again is told what that can do: a model knows nothing of what the gateway would not repeat. */
function cautiously(call: WireCall, outcome: WireOutcome): WireOutcome {
  if (outcome.ok || isRepeatable(call)) return outcome;
  let fault = withCaution.get(outcome.fault);
  if (fault === undefined) {
    fault = cautioned(outcome.fault);
    withCaution.set(outcome.fault, fault);
  }
  return { ...outcome, fault };
}

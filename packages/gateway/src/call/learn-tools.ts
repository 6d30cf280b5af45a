/** Remembers what an upstream says about its tools whenever it lists them. */
import { decode, splitEvents, type WirePolicy } from '@mayday/relay';
import type { ToolHints } from './tool-hints.ts';

/** Learns from the answers to `tools/list`. */
export function learnTools(hints: ToolHints): WirePolicy {
  return (next) => async (call) => {
    const { age } = hints;
    const outcome = await next(call);
    if (call.method !== 'tools/list' || !outcome.ok || outcome.value.type !== 'answer') return outcome;
    const { body, isStream } = outcome.value;
    for (const message of isStream ? splitEvents(body).map((event) => event.data) : [body]) {
      hints.learn(call, toolsIn(decode(message)), age);
    }
    return outcome;
  };
}

function toolsIn(message: unknown): unknown {
  const result = (message as { result?: { tools?: unknown } } | null | undefined)?.result;
  return result?.tools;
}

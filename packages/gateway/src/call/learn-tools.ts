/** Remembers what an upstream says about its tools whenever it lists them. */
import { setImmediate } from 'node:timers/promises';
import { passing } from '@mayday/policy';
import { decode, paramsOf, splitEvents, type WireCall, type WirePolicy } from '@mayday/relay';
import { toolsListedIn } from '../openapi/listed-tools.ts';
import type { ToolHints } from './tool-hints.ts';

const LARGE = 256 * 1024;

/** Learns from the answers to `tools/list`; `onWhole` is told the names of a list that is all in one answer. */
export function learnTools(hints: ToolHints, onWhole: (tools: readonly string[]) => void): WirePolicy {
  const learning: WirePolicy = (next) => async (call) => {
    const { age } = hints;
    const outcome = await next(call);
    if (!outcome.ok || outcome.value.type !== 'answer') return outcome;
    const { body, isStream } = outcome.value;
    const isMore = asksForMore(call);
    const known = toolsListedIn(body);
    // It was looked through for failures just now: whoever else waits comes first.
    if (known === undefined && body.length >= LARGE) await setImmediate();
    for (const message of isStream ? splitEvents(body).map((event) => event.data) : [body]) {
      const result: ListResult | undefined =
        known === undefined ? resultIn(decode(message)) : { tools: known };
      hints.learn(call, result?.tools, age, isMore);
      if (Array.isArray(result?.tools) && result.nextCursor === undefined && !isMore)
        onWhole(result.tools.map((tool: { readonly name?: unknown } | null) => String(tool?.name)));
    }
    return outcome;
  };
  return passing({ except: { applies: ({ method }) => method === 'tools/list', policy: learning } });
}

interface ListResult {
  readonly tools?: unknown;
  readonly nextCursor?: unknown;
}

function resultIn(message: unknown): ListResult | undefined {
  return (message as { result?: ListResult } | null | undefined)?.result;
}

function asksForMore({ body }: WireCall): boolean {
  return paramsOf(decode(body))?.['cursor'] !== undefined;
}

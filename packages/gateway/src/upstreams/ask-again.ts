/**
 * A server that nobody could reach, or that has forgotten a conversation, may be another one when it is there again: what was
 * listed before says nothing of its tools. It is asked for them before it gets a call that may have been executed.
 */
import { makeFault } from '@mayday/core';
import { isRepeatable } from '@mayday/core/plan';
import { after, type Failed, passing, refuse } from '@mayday/policy';
import { lost, type Wire, type WireCall, type WirePolicy } from '@mayday/relay';
import { asKnown } from '../call/annotate.ts';
import type { ToolHints } from '../call/tool-hints.ts';
import type { AskForTools, NoTools } from '../call/tool-questions.ts';
import type { CommonSettings } from '../settings/settings.ts';

/** How long a call waits for the list before it is made again. */
const PATIENCE_MS = 2000;

/** Behind everything that repeats a call: it goes by what was said last, as long as nobody has been asked since. */
export function askAgain(hints: ToolHints, { retry }: CommonSettings, ask: AskForTools): WirePolicy {
  const isSafe = (call: WireCall): boolean => isRepeatable(asKnown(call, hints, retry));
  const dependsOnWord = (call: WireCall): boolean =>
    call.progress.executed !== 'no' && call.method === 'tools/call' && isRepeatable(call) && !isSafe(call);
  const asking: WirePolicy = (next) => async (call) => {
    const failed = await ask(next, call, PATIENCE_MS);
    if (isSafe(call)) return next(call);
    return failed === undefined ? refuse({ by: 'safety', fault: OTHER }) : lost(call, notListed(failed));
  };
  const heeding: WirePolicy = after((outcome) => {
    if (!outcome.ok && wasNobodyThere(outcome)) hints.lapse();
    return outcome;
  });
  const policy: WirePolicy = (next) => {
    const heeded = heeding(next);
    return passing<Wire, WireCall>({ except: { applies: dependsOnWord, policy: asking } })(heeded);
  };
  return policy;
}

/** Nothing listened where the server was: its process had ended. A connection that breaks says nothing of that. */
function wasNobodyThere({ fault: { executed, details } }: Failed<Wire>): boolean {
  return executed === 'no' && details?.['code'] === 'ECONNREFUSED';
}

const OTHER = makeFault({
  kind: 'conflict',
  origin: 'local',
  executed: 'no',
  retryable: false,
  message:
    'Not sent: the server may be another one since, and its tool does not say that it can be called twice',
});

/** It may well say so: once it lists its tools. */
function notListed(kind: NoTools): Parameters<typeof lost>[1] {
  return {
    kind: 'unavailable',
    origin: 'upstream',
    executed: 'no',
    message: `Not sent again: the server may be another one since, and has not listed its tools (\`tools/list\`: ${kind})`,
  };
}

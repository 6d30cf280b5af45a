/** Runs a tool so that it always ends: with a result, or with a documented error. */
import { faultOf } from '@mayday/core';
import { createLimit } from '../clock.ts';
import { raise } from '../errors.ts';
import { reasonFor } from '../refusal.ts';
import { Cancelled } from '../session.ts';
import type { Tool, ToolContext, ToolResult } from './tool.ts';

/** How long a call may take, and how to stop it. */
export interface Execution {
  readonly controller: AbortController;
  readonly timeoutMs: number;
}

/** Runs it. The tool's signal aborts when it is cancelled or takes too long. */
export async function execute(
  tool: Tool,
  args: unknown,
  context: Omit<ToolContext, 'signal' | 'meanwhile'>,
  { controller, timeoutMs }: Execution,
): Promise<ToolResult> {
  const { signal } = controller;
  const stopped = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  stopped.catch(() => {}); // whoever waits hears of it
  const late = (): Error => raise('tool_timeout', { tool: tool.name, timeout_ms: timeoutMs });
  const { over, meanwhile, stop } = createLimit(context.app.clock, timeoutMs, late);
  const work = Promise.resolve().then(() => tool.run(args, { ...context, signal, meanwhile }));
  try {
    return await Promise.race([work, stopped, over]);
  } catch (reason) {
    controller.abort(reason);
    throw failureOf(tool.name, reason);
  } finally {
    stop();
  }
}

function failureOf(tool: string, reason: unknown): unknown {
  if (faultOf(reason) !== undefined) return reason;
  if (reason instanceof Cancelled) return raise('tool_cancelled', { tool, reason: reason.message });
  return raise('tool_execution_failed', { tool, reason: reasonFor(reason) }, reason);
}

/** Runs a tool so that it always ends: with a result, or with a documented error. */
import { faultOf } from '@mayday/core';
import { within } from '../clock.ts';
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
  context: Omit<ToolContext, 'signal'>,
  { controller, timeoutMs }: Execution,
): Promise<ToolResult> {
  const { signal } = controller;
  const stopped = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  const work = Promise.resolve().then(() => tool.run(args, { ...context, signal }));
  try {
    const late = (): Error => raise('tool_timeout', { tool: tool.name, timeout_ms: timeoutMs });
    return await within(context.app.clock, timeoutMs, Promise.race([work, stopped]), late);
  } catch (reason) {
    controller.abort(reason);
    throw failureOf(tool.name, reason);
  }
}

function failureOf(tool: string, reason: unknown): unknown {
  if (faultOf(reason) !== undefined) return reason;
  if (reason instanceof Cancelled) return raise('tool_cancelled', { tool, reason: reason.message });
  return raise('tool_execution_failed', { tool, reason: reasonFor(reason) }, reason);
}

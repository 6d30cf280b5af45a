/** Runs a tool so that it always ends: with a result, or with a documented error. */
import { faultOf } from '@mayday/core';
import { limited } from '@mayday/reference-shared';
import { Cancelled } from '@mayday/server/rpc';
import { raise } from '../errors.ts';
import { reasonFor } from '../refusal.ts';
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
  const late = (): Error => raise('tool_timeout', { tool: tool.name, timeout_ms: timeoutMs });
  try {
    return await limited({ clock: context.app.clock, ms: timeoutMs, signal, late }, (meanwhile) =>
      tool.run(args, { ...context, signal, meanwhile }),
    );
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

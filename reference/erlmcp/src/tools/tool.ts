/** A tool, and what it gets to work with. */
import type { Meanwhile } from '@mayday/reference-shared';
import type { RequestId } from '@mayday/server/rpc';
import type { z } from 'zod';
import type { App } from '../app.ts';
import type { Caller, Session } from '../session.ts';
import type { Role } from '../store/users.ts';

/** What a tool gets beside its arguments. */
export interface ToolContext {
  readonly app: App;
  readonly session: Session;
  readonly caller: Caller;
  /** The request that called it; a task has none. */
  readonly requestId: RequestId | undefined;
  /** Aborts when the call is cancelled or takes too long. */
  readonly signal: AbortSignal;
  readonly meanwhile: Meanwhile;
  /** Tells the client how far it has come, if the client asked to know. */
  progress(done: number, total: number): void;
}

/** What a tool answers. */
export interface ToolResult {
  readonly content: readonly { readonly type: 'text'; readonly text: string }[];
}

/** A tool. */
export interface Tool<S extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: S;
  /** Who may call it; anybody, if absent. */
  readonly role?: Role;
  run(args: z.infer<S>, context: ToolContext): ToolResult | Promise<ToolResult>;
}

/** Keeps the type of a tool's arguments. */
export function defineTool<S extends z.ZodType>(tool: Tool<S>): Tool {
  return tool as unknown as Tool;
}

/** One text block. */
export function text(value: string): ToolResult {
  return { content: [{ type: 'text', text: value }] };
}

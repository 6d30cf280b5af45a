/** The interface between the desk and whatever keeps the orders. */
import type { JsonObject } from '@mayday/core';
import type { Input, ToolName } from './inputs.ts';

/** One commerce system. A tool that it does not have is one that it does not support. */
export interface Adapter {
  readonly name: string;
  readonly tools: {
    readonly [T in ToolName]?: (input: Input<T>, signal: AbortSignal) => Answer | Promise<Answer>;
  };
  close(): void;
}

/** What a tool answers with. */
export type Answer = JsonObject;

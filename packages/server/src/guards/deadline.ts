import type { Call } from '../call.ts';
import { expect, expectKnown, expectMethodNames, isPlainObject } from '../options-check.ts';
import { followsOn } from './alone.ts';
import type { Guard } from './guard.ts';

/** How long requests may take. */
export interface DeadlineOptions {
  /** Milliseconds for every request. */
  readonly ms: number | ((call: Call) => number | false);
  /** Milliseconds for single tools; `false` for ever. */
  readonly tools?: { readonly [tool: string]: number | false } | undefined;
  /** The methods that it is for; every request that is work, if absent: not streams, nor questions about tasks. */
  readonly methods?: readonly string[] | 'all' | undefined;
}

const OPTIONS = ['ms', 'tools', 'methods'];

/** Ends a request that takes too long with `timeout`; the handler's signal aborts. */
export function deadline(options: DeadlineOptions): Guard {
  expectKnown(options, OPTIONS, 'deadline');
  const { ms, tools = {}, methods } = options;
  expect(
    typeof ms === 'function' || (typeof ms === 'number' && ms > 0),
    'ms',
    'a positive number or a function',
    ms,
  );
  expect(isPlainObject(tools), 'tools', 'milliseconds, or false, for each tool', tools);
  expectMethodNames(methods, 'methods');
  for (const [tool, limit] of Object.entries(tools))
    expect(
      limit === false || (typeof limit === 'number' && limit > 0),
      `tools.${tool}`,
      'a positive number or false',
      limit,
    );
  return {
    name: 'deadline',
    methods,
    deadlineMs: (call) => {
      if (methods === undefined && followsOn(call)) return false;
      const { name } = call;
      // A prompt may have the name of a tool.
      const isOfTool = call.method === 'tools/call' || call.tool !== undefined;
      if (isOfTool && name !== undefined && Object.hasOwn(tools, name)) return tools[name] as number | false;
      return typeof ms === 'function' ? ms(call) : ms;
    },
  };
}

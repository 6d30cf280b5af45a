/** What an upstream says about its tools, as far as it decides whether a call may be repeated. */
import { IDEMPOTENCY_KEY } from '@mayday/core/protocol';

/** The tool's own word. */
interface ToolHint {
  readonly readOnly: boolean | undefined;
  readonly idempotent: boolean | undefined;
  /** What it changes cannot be undone: its word that a second call does no harm does not count. */
  readonly destructive: boolean | undefined;
  /** It honours idempotency keys itself. */
  readonly takesKeys: boolean;
}

/** Annotations by tool. */
export interface ToolHints {
  of(tool: string): ToolHint | undefined;
  /** Learns from the tools of a list. Whatever is no tool is passed over. */
  learn(tools: unknown): void;
}

/** As many as are listed of one server. The one that was not used for longest makes room. */
const MAX_TOOLS = 20_000;

/** Remembers annotations. */
export function createToolHints(): ToolHints {
  const known = new Map<string, ToolHint>();
  return {
    of(tool) {
      const hint = known.get(tool);
      if (hint !== undefined && known.size >= MAX_TOOLS / 2) {
        known.delete(tool); // the order only matters when it may soon be full
        known.set(tool, hint);
      }
      return hint;
    },
    learn(tools) {
      if (!Array.isArray(tools)) return;
      for (const tool of tools as unknown[]) {
        const name = memberOf(tool, 'name');
        if (typeof name !== 'string') continue;
        known.delete(name);
        if (known.size >= MAX_TOOLS) known.delete(known.keys().next().value as string);
        const annotations = memberOf(tool, 'annotations');
        known.set(name, {
          readOnly: flag(memberOf(annotations, 'readOnlyHint')),
          idempotent: flag(memberOf(annotations, 'idempotentHint')),
          destructive: flag(memberOf(annotations, 'destructiveHint')),
          takesKeys: memberOf(memberOf(tool, '_meta'), IDEMPOTENCY_KEY) === true,
        });
      }
    },
  };
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as { [key: string]: unknown })[key] : undefined;
}

function flag(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

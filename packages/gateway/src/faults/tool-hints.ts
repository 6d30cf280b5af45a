/** What an upstream says about its tools, as far as it decides whether a call may be repeated. */

/** The tool's own word. */
interface ToolHint {
  readonly readOnly?: boolean;
  readonly idempotent?: boolean;
}

/** Annotations by tool. */
export interface ToolHints {
  of(tool: string): ToolHint;
  /** Learns from an answer to `tools/list`. */
  learn(message: unknown): void;
}

const MAX_TOOLS = 10_000;

/** Remembers annotations. */
export function createToolHints(): ToolHints {
  const known = new Map<string, ToolHint>();
  return {
    of: (tool) => known.get(tool) ?? {},
    learn(message) {
      const tools = (message as { result?: { tools?: unknown } } | null | undefined)?.result?.tools;
      if (!Array.isArray(tools)) return;
      for (const tool of tools as { name?: unknown; annotations?: { [hint: string]: unknown } }[]) {
        if (typeof tool?.name !== 'string' || known.size >= MAX_TOOLS) continue;
        const { readOnlyHint, idempotentHint } = tool.annotations ?? {};
        known.set(tool.name, {
          ...(typeof readOnlyHint === 'boolean' ? { readOnly: readOnlyHint } : {}),
          ...(typeof idempotentHint === 'boolean' ? { idempotent: idempotentHint } : {}),
        });
      }
    },
  };
}

/** What low-level servers list: the arguments that their tools say they take. */
import type { Settings } from '../options.ts';

/** A server may list any number of tools; nobody calls this many. */
const MAX_TOOLS = 10_000;

/** By settings: stateless servers are guarded anew for each request, and share them. */
const listed = new WeakMap<Settings, Map<string, ReadonlySet<string>>>();

/** Learns from a listing on its way out. */
export function learnArguments(settings: Settings, result: object): void {
  const { tools } = result as { readonly tools?: unknown };
  if (!Array.isArray(tools)) return;
  const known = listed.get(settings) ?? new Map<string, ReadonlySet<string>>();
  listed.set(settings, known);
  for (const tool of tools.slice(0, MAX_TOOLS) as ListedTool[]) {
    if (known.size >= MAX_TOOLS || typeof tool?.name !== 'string') continue;
    known.set(tool.name, new Set(Object.keys(tool.inputSchema?.properties ?? {})));
  }
}

interface ListedTool {
  readonly name?: unknown;
  readonly inputSchema?: { readonly properties?: object | undefined } | undefined;
}

/** The arguments that a tool was listed with; `undefined` when it names none, or was never listed. */
export function listedArguments(settings: Settings, tool: string): ReadonlySet<string> | undefined {
  const names = listed.get(settings)?.get(tool);
  return names === undefined || names.size === 0 ? undefined : names;
}

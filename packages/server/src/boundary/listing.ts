/**
 * What the tools of a low-level server say that they take. Whose a validator's complaint is depends on it: where no client
 * has asked for the tools yet, the guard does, once for a tool, and only as long as a caller would wait.
 */
import type { Call } from '../call.ts';
import type { Clock } from '../clock.ts';
import type { AnyFunction } from '../shapes.ts';
import { type JsonSchema, NOTHING } from '../words/tool-schema.ts';
import { jsonSchemaOf } from './validation.ts';

/** A server may list any number of tools; nobody calls this many. */
const MAX_TOOLS = 10_000;
const MOST_PAGES = 20;
const LONGEST_MS = 1000;

/** The list of one server. */
export class Listing {
  readonly #list: AnyFunction;
  readonly #known = new Map<string, JsonSchema | undefined>();

  /** `list` is what its author answers `tools/list` with. */
  constructor(list: AnyFunction) {
    this.#list = list;
  }

  /** Learns from a list on its way out. */
  learn(result: unknown): void {
    const { tools } = Object(result) as { readonly tools?: unknown };
    if (!Array.isArray(tools)) return;
    for (const tool of tools.slice(0, MAX_TOOLS) as ListedTool[])
      if (typeof tool?.name === 'string') this.#note(tool.name, tool.inputSchema);
  }

  #note(name: string, given: unknown): void {
    const schema = typeof given === 'object' && given !== null ? (given as JsonSchema) : undefined;
    if (this.#known.size < MAX_TOOLS || this.#known.has(name)) this.#known.set(name, schema);
  }

  /** What a tool takes; `undefined` where that is not known. */
  schemaOf(tool: string): JsonSchema | undefined {
    return this.#known.get(tool);
  }

  /** Asks what a tool takes; `undefined` where it was listed or asked for before. Never rejects. */
  ask(tool: string, context: unknown, clock: Clock): Promise<void> | undefined {
    if (this.#known.has(tool)) return undefined;
    // A tool that is not listed is not asked for again.
    this.#note(tool, undefined);
    return within(clock, () => this.#read(tool, context));
  }

  async #read(tool: string, context: unknown): Promise<void> {
    let cursor: unknown;
    for (let page = 0; page < MOST_PAGES; page++) {
      const params = cursor === undefined ? {} : { cursor };
      const result = await this.#list({ method: 'tools/list', params }, context);
      this.learn(result);
      cursor = (Object(result) as { readonly nextCursor?: unknown }).nextCursor;
      if (cursor === undefined || this.#known.get(tool) !== undefined) return;
    }
  }
}

interface ListedTool {
  readonly name?: unknown;
  readonly inputSchema?: unknown;
}

/** A list that fails, or takes too long, says nothing. */
async function within(clock: Clock, read: () => Promise<void>): Promise<void> {
  let timer: unknown;
  const late = new Promise<void>((resolve) => {
    timer = clock.setTimeout(resolve, LONGEST_MS);
  });
  try {
    await Promise.race([read(), late]);
  } catch {
    // The exception is judged without it.
  } finally {
    clock.clearTimeout(timer);
  }
}

/** What the tool of a call takes, as far as that is known. */
export function schemaOfCall(
  { method, name, tool }: Call,
  listing: Listing | undefined,
): JsonSchema | undefined {
  if (method !== 'tools/call' || name === undefined) return undefined;
  if (tool === undefined) return listing?.schemaOf(name);
  return tool.inputSchema === undefined ? NOTHING : jsonSchemaOf(tool.inputSchema);
}

/** What tools say about themselves, learnt from every listing that passes by. */
import { IDEMPOTENCY_KEY } from '@mayday/core/protocol';
import { isObject } from '../http/reply.ts';

/** What a tool says about itself. Untrusted: an operator may overrule it. */
export interface ToolFacts {
  readonly readOnly?: boolean | undefined;
  readonly idempotent?: boolean | undefined;
  readonly destructive?: boolean | undefined;
  /** The server recognises a repeated call by its idempotency key. */
  readonly takesKey?: boolean | undefined;
}

/** The facts in a tool's annotations and `_meta`, wherever a framework keeps them. */
export function factsIn(annotations: unknown, meta: unknown): ToolFacts {
  const said = isObject(annotations) ? annotations : {};
  return {
    readOnly: said['readOnlyHint'] === true,
    idempotent: said['idempotentHint'] === true,
    destructive: said['destructiveHint'] === true,
    takesKey: isObject(meta) && meta[IDEMPOTENCY_KEY] === true,
  };
}

/** A server may list any number of tools; nobody calls this many. */
const MAX_TOOLS = 10_000;

/** The facts seen so far. */
export interface AnnotationBook {
  learn(method: string, result: unknown): void;
  of(tool: string): ToolFacts;
}

/** Creates an empty book. */
export function createAnnotationBook(): AnnotationBook {
  const book = new Map<string, ToolFacts>();
  return {
    learn(method, result) {
      if (method !== 'tools/list' || !isObject(result) || !Array.isArray(result['tools'])) return;
      for (const tool of result['tools'].slice(0, MAX_TOOLS)) {
        if (!isObject(tool) || typeof tool['name'] !== 'string') continue;
        if (book.size >= MAX_TOOLS && !book.has(tool['name'])) break;
        book.set(tool['name'], factsIn(tool['annotations'], tool['_meta']));
      }
    },
    of: (tool) => book.get(tool) ?? {},
  };
}

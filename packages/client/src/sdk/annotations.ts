/** What tools say about themselves, learnt from every listing that passes by. */
import { isObject } from '../http/reply.ts';

/** What a tool says about itself. Untrusted: an operator may overrule it. */
interface Annotations {
  readonly readOnly?: boolean;
  readonly idempotent?: boolean;
}

/** A server may list any number of tools; nobody calls this many. */
const MAX_TOOLS = 10_000;

/** The annotations seen so far. */
export interface AnnotationBook {
  learn(method: string, result: unknown): void;
  of(tool: string): Annotations;
}

/** Creates an empty book. */
export function createAnnotationBook(): AnnotationBook {
  const book = new Map<string, Annotations>();
  return {
    learn(method, result) {
      if (method !== 'tools/list' || !isObject(result) || !Array.isArray(result['tools'])) return;
      for (const tool of result['tools'].slice(0, MAX_TOOLS)) {
        if (!isObject(tool) || typeof tool['name'] !== 'string') continue;
        if (book.size >= MAX_TOOLS && !book.has(tool['name'])) break;
        const said = isObject(tool['annotations']) ? tool['annotations'] : {};
        book.set(tool['name'], {
          readOnly: said['readOnlyHint'] === true,
          idempotent: said['idempotentHint'] === true,
        });
      }
    },
    of: (tool) => book.get(tool) ?? {},
  };
}

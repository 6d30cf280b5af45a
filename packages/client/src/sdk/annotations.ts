/** What tools say about themselves, learnt from every listing that passes by. */
import { IDEMPOTENCY_KEY } from '@mayday/core/protocol';
import { isObject } from '../http/reply.ts';

/** What a tool says about itself. Untrusted: an operator may overrule it. */
export interface ToolFacts {
  readonly readOnly?: boolean | undefined;
  readonly idempotent?: boolean | undefined;
  readonly destructive?: boolean | undefined;
  /** Does the server recognise a repeated call by its idempotency key? `undefined` when it does not say. */
  readonly takesKey?: boolean | undefined;
}

/** The facts in a tool's annotations and `_meta`, wherever a framework keeps them. */
export function factsIn(annotations: unknown, meta: unknown): ToolFacts {
  const said = isObject(annotations) ? annotations : {};
  return {
    readOnly: said['readOnlyHint'] === true,
    idempotent: said['idempotentHint'] === true,
    destructive: said['destructiveHint'] === true,
    takesKey: isObject(meta) ? yesOrNo(meta[IDEMPOTENCY_KEY]) : undefined,
  };
}

function yesOrNo(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

/** A server may list any number of tools; nobody calls this many. */
const MAX_TOOLS = 10_000;

/** The facts seen so far. A server may change its tools at any time: what is forgotten is nobody's word any more. */
export interface AnnotationBook {
  /** Grows with everything that is forgotten. */
  readonly edition: number;
  /** How often the server has said that its tools are others. */
  readonly changes: number;
  /** Learns from the answer to a listing that was asked for in that edition. */
  learn(method: string, result: unknown, edition: number): void;
  of(tool: string): ToolFacts;
  /** The tools may be others from now on: the server said so, or it is another session. */
  forget(why: 'changed' | 'session'): void;
}

/** Creates an empty book. */
export function createAnnotationBook(): AnnotationBook {
  const book = new Map<string, ToolFacts>();
  let edition = 0;
  let changes = 0;
  return {
    get changes() {
      return changes;
    },
    get edition() {
      return edition;
    },
    learn(method, result, asked) {
      if (method !== 'tools/list' || !isObject(result) || !Array.isArray(result['tools'])) return;
      if (asked !== edition) return; // asked before the tools changed, answered after
      for (const tool of result['tools'].slice(0, MAX_TOOLS)) {
        if (!isObject(tool) || typeof tool['name'] !== 'string') continue;
        if (book.size >= MAX_TOOLS && !book.has(tool['name'])) break;
        book.set(tool['name'], factsIn(tool['annotations'], tool['_meta']));
      }
    },
    of: (tool) => book.get(tool) ?? {},
    forget(why) {
      edition += 1;
      if (why === 'changed') changes += 1;
      book.clear();
    },
  };
}

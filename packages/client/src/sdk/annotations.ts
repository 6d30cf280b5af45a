/** What tools say about themselves, learnt from every listing that passes by. */
import { IDEMPOTENCY_KEY } from '@mayday/core/protocol';
import { isObject } from '../http/reply.ts';
import { createListedTools } from './listed-tools.ts';

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

/** What holds whichever of the two it is. */
function carefulOf(one: ToolFacts, other: ToolFacts): ToolFacts {
  return {
    readOnly: one.readOnly && other.readOnly,
    idempotent: one.idempotent && other.idempotent,
    destructive: one.destructive || other.destructive,
    // Not even a key that a caller gives makes a repetition safe where one of them may not know keys.
    takesKey: one.takesKey === other.takesKey ? one.takesKey : false,
  };
}

function yesOrNo(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

/** A server may list any number of tools; nobody calls this many. */
const MAX_TOOLS = 10_000;

/** What may have asked for a listing. */
interface ListRequest {
  readonly method: string;
  readonly params?: { readonly [name: string]: unknown } | undefined;
}

/** The facts seen so far. A server may change its tools at any time: what is forgotten is nobody's word any more. */
export interface AnnotationBook {
  /** Grows with everything that is forgotten. */
  readonly edition: number;
  /** How often the server has said that its tools are others, or has listed one otherwise than before. */
  readonly changes: number;
  /** How many sessions have been opened. */
  readonly sessions: number;
  /**
   * Learns from the answer to a listing that was asked for in that edition, or to a further page of it. Of a tool that is
   * listed twice counts what both entries say: nobody knows which of them runs.
   */
  learn(request: ListRequest, result: unknown, edition: number): void;
  of(tool: string): ToolFacts;
  /** Has it been listed since the last time that anything was forgotten? */
  knows(tool: string): boolean;
  /** Is it in the last list that was seen? Also after the tools have changed, until there is another list. */
  isListed(tool: string): boolean;
  /** Has it said so before a session was lost, and nothing since? A key does no harm where nobody knows it. */
  tookKeys(tool: string): boolean;
  /** The tools may be others from now on: the server said so, or it is another session. */
  forget(why: 'changed' | 'session'): void;
}

/** Creates an empty book. */
export function createAnnotationBook(): AnnotationBook {
  const book = new Map<string, ToolFacts>();
  const listed = createListedTools();
  let beforeSession: ReadonlySet<string> = new Set();
  let edition = 0;
  let changes = 0;
  let sessions = 0;
  return {
    get sessions() {
      return sessions;
    },
    get changes() {
      return changes;
    },
    get edition() {
      return edition;
    },
    learn({ method, params }, result, asked) {
      if (method !== 'tools/list' || !isObject(result) || !Array.isArray(result['tools'])) return;
      const tools = result['tools'].slice(0, MAX_TOOLS).filter(isNamed);
      const { cursor } = params ?? {};
      const next = typeof result['nextCursor'] === 'string' ? result['nextCursor'] : undefined;
      listed.learn({ cursor, next, names: tools.map(({ name }) => name), edition: asked });
      if (asked !== edition) return; // asked before the tools changed, answered after
      const isMore = cursor !== undefined;
      const known = new Map(book);
      const onPage = new Set<string>();
      for (const tool of tools) {
        const { name } = tool;
        if (book.size >= MAX_TOOLS && !book.has(name)) break;
        const before = isMore || onPage.has(name) ? book.get(name) : undefined;
        const facts = factsIn(tool['annotations'], tool['_meta']);
        onPage.add(name);
        book.set(name, before === undefined ? facts : carefulOf(before, facts));
      }
      // What the whole list does not have is nobody's word any more.
      if (!isMore && next === undefined)
        for (const name of known.keys()) if (!onPage.has(name)) book.delete(name);
      for (const [name, facts] of known) if (!isSame(facts, book.get(name))) changes += 1;
    },
    of: (tool) => book.get(tool) ?? {},
    knows: (tool) => book.has(tool),
    isListed: listed.has,
    tookKeys: (tool) => !book.has(tool) && beforeSession.has(tool),
    forget(why) {
      edition += 1;
      if (why === 'changed') changes += 1;
      else sessions += 1;
      const tookKeys = [...book].filter(([, { takesKey }]) => takesKey === true).map(([name]) => name);
      if (why === 'changed') beforeSession = new Set();
      else if (book.size > 0) beforeSession = new Set(tookKeys);
      book.clear();
    },
  };
}

function isSame(one: ToolFacts, other: ToolFacts | undefined): boolean {
  return (
    one.readOnly === other?.readOnly &&
    one.idempotent === other?.idempotent &&
    one.destructive === other?.destructive &&
    one.takesKey === other?.takesKey
  );
}

function isNamed(tool: unknown): tool is { readonly [key: string]: unknown; readonly name: string } {
  return isObject(tool) && typeof tool['name'] === 'string';
}

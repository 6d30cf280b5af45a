/** The call that failed, and whether making it again can do harm. */
import type { Executed } from '../kinds.ts';

/** What a plan must know about the call. */
export interface PlannedCall {
  /** The MCP method; `tools/call` if absent. */
  readonly method?: string | undefined;
  /** The tool's own word, `readOnlyHint`. Untrusted by specification: `repeatable` overrules it. */
  readonly readOnly?: boolean | undefined;
  /** The tool's own word, `idempotentHint`. */
  readonly idempotent?: boolean | undefined;
  /** The tool's own word, `destructiveHint`: what it changes cannot be undone, so its other words do not count. */
  readonly destructive?: boolean | undefined;
  /**
   * The operator's word. `true` overrules the annotations; `false` means never repeat: only proof that the call
   * was not executed stands above it.
   */
  readonly repeatable?: boolean | undefined;
  /** The server recognises a repeated call by a key that every attempt carries. */
  readonly idempotencyKey?: boolean | string | undefined;
}

/** Whether a second execution can do harm, and why. */
export interface Safety {
  readonly safe: boolean;
  /** Completes "…, and": `the tool only reads`. */
  readonly because: string;
}

/** Methods that change nothing, or that end in the same state however often they are sent. */
const REPEATABLE_METHODS: ReadonlySet<string> = new Set([
  'initialize',
  'ping',
  'server/discover',
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'logging/setLevel',
  'roots/list',
  'tasks/get',
  'tasks/list',
  'tasks/result',
  'tasks/cancel',
]);

/** Can the call be made again without harm, whatever became of the first attempt? */
export function isRepeatable(call: PlannedCall): boolean {
  return safetyOf(call, 'maybe').safe;
}

/** Does the call change nothing, by its method or its tool's own word? A tool that also calls itself destructive does not. */
export function isRead(call: PlannedCall): boolean {
  if (call.repeatable === false) return false;
  if (REPEATABLE_METHODS.has(call.method ?? 'tools/call')) return true;
  return call.readOnly === true && call.destructive !== true;
}

/** Can this attempt be followed by another one without harm? */
export function safetyOf(call: PlannedCall, executed: Executed): Safety {
  if (executed === 'no') return { safe: true, because: 'the call was not executed' };
  if (call.repeatable === false)
    return { safe: false, because: 'the operator says that the call must not be repeated' };
  if (call.idempotencyKey !== undefined && call.idempotencyKey !== false && call.idempotencyKey !== '') {
    return { safe: true, because: 'the server recognises the call by its idempotency key' };
  }
  if (call.repeatable === true)
    return { safe: true, because: 'the operator says that the call can be repeated' };
  const method = call.method ?? 'tools/call';
  if (REPEATABLE_METHODS.has(method)) return { safe: true, because: `${method} changes nothing` };
  return byAnnotations(call, executed);
}

function byAnnotations(call: PlannedCall, executed: Executed): Safety {
  const happened = executed === 'yes' ? 'the call was executed' : 'the call may have been executed';
  if (call.destructive === true) return { safe: false, because: `the tool is destructive and ${happened}` };
  if (call.readOnly === true) return { safe: true, because: 'the tool only reads' };
  if (call.idempotent === true) return { safe: true, because: 'the tool is idempotent' };
  return { safe: false, because: happened };
}

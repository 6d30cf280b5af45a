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
  /** The operator's word, which overrules both annotations in either direction. */
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
const REPEATABLE_METHODS: readonly string[] = [
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
];

/** Can the call be made again without harm, whatever became of the first attempt? */
export function isRepeatable(call: PlannedCall): boolean {
  return safetyOf(call, 'maybe').safe;
}

/** Can this attempt be followed by another one without harm? */
export function safetyOf(call: PlannedCall, executed: Executed): Safety {
  if (executed === 'no') return { safe: true, because: 'the call was not executed' };
  if (call.idempotencyKey !== undefined && call.idempotencyKey !== false && call.idempotencyKey !== '') {
    return { safe: true, because: 'the server recognises the call by its idempotency key' };
  }
  if (call.repeatable !== undefined) {
    return call.repeatable
      ? { safe: true, because: 'the operator says that the call can be repeated' }
      : { safe: false, because: 'the operator says that the call must not be repeated' };
  }
  const method = call.method ?? 'tools/call';
  if (REPEATABLE_METHODS.includes(method)) return { safe: true, because: `${method} changes nothing` };
  if (call.readOnly === true) return { safe: true, because: 'the tool only reads' };
  if (call.idempotent === true) return { safe: true, because: 'the tool is idempotent' };
  return {
    safe: false,
    because: executed === 'yes' ? 'the call was executed' : 'the call may have been executed',
  };
}

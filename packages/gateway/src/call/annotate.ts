/** What is known about the tool that is called, as far as it decides whether the call may be repeated. */
import type { WirePolicy } from '@mayday/relay';
import type { CommonSettings } from '../settings/settings.ts';
import type { ToolHints } from './tool-hints.ts';

/** Adds the tool's own word, if it is trusted, and the operator's, which overrules it. */
export function annotate(hints: ToolHints, settings: CommonSettings['retry']): WirePolicy {
  const repeatable = new Map<string, boolean>([
    ...settings.repeatable.map((tool) => [tool, true] as const),
    ...settings.neverRepeat.map((tool) => [tool, false] as const),
  ]);
  return (next) => (call) => {
    if (call.method !== 'tools/call' || call.target === undefined) return next(call);
    const known = settings.trustAnnotations ? hints.of(call.target) : undefined;
    return next({
      ...call,
      readOnly: known?.readOnly,
      idempotent: known?.idempotent,
      repeatable: repeatable.get(call.target),
      // The key is honoured here; a server that knows nothing of keys would execute a second attempt.
      idempotencyKey: undefined,
    });
  };
}

/** Whose failure it is, for whoever records it or puts it into words, and of which tool. */
import { passing } from '@mayday/policy';
import type { KnownTool, WireCall, WirePolicy } from '@mayday/relay';
import { isHidden } from '../access/verdicts.ts';
import type { CommonSettings } from '../settings/settings.ts';
import { answeredCall } from './ended-task.ts';
import type { ToolHints } from './tool-hints.ts';

/** Marks the failures of calls to this upstream. What our own policies say is said in the gateway's name. */
export function attribute({ name: upstream, retry }: CommonSettings, hints: ToolHints): WirePolicy {
  return passing({
    before: (call) => (call.upstream === upstream ? call : { ...call, upstream }),
    after: (outcome, call) => {
      if (outcome.ok || outcome.value?.type === 'answer') return outcome;
      const { fault, value } = outcome;
      const answered = answeredCall(call, value);
      return {
        ...outcome,
        fault: fault.origin === 'local' ? { ...fault, origin: 'gateway' } : fault,
        value: {
          ...(value ?? { type: 'nothing' }),
          upstream,
          target: answered.target,
          tool: toolOf(answered, hints, retry),
        },
      };
    },
  });
}

/** What is known by now: it may have been asked for after the failure. The operator's word comes first. */
function toolOf(call: WireCall, hints: ToolHints, retry: CommonSettings['retry']): KnownTool | undefined {
  const { method, target } = call;
  if (method !== 'tools/call' || target === undefined || isHidden(call)) return undefined;
  const known = hints.of(call, target);
  const isSaid = retry.trustAnnotations && known?.readOnly === true && !retry.neverRepeat.includes(target);
  return {
    onlyReads: isSaid || retry.repeatable.includes(target),
    hasOutput: known?.hasOutput === true,
    isListed: known !== undefined,
  };
}

import { type ApprovalPass, type ApprovalStore, approvalDesk, type Refusal } from '@mayday/policy';
import type { Call } from '../call.ts';
import { expect, expectFunction, expectKnown, isTexts } from '../options-check.ts';
import { type Guard, ofTools } from './guard.ts';
import { callOf, type RequestCall, thrownFor } from './request-call.ts';

/** Which calls need a person's consent. */
export interface ApprovalOptions {
  readonly tools: readonly string[] | ((call: Call) => boolean);
  readonly store: ApprovalStore;
  /** How long a request waits for a person, and a consent for its call; an hour. */
  readonly ttlMs?: number | undefined;
  readonly now?: (() => number) | undefined;
}

const OPTIONS = ['tools', 'store', 'ttlMs', 'now'];

/**
 * Holds back calls that a person must consent to, with `approval_required` and the request's id. A consent
 * counts for one call with exactly these arguments, and is used up when its handler begins.
 */
export function approval(options: ApprovalOptions): Guard {
  expectKnown(options, OPTIONS, 'approval');
  const { tools, store, ttlMs } = options;
  expect(typeof tools === 'function' || isTexts(tools), 'tools', 'a list of tools or a function', tools);
  expect(typeof store?.claim === 'function', 'store', 'a store of approvals', store);
  expectFunction(options.now, 'now');
  const ask = approvalDesk<RequestCall>({
    targets: typeof tools === 'function' ? ({ request }) => tools(request) : tools,
    store,
    ttlMs,
    clock: { now: options.now ?? Date.now },
  });
  const passes = new WeakMap<Call, ApprovalPass>();
  const decide = (request: Call, answer: ApprovalPass | Refusal): void => {
    if ('fault' in answer) throw thrownFor(answer);
    passes.set(request, answer);
  };
  return ofTools({
    name: 'approval',
    stage: 'call', // nobody should be asked to consent to a call that cannot be made
    before(request) {
      const answer = ask(callOf(request));
      return answer instanceof Promise ? answer.then((one) => decide(request, one)) : decide(request, answer);
    },
    over(request, began) {
      void passes.get(request)?.settle(began);
      passes.delete(request);
    },
  });
}

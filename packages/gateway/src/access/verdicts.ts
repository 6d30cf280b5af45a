/** One verdict a call: found when it comes in, and the same on its whole way, whatever a reload changes meanwhile. */

import type { Executed } from '@mayday/core';
import { IDEMPOTENCY_KEY } from '@mayday/core/protocol';
import { passing } from '@mayday/policy';
import type { WireCall, WireHandler, WirePolicy } from '@mayday/relay';
import { besideCalls } from '../call/beside.ts';
import { denied, notServed } from './refusals.ts';
import type { Verdict } from './rules.ts';
import type { Use } from './uses.ts';

/** What a call uses, and whether it may. */
interface Judged {
  readonly used: Use;
  readonly verdict: Verdict;
  /** Is its caller told of what is denied what is told of what does not exist? */
  readonly isOpaque: boolean;
  /** May its caller use anything else that such a pattern of `upstream/name` fits? */
  readonly mayUseLike: (pattern: string) => boolean;
}

const judged = besideCalls<Judged>('judged');

/** Notes the verdict on a call. */
export function judge(call: WireCall, of: Judged): void {
  judged.note(call, of);
}

/** The verdict on a call; `undefined` where there is none, because no rule is asked about it. */
export function judgedAs(call: WireCall): Judged | undefined {
  return judged.of(call);
}

/** Calls of what is not served, or not any more, in the same way. */
const unserved = besideCalls<true>('unserved');

/** Is it refused before its server would be asked? */
export function isRefused(call: WireCall): boolean {
  return unserved.of(call) === true || judgedAs(call)?.verdict.isAllowed === false;
}

/**
 * What became of a call of something that is not served: nothing, unless it was made under its key when that was served. It
 * goes the way to its server for this, as far as what is known of keys, and no further.
 */
export async function executedUnserved(call: WireCall, next: WireHandler): Promise<Executed> {
  if (call.meta?.[IDEMPOTENCY_KEY] === undefined) return 'no';
  unserved.note(call, true);
  const outcome = await next(call);
  return outcome.ok ? 'maybe' : outcome.fault.executed;
}

/** Is what it uses hidden from its caller? Nothing that is known of it, or set for it by name, may show in the answer. */
export function isHidden(call: WireCall): boolean {
  return isRefused(call) && judgedAs(call)?.isOpaque === true;
}

/** Of what is hidden: may its caller use anything that this pattern fits? What is set for others alone must not show. */
export function mayUseLike(call: WireCall, pattern: string): boolean {
  return judgedAs(call)?.mayUseLike(pattern) === true;
}

/**
 * Refuses in the place of the server what is denied: all that is done for other calls before that is done for these, so
 * that nobody tells by it what there is.
 */
export function refuseDenied(): WirePolicy {
  return passing({
    before: (call) => {
      if (unserved.of(call) === true) return notServed();
      const found = judgedAs(call);
      if (found === undefined || found.verdict.isAllowed) return call;
      return denied(found.used, found.verdict, call.by);
    },
  });
}

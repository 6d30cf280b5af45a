/** Decides what a caller may use before its server is asked, puts into words what is refused, and leaves it out of what the server lists. */
import type { FaultInit } from '@mayday/core';
import { type Failed, passing } from '@mayday/policy';
import {
  isMembers,
  lost,
  type Wire,
  type WireCall,
  type WireHandler,
  type WireOutcome,
  type WirePolicy,
} from '@mayday/relay';
import { malformed } from '../call/malformed.ts';
import { mendAnswer } from '../call/mend-answer.ts';
import { NO_LIST } from '../call/sound-list.ts';
import type { ToolHints } from '../call/tool-hints.ts';
import { isUnknown } from './is-unknown.ts';
import { listenWithin } from './listen-within.ts';
import { asExecuted, BY, denied, unavailable } from './refusals.ts';
import type { Access, Rules } from './rules.ts';
import { isListing, trimmed } from './trim-lists.ts';
import { useOf } from './uses.ts';
import { judge, judgedAs } from './verdicts.ts';

/** Stands around what is asked of one upstream. */
export function authorize(access: Access, upstream: string, hints: ToolHints): WirePolicy {
  const lists: WirePolicy = (next) => (call) => {
    const { rules } = access;
    if (rules === undefined) return next(call);
    return isListing(call.method)
      ? list(call, next, rules, upstream)
      : listenWithin(call, next, rules, upstream);
  };
  return passing({
    except: { applies: ({ method }) => access.rules !== undefined && tellsOfMany(method), policy: lists },
    before: (call) => (access.rules === undefined ? call : judged(call, access.rules, upstream)),
    after: (outcome, call) => (outcome.ok ? outcome : told(outcome, call, hints)),
  });
}

/** Does its answer tell of what there is, also of what its caller may not use? */
function tellsOfMany(method: string): boolean {
  return isListing(method) || method === 'subscriptions/listen';
}

/** A reference to a prompt and to a resource at once: which of them is meant depends on who reads it. */
function isTwofold(call: WireCall): boolean {
  const ref = call.method === 'completion/complete' ? call.params()?.['ref'] : undefined;
  return isMembers(ref) && Object.hasOwn(ref, 'name') && Object.hasOwn(ref, 'uri');
}

const TWOFOLD: FaultInit = {
  kind: 'invalid_arguments',
  origin: 'caller',
  executed: 'no',
  subject: { type: 'message' },
  message: 'params.ref: It has both a name and a URI; send the one that is meant',
};

async function list(call: WireCall, next: WireHandler, rules: Rules, upstream: string): Promise<WireOutcome> {
  const outcome = await next(call);
  if (!outcome.ok || outcome.value.type !== 'answer') return outcome; // what fails is looked at by those who know it first
  let hides = false;
  const value = mendAnswer(outcome.value, (message) => {
    const kept = trimmed(message, { rules, by: call.by, upstream });
    hides ||= kept === undefined;
    return kept ?? message;
  });
  return hides ? lost(call, NO_LIST) : { ...outcome, value };
}

/** Notes the verdict on a call. One that is denied goes on, to be refused in the place of its server. */
function judged(call: WireCall, rules: Rules, upstream: string): WireCall | WireOutcome {
  if (isTwofold(call)) return lost(call, TWOFOLD);
  const used = useOf(call);
  if (used === undefined) {
    // What names nothing fits no rule, and is nobody's to guess.
    const wrong = malformed(call.method, call.params());
    return wrong === undefined ? call : lost(call, wrong);
  }
  const verdict = rules.verdict(call.by, upstream, used);
  const isOpaque = rules.isOpaqueFor(call);
  judge(call, { used, verdict, isOpaque, mayUseLike: (pattern) => rules.mayUseLike(call.by, pattern) });
  return call;
}

/** What became of a call, as its caller may know it. */
function told(outcome: Failed<Wire>, call: WireCall, hints: ToolHints): WireOutcome {
  const found = judgedAs(call);
  if (found === undefined) return outcome;
  const { used, verdict, isOpaque } = found;
  if (!verdict.isAllowed) {
    if (outcome.refused?.by !== BY) return outcome;
    const refusal = isOpaque
      ? unavailable(used, verdict.missing.length === 0 ? 'denied' : 'missing scopes')
      : denied(used, verdict, call.by);
    return asExecuted(refusal, outcome.fault.executed);
  }
  if (!isOpaque || !isUnknown(call, outcome)) return outcome;
  // One that its server has listed is there, whatever it says while it runs: nobody knows what it did.
  const isListed = used.type === 'tool' && hints.of(call, used.name) !== undefined;
  return isListed ? outcome : unavailable(used, 'unknown');
}

/** Tells those who are told nothing else the same of names that lead to no upstream at all. */
export function hideUnknown(access: Access): WirePolicy {
  return (next) => (call) => (access.rules?.isOpaqueFor(call) === true ? hidden(call, next) : next(call));
}

async function hidden(call: WireCall, next: WireHandler): Promise<WireOutcome> {
  const outcome = await next(call);
  const used = outcome.ok ? undefined : useOf(call);
  return used !== undefined && isUnknown(call, outcome) ? unavailable(used, 'unknown') : outcome;
}

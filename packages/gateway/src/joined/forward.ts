/** The way of a call to one upstream, and what the gateway keeps of those that failed on it. */
import { compose } from '@mayday/policy';
import { WatchedBack, type WireCall, type WireOutcome, type WirePolicy } from '@mayday/relay';
import type { PartAnswer } from './derive.ts';
import type { Part } from './part.ts';
import { type FirstOf, outcomeWithTaskNames, withTaskNames } from './task-names.ts';

/** Hands the call to one upstream; what it says on the way is marked as its own. `firstOf`: for the task that it may begin. */
export async function forward(part: Part, call: WireCall, firstOf?: FirstOf): Promise<WireOutcome> {
  const { back } = call;
  part.words.give(call.meta?.['progressToken']);
  const own = new WatchedBack(back, ({ data, id, ofTask }) => {
    const named = withTaskNames(data, part.name, part.tasks);
    // The token of a task was given to this server, and may be that of another session.
    const said = ofTask === true ? named : part.words.own(named);
    return said === undefined || back.related({ data: said, id, ofTask });
  });
  const outcome = await part.ask({ ...call, upstream: part.name, back: own });
  if (outcome.ok || outcome.answered === true) part.isSlow = false; // whoever answers is waited for again
  return outcomeWithTaskNames(outcome, part.name, part.tasks, firstOf);
}

/** Keeps the failure of one that was asked together with others, for the operator; that one is down, once. */
export async function recordFailure(
  call: WireCall,
  { part, outcome }: Extract<PartAnswer, { ok: false }>,
  recording: readonly WirePolicy[],
): Promise<void> {
  if (!part.isNews(outcome)) return;
  await compose(recording, async () => outcome)({ ...call, upstream: part.name });
}

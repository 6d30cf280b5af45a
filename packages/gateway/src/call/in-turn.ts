/** To take secrets out of much text takes long: one such answer at a time, and others have their turn between two of them. */
import { after } from '@mayday/policy';
import {
  MUCH,
  namesTask,
  othersFirst,
  type Wire,
  type WireCall,
  type WireOutcome,
  type WirePolicy,
} from '@mayday/relay';
import { asksForMore } from './mend-answer.ts';
import { upstreamOf } from './redact-faults.ts';

/** Lets an answer that will be looked through wait for its turn. Little waits for nobody, and neither does a success. */
export function inTurn(turns: Pick<typeof othersFirst, 'turn'> = othersFirst): WirePolicy {
  return after((outcome, call) => {
    const turn = turns.turn(whoseOf(outcome, call), sizeOf(outcome));
    return turn === undefined ? outcome : turn.then(() => outcome);
  });
}

/** A server that says much holds up its own answers first. */
function whoseOf(outcome: WireOutcome, call: WireCall): string {
  return outcome.ok ? call.upstream : upstreamOf(outcome, call);
}

/** How much of it is looked through. */
function sizeOf(outcome: WireOutcome): number {
  if (!outcome.ok) return outcome.value === undefined ? 0 : saidIn(outcome.value);
  const { value } = outcome;
  if (value.type !== 'answer' || value.isFailure === true || value.body.length < MUCH) return 0;
  return namesTask(value.body) || asksForMore(value) ? value.body.length : 0;
}

function saidIn(said: Wire): number {
  switch (said.type) {
    case 'message':
      return said.bytes.length;
    case 'nothing':
      return said.original?.length ?? 0;
    default:
      return said.body.length;
  }
}

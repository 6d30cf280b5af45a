/** Answers that arrive outside of their call, on a stream that was taken up again. */
import { compose } from '@mayday/policy';
import { outcomeOf, type Path, type WireCall } from '@mayday/relay';
import { type Hide, hideGiven } from './hide-given.ts';

/** Gives a failing answer the words it would have had in its call; leaves the others alone. */
export function strayMender(
  path: Path,
  hide: Hide | undefined,
): (call: WireCall, message: Buffer) => Promise<Buffer> {
  const around = hide === undefined ? path.outer : [...path.outer, hideGiven(hide)];
  return async (call, message) => {
    const outcome = outcomeOf(call, message, path.hear);
    if (outcome.ok) return message;
    const said = await compose(around, async () => outcome)({ ...call, method: 'tools/call' });
    return said.value?.type === 'answer' ? said.value.body : message;
  };
}

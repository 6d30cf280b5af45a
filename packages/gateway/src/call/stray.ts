/** Answers that arrive outside of their call, on a stream that was taken up again. */
import { compose } from '@mayday/policy';
import { outcomeOf, type Path, type WireCall, type WirePolicy } from '@mayday/relay';

/** Gives a failing answer the words it would have had in its call, `hiding` what the server was given; leaves the others alone. */
export function strayMender(
  path: Path,
  hiding: readonly WirePolicy[],
): (call: WireCall, message: Buffer) => Promise<Buffer> {
  return async (call, message) => {
    const outcome = outcomeOf(call, message, path.hear);
    if (outcome.ok) return message;
    const said = await compose(
      [...path.outer, ...hiding],
      async () => outcome,
    )({ ...call, method: 'tools/call' });
    return said.value?.type === 'answer' ? said.value.body : message;
  };
}

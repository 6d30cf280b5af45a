/** Events without a message: comments that keep a connection alive, and the first id of a stream. */
import type { StreamEvent } from '../framing/events.ts';

const MARK: Buffer = Buffer.from('\ufeff');
const DATA: Buffer = Buffer.from('data');

/** Does it say nothing to anybody? A byte order mark makes some readers see a message where others see none. */
export function isHarmless({ raw }: StreamEvent): boolean {
  if (raw.includes(MARK)) return false;
  for (let at = raw.indexOf(DATA); at >= 0; at = raw.indexOf(DATA, at + 1)) {
    const line =
      raw
        .subarray(at + DATA.length)
        .toString('latin1')
        .split(/[\r\n]/)[0] ?? '';
    if (!/^:? ?$/.test(line)) return false;
  }
  return true;
}

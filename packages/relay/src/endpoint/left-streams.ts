/** Streams of calls that ended, or broke, before their answer: whoever asked comes for the rest with the id of the last event. */
import { compose, setLast } from '@mayday/policy';
import { idOf } from '../framing/ids.ts';
import { encode } from '../framing/json.ts';
import { peek } from '../framing/peek.ts';
import { ENDED_EARLY } from '../links/http-answer.ts';
import { lost, type WireCall, type WirePolicy } from './call.ts';

/** Of a call, what its answer needs: what was asked may be long. */
interface LeftCall extends Pick<WireCall, 'method' | 'target'> {
  readonly id: string | number;
}

/** Older ones are told what their server says. */
const AT_MOST = 1000;

/** Which call a stream was of, by its session and the last event that was sent in it. */
export class LeftStreams {
  readonly #left: Map<string, LeftCall> = new Map();

  leave(session: string, event: string, { body, peek: seen, method, target }: WireCall): void {
    const id = idOf(body, seen);
    if (id !== undefined) this.leaveAgain(session, event, { id, method, target });
  }

  leaveAgain(session: string, event: string, call: LeftCall): void {
    setLast(this.#left, keyOf(session, event), call, AT_MOST);
  }

  /** The call whose stream somebody takes up again here; from now on nobody waits for it at this event. */
  take(session: string | undefined, event: string | undefined): LeftCall | undefined {
    if (session === undefined || event === undefined) return undefined;
    const key = keyOf(session, event);
    const call = this.#left.get(key);
    this.#left.delete(key);
    return call;
  }
}

function keyOf(session: string, event: string): string {
  return JSON.stringify([session, event]);
}

/** That the rest does not come, in the words that every failure has; `stray` asks for it. */
export async function lostAnswer(
  outer: readonly WirePolicy[],
  stray: WireCall,
  { id, method, target }: LeftCall,
): Promise<Buffer> {
  const body = encode({ jsonrpc: '2.0', id, method });
  const call = { ...stray, method, target, body, peek: peek(body) };
  const { value } = await compose(outer, async (asked) => lost(asked, ENDED_EARLY))(call);
  return value?.type === 'answer' ? value.body : body;
}

/** Has a server that says so nothing more to say in a stream? What passes may be asked again, and whoever has to log in does. */
export function isLeftForGood(status: number): boolean {
  return status >= 400 && status < 500 && !PASSING.has(status);
}

const PASSING: ReadonlySet<number> = new Set([401, 403, 408, 425, 429]);

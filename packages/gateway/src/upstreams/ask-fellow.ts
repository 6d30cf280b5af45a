/** A task that runs at another worker: what it asks goes to whoever waits here, and the answer back to it. */
import { decode, idOf, locate, peek, type Related, type WireCall, type WireOutcome } from '@mayday/relay';
import { carried, type Fellows } from '../workers/fellows.ts';
import type { Runner } from './ask-waiting.ts';
import type { KeptLink } from './kept-link.ts';
import { withdrawalOf } from './task-questions.ts';

/** Which worker, and who asks. */
export interface AtFellow {
  readonly fellows: Fellows;
  readonly worker: number;
  readonly upstream: string;
  /** The conversation of whoever asks; absent where that is none of ours: nobody there could answer a question. */
  readonly link?: KeptLink | undefined;
}

/** Asks there; nothing where nobody knows of the task, or not any more. */
export async function askFellow(call: WireCall, at: AtFellow): Promise<WireOutcome | undefined> {
  const { fellows, worker, upstream, link } = at;
  const client = link?.waiting;
  const tell = (said: Related): boolean => call.back.related(said);
  const related = link === undefined ? tell : putBy(link, runnerAt(call, at, link), tell);
  const outcome = await fellows.ask(call, { worker, upstream, client, related });
  // What was put to the client is known here alone.
  if (outcome === undefined || outcome.ok || !call.back.committed) return outcome;
  return { ...outcome, committed: true };
}

/** Answers may come when the request is over, of which nothing more is held, and reach the task all the same. */
function runnerAt(call: WireCall, { fellows, worker, upstream }: AtFellow, link: KeptLink): Runner {
  const asked = { worker, upstream, call: carried(call) };
  return { pass: ({ body }) => fellows.answer({ ...asked, client: link.waiting, answer: body }) };
}

/** What is said there, as the client here gets it: a question has another id, and is withdrawn under that. */
function putBy(link: KeptLink, runner: Runner, tell: (said: Related) => boolean): (said: Related) => boolean {
  const put = new Map<string, Buffer>();
  return (said) => {
    const { data } = said;
    const seen = peek(data);
    if (seen.kind === 'request') {
      const asked = link.askedFor(runner, said);
      put.set(keyOf(idOf(data, seen)), asked.data);
      return tell(asked);
    }
    const taken = seen.method === 'notifications/cancelled' && locate(data, seen.paramsStart, 'requestId');
    const asked = taken && put.get(keyOf(decode(data.subarray(taken.start, taken.end))));
    return tell(asked ? { data: withdrawalOf(asked) } : said);
  };
}

function keyOf(id: unknown): string {
  return JSON.stringify(id ?? null);
}

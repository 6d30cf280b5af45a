/** Failures as they come, for as long as somebody looks. A stream that breaks is taken up where it ended. */
import { type Answer, openStream, type Trouble } from './ask.ts';
import type { FaultDocument } from './documents.ts';
import { createEventReader } from './events.ts';

/** What the one who follows is told. */
export interface Follower {
  readonly onFaults: (faults: readonly FaultDocument[]) => void;
  readonly onOpen: () => void;
  /** It will be tried again in this time. */
  readonly onLost: (trouble: Trouble, waitMs: number) => void;
  /** Trying again is of no use. */
  readonly onEnd: (trouble: Trouble) => void;
}

/** What it stands on: replaced in tests. */
export interface FollowOptions {
  readonly key: string | undefined;
  readonly after: string;
  readonly signal: AbortSignal;
  readonly open?: (after: string, signal: AbortSignal) => Promise<Answer<Pick<Response, 'body'>>>;
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly random?: () => number;
}

const FIRST_MS = 1000;
const MOST_MS = 30_000;
/** The gateway says something every 15 s: who is silent for longer is gone, though nobody has said so. */
const SILENT_MS = 40_000;

const LOST: Trouble = { status: 0, what: 'The connection to the gateway was lost.', advice: '' };

/** Where it may not go on: no key, not this one, or no journal. */
const FINAL: ReadonlySet<number> = new Set([401, 403, 404, 501]);

/** How long to wait after so many losses: longer each time, and not all at once. */
export function backoff(losses: number, random: () => number): number {
  const longest = Math.min(MOST_MS, FIRST_MS * 2 ** losses);
  return Math.round(longest * (0.5 + random() / 2));
}

/** Follows until the signal says that nobody looks any more. */
export async function follow(follower: Follower, options: FollowOptions): Promise<void> {
  const { key, signal, wait = pause, random = Math.random } = options;
  const open = options.open ?? ((after, signal) => openStream(after, { key, signal }));
  let { after } = options;
  let losses = 0;
  while (!signal.aborted) {
    let trouble = LOST;
    const silence = new AbortController();
    const response = await open(after, AbortSignal.any([signal, silence.signal]));
    if ('trouble' in response) trouble = response.trouble;
    else {
      follower.onOpen();
      await readAll(response.ok.body, silence, (faults) => {
        losses = 0;
        after = faults.at(-1)?.id ?? after;
        follower.onFaults(faults);
      });
    }
    if (signal.aborted) return;
    if (FINAL.has(trouble.status)) return follower.onEnd(trouble);
    const waitMs = backoff(losses, random);
    losses += 1;
    follower.onLost(trouble, waitMs);
    await wait(waitMs, signal);
  }
}

/** Reads until the stream ends or breaks: both mean that it is opened again. */
async function readAll(
  body: Response['body'],
  silence: AbortController,
  onFaults: (faults: readonly FaultDocument[]) => void,
): Promise<void> {
  const read = createEventReader();
  const decoder = new TextDecoder();
  const reader = body?.getReader();
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    while (reader !== undefined) {
      timer = setTimeout(() => silence.abort(), SILENT_MS);
      const { done, value } = await reader.read();
      clearTimeout(timer);
      if (done) return;
      const faults = read(decoder.decode(value, { stream: true })).flatMap(faultOf);
      if (faults.length > 0) onFaults(faults);
    }
  } catch {
    // Whoever follows is told that it is lost.
  } finally {
    clearTimeout(timer);
    silence.abort();
  }
}

function faultOf({ data }: { readonly data: string }): readonly FaultDocument[] {
  try {
    return [JSON.parse(data) as FaultDocument];
  } catch {
    return [];
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Failures as they come, gathered for as long as somebody is signed in. */
import { type ReadonlySignal, signal } from '@preact/signals';
import { ask, askMemory, type Trouble } from '../api/ask.ts';
import type { FaultDocument, FaultMemory } from '../api/documents.ts';
import { follow } from '../api/follow.ts';
import { isOfKey, signOut } from '../api/session.ts';
import { fromMemory, withNewer, withOlder } from './gathered.ts';

/** How the connection is. */
export type Line =
  | { readonly is: 'connecting' | 'live' }
  /** There is no journal: the gateway's memory is asked every few seconds. */
  | { readonly is: 'polling' }
  | { readonly is: 'lost'; readonly trouble: Trouble; readonly nextAt: number };

const FIRST = '200';
const POLL_MS = 3000;

const list = signal<readonly FaultDocument[]>([]);
const state = signal<Line>({ is: 'connecting' });
const older = signal(false);

/** What has come, the newest first. */
export const faults: ReadonlySignal<readonly FaultDocument[]> = list;
/** How the connection is. */
export const line: ReadonlySignal<Line> = state;
/** Whether there may be more in the journal than is shown. */
export const hasOlder: ReadonlySignal<boolean> = older;

/** Begins to gather; what it returns ends that. */
export function gather(key: string | undefined): () => void {
  const leaving = new AbortController();
  list.value = [];
  state.value = { is: 'connecting' };
  void begin(key, leaving.signal);
  return () => {
    leaving.abort();
    list.value = [];
  };
}

/** Asks for those before the oldest. */
export async function loadOlder(key: string | undefined): Promise<void> {
  const before = list.value.at(-1)?.id;
  const answer = await ask<{ readonly faults: readonly FaultDocument[] }>('faults', {
    key,
    query: { limit: FIRST, before },
  });
  if (!('ok' in answer)) return;
  list.value = withOlder(list.value, answer.ok.faults);
  older.value = answer.ok.faults.length === Number(FIRST);
}

async function begin(key: string | undefined, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const answer = await ask<{ readonly faults: readonly FaultDocument[] }>('faults', {
      key,
      signal,
      query: { limit: FIRST },
    });
    if (signal.aborted) return;
    if ('ok' in answer) {
      list.value = answer.ok.faults;
      older.value = answer.ok.faults.length === Number(FIRST);
      return followFrom(answer.ok.faults[0]?.id ?? '0', key, signal);
    }
    if (answer.trouble.status === 501) return pollMemory(key, signal);
    if (isOfKey(answer.trouble)) return signOut(answer.trouble);
    lost(answer.trouble, POLL_MS);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

function followFrom(after: string, key: string | undefined, signal: AbortSignal): Promise<void> {
  return follow(
    {
      onOpen: () => {
        state.value = { is: 'live' };
      },
      onFaults: (newer) => {
        list.value = withNewer(list.value, newer);
      },
      onLost: lost,
      onEnd: (trouble) => (isOfKey(trouble) ? signOut(trouble) : lost(trouble, 0)),
    },
    { key, after, signal },
  );
}

function lost(trouble: Trouble, waitMs: number): void {
  state.value = { is: 'lost', trouble, nextAt: Date.now() + waitMs };
}

async function pollMemory(key: string | undefined, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const answer = await askMemory<{ readonly faults: readonly FaultMemory[] }>({
      key,
      signal,
      query: { limit: FIRST },
    });
    if (signal.aborted) return;
    if ('ok' in answer) {
      list.value = withNewer(list.value, answer.ok.faults.map(fromMemory).reverse());
      state.value = { is: 'polling' };
    } else if (isOfKey(answer.trouble)) return signOut(answer.trouble);
    else lost(answer.trouble, POLL_MS);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

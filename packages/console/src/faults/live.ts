/** Failures as they come, gathered for as long as somebody is signed in. */
import { type ReadonlySignal, signal } from '@preact/signals';
import { ask, askMemory, type Question, type Trouble } from '../api/ask.ts';
import type { FaultDocument, FaultMemory } from '../api/documents.ts';
import { follow } from '../api/follow.ts';
import { isOfKey, signOut } from '../api/session.ts';
import { gatewayTime } from '../api/skew.ts';
import { begun, fromMemory, type Gathered, goOn, hold, withNewer, withOlder } from './gathered.ts';

/** How the connection is. */
export type Line =
  | { readonly is: 'connecting' | 'live' }
  /** There is no journal: the gateway's memory is asked every few seconds. */
  | { readonly is: 'polling' }
  | { readonly is: 'lost'; readonly trouble: Trouble; readonly nextAt: number };

const FIRST = '200';
const POLL_MS = 3000;

const NOTHING: Gathered = begun([], { hasOlder: false, hasJournal: false });

const list = signal<Gathered>(NOTHING);
const state = signal<Line>({ is: 'connecting' });

/** What has come, the newest first. */
export const gathered: ReadonlySignal<Gathered> = list;
/** How the connection is. */
export const line: ReadonlySignal<Line> = state;

/** Holds the list still, or lets it go on. */
export function pause(isHeld: boolean): void {
  list.value = isHeld ? hold(list.value) : goOn(list.value);
}

/** Begins to gather; what it returns ends that. */
export function gather(key: string | undefined): () => void {
  const leaving = new AbortController();
  list.value = NOTHING;
  state.value = { is: 'connecting' };
  void begin(key, leaving.signal);
  return () => {
    leaving.abort();
    list.value = NOTHING;
  };
}

interface Listed {
  readonly faults: readonly FaultDocument[];
}

/** Asks for those before the oldest; why there are none, if there are not. */
export async function loadOlder(key: string | undefined): Promise<Trouble | undefined> {
  const before = list.value.shown.at(-1)?.id;
  const answer = await ask<Listed>('faults', { key, query: { limit: FIRST, before } });
  if ('trouble' in answer) return answer.trouble;
  list.value = withOlder(list.value, answer.ok.faults, answer.ok.faults.length === Number(FIRST));
  return undefined;
}

/** A failure of the journal by its id: the one behind the one before it. */
export async function findFault(
  id: string,
  question: Pick<Question, 'key' | 'signal'>,
): Promise<FaultDocument | undefined> {
  const listed = async (query: Question['query']): Promise<FaultDocument | undefined> => {
    const answer = await ask<Listed>('faults', { ...question, query: { ...query, limit: '1' } });
    return 'ok' in answer ? answer.ok.faults[0] : undefined;
  };
  const before = await listed({ before: id });
  const found = await listed({ after: before?.id ?? '0' });
  return found?.id === id ? found : undefined;
}

async function begin(key: string | undefined, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const answer = await ask<Listed>('faults', {
      key,
      signal,
      query: { limit: FIRST },
    });
    if (signal.aborted) return;
    if ('ok' in answer) {
      const hasOlder = answer.ok.faults.length === Number(FIRST);
      list.value = begun(answer.ok.faults, { hasOlder, hasJournal: true });
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
  state.value = { is: 'lost', trouble, nextAt: gatewayTime() + waitMs };
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

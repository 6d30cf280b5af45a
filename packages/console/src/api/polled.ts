/** What is asked again and again while somebody looks. */
import { useCallback, useEffect, useState } from 'preact/hooks';
import { ask, type Trouble } from './ask.ts';
import { isOfKey, key, signOut } from './session.ts';

/** The last answer, and what is wrong since. */
export interface Polled<T> {
  readonly data: T | undefined;
  readonly trouble: Trouble | undefined;
  /** Asks now. */
  readonly again: () => void;
}

/** Asks the admin API every so often; nobody is asked for a page that is hidden. */
export function usePolled<T>(
  path: string,
  everyMs: number,
  query: { readonly [name: string]: string } = {},
): Polled<T> {
  const [said, setSaid] = useState<{ readonly of?: string; readonly data?: T; readonly trouble?: Trouble }>(
    {},
  );
  const [turn, setTurn] = useState(0);
  const question = `${path}?${new URLSearchParams(query)}`;
  const secret = key.value;
  // The question is the path and its query; a turn asks anew.
  useEffect(() => {
    const leaving = new AbortController();
    const look = async (): Promise<void> => {
      if (document.hidden) return;
      const answer = await ask<T>(path, { key: secret, query, signal: leaving.signal });
      if (leaving.signal.aborted) return;
      if ('ok' in answer) return setSaid({ of: question, data: answer.ok });
      if (isOfKey(answer.trouble)) return signOut(answer.trouble);
      setSaid((before) => ({ ...before, trouble: answer.trouble }));
    };
    const onShown = (): void => void look();
    void look();
    const timer = setInterval(onShown, everyMs);
    document.addEventListener('visibilitychange', onShown);
    return () => {
      leaving.abort();
      clearInterval(timer);
      document.removeEventListener('visibilitychange', onShown);
    };
  }, [question, everyMs, secret, turn]);
  const again = useCallback(() => setTurn((before) => before + 1), []);
  return { data: said.of === question ? said.data : undefined, trouble: said.trouble, again };
}

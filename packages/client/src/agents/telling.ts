/** Tools that tell as they go: functions that give one value after the other, of which the last is the result. */

/** Does it give values one after the other? */
export function isTelling(value: unknown): value is AsyncIterable<unknown> {
  return (
    typeof (value as Partial<AsyncIterable<unknown>> | null | undefined)?.[Symbol.asyncIterator] ===
    'function'
  );
}

/** Is it an `async function*`? Of any other function only a call would say what it gives. */
export function isGenerator(execute: unknown): boolean {
  return Object.prototype.toString.call(execute) === '[object AsyncGeneratorFunction]';
}

/** The last value; every one is told on its way. */
export async function lastOf(
  values: AsyncIterable<unknown>,
  tell: (value: unknown) => void,
): Promise<unknown> {
  let last: unknown;
  for await (const value of values) {
    last = value;
    tell(value);
  }
  return last;
}

/** What some work tells, as it tells it; throws what the work throws. Whoever stops listening ends the work. */
export async function* toldBy(
  work: (tell: (value: unknown) => void, signal: AbortSignal) => Promise<unknown>,
): AsyncGenerator<unknown> {
  const untold: unknown[] = [];
  const listening = new AbortController();
  let isOver = false;
  let wake = (): void => undefined;
  const tell = (value: unknown): void => {
    untold.push(value);
    wake();
  };
  const done = work(tell, listening.signal).finally(() => {
    isOver = true;
    wake();
  });
  done.catch(() => undefined); // it is thrown below, unless nobody listens any more
  try {
    for (;;) {
      while (untold.length > 0) yield untold.shift();
      if (isOver) break;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    await done;
  } finally {
    listening.abort();
  }
}

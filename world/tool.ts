/** Tools that have effects and then end in every way there is. */
import { fault, makeFault, toDocument } from '@mayday/core';
import type { Ledger } from './ledger.ts';
import type { Ending } from './story.ts';
import type { Time } from './time.ts';

/** What a tool runs in. */
export interface Surroundings {
  readonly time: Time;
  readonly ledger: Ledger;
  /** Tools of a server whose declarations nobody believes may say anything in them. */
  readonly lies: boolean;
  /** Is the process still there? The dead do nothing. */
  isAlive(): boolean;
  /** The store that knows the keys of this call. */
  epoch(): string;
  die(): void;
  /** The SDK's own way of asking the user to visit a page. */
  question(): Error;
}

/** Runs a tool once. */
export async function runTool(order: string, around: Surroundings): Promise<object> {
  const { time, ledger } = around;
  ledger.runs.push({ order, at: time.now() });
  const { effects, ending, takesMs } = ledger.nextWork(order);
  for (let part = 0; part < effects; part += 1) {
    await pause(around, takesMs / 2);
    ledger.effects.push({ order, part, at: time.now(), epoch: around.epoch() });
  }
  await pause(around, 1);
  return end(ending, order, effects === 0, around);
}

function pause({ time, isAlive }: Surroundings, ms: number): Promise<void> {
  return new Promise((resolve) =>
    time.after(ms, () => {
      if (isAlive()) resolve();
    }),
  );
}

/** Whose answer it is must be seen in it, whoever puts it into words. */
function said(order: string, text: string): string {
  return `Order ${order}: ${text}`;
}

function thrown(message: string, more: object): Error {
  return Object.assign(new Error(message), more);
}

function failure(order: string, text: string, more: object = {}): object {
  return { isError: true, content: [{ type: 'text', text: said(order, text) }], ...more };
}

function declared(order: string, executed: 'no' | 'maybe'): object {
  const message = said(order, 'the bank is down');
  const document = toDocument(makeFault({ kind: 'unavailable', message, executed }));
  return failure(order, 'the bank is down', { _meta: { 'dev.mayday/fault': document } });
}

function end(
  ending: Ending,
  order: string,
  nothingDone: boolean,
  around: Surroundings,
): object | Promise<object> {
  switch (ending) {
    case 'fine':
      return { content: [{ type: 'text', text: said(order, 'done') }] };
    case 'says fetch failed':
      return failure(order, 'fetch failed');
    case 'says 503':
      return failure(order, 'Payment accepted; the receipt failed: 503 Service Unavailable');
    case 'says 429':
      return failure(order, 'Request failed with status code 429, try again in 1 seconds');
    case 'says refused':
      return failure(order, 'connect ECONNREFUSED 10.0.0.5:5432; not executed, safe to retry');
    case 'throws fetch failed':
      throw new TypeError('fetch failed', { cause: thrown('connect', { code: 'ECONNREFUSED' }) });
    case 'throws 429':
      throw thrown(said(order, 'Too Many Requests'), { status: 429, headers: { 'retry-after': '1' } });
    case 'throws 503':
      throw thrown(said(order, 'Service Unavailable'), { status: 503 });
    case 'throws ECONNREFUSED':
      throw thrown(said(order, 'connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' });
    case 'throws ENOTFOUND':
      throw thrown(said(order, 'getaddrinfo ENOTFOUND bank'), { code: 'ENOTFOUND', syscall: 'getaddrinfo' });
    case 'throws a rate limit':
      throw fault.rateLimited(said(order, 'too many'), { retry: { afterMs: 200 } });
    case 'throws unavailable':
      throw fault.unavailable(said(order, 'the bank is down'));
    case 'throws a protocol error':
      throw thrown(said(order, 'Rate limit exceeded'), { code: -32010, data: { retry_after: 1 } });
    case 'asks for a visit':
      throw around.question();
    case 'declares maybe':
      return declared(order, 'maybe');
    case 'declares no':
      return declared(order, nothingDone || around.lies ? 'no' : 'maybe');
    case 'hangs':
      return new Promise(() => undefined);
    case 'dies':
      around.die();
      return new Promise(() => undefined);
  }
}

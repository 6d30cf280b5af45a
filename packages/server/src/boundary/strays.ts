/**
 * Promises that a handler starts and forgets. Node ends the process when one of them is rejected; here the
 * rejection is reported with the call that it came from, and the other calls go on.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

/** The call that something belongs to. */
export interface Stray {
  reportStray(reason: unknown): void;
}

const calls = new AsyncLocalStorage<Stray>();
let watching = false;

/**
 * What is started from here on is the call's. To be called in a job of its own, as both SDKs run handlers: it
 * ends with the job, so that entering, unlike running, costs no way back.
 */
export function enterCall(call: Stray): void {
  calls.enterWith(call);
}

/** Runs something that belongs to no call, though it is run for one: `hear` is told of the promises that it forgets. */
export function enteringNoCall<T>(hear: (reason: unknown) => void, run: () => T): T {
  return calls.run({ reportStray: hear }, run);
}

/** Watches over the process, once. */
export function watchStrays(): void {
  if (watching) return;
  watching = true;
  process.on('unhandledRejection', onUnhandled);
}

function onUnhandled(reason: unknown): void {
  const call = calls.getStore();
  if (call !== undefined) call.reportStray(reason);
  else if (process.listenerCount('unhandledRejection') === 1 && !isSetOtherwise()) throw asError(reason);
}

/** Without a listener of ours, Node would end the process, unless it was started to do something else. */
function isSetOtherwise(): boolean {
  const flags = [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''].join(' ');
  return /--unhandled-rejections=(?:none|warn)/.test(flags);
}

function asError(reason: unknown): Error {
  if (reason instanceof Error) return reason;
  return new Error(`A promise was rejected with ${String(reason)}, and nobody handled it`, { cause: reason });
}

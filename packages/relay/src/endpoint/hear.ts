/** What a failing answer means. */
import { type Language, language, makeFault, type ReadOptions } from '@mayday/core';
import { isMembers } from '../framing/json.ts';
import { createFailureFinder } from '../framing/may-have-failed.ts';
import { peek } from '../framing/peek.ts';
import type { Hear, Heard, SaidHttp, SaidMessage } from './call.ts';
import { SaidBefore } from './said-before.ts';

/** How failures are read, and in which language; in all dialects that come with `@mayday/core`, if absent. */
export interface HearOptions extends ReadOptions {
  readonly language?: Language | undefined;
}

/** Finds and reads failures, in the dialect that a server is said to speak or turns out to. */
export function createHear({ language: spoken = language, ...options }: HearOptions = {}): Hear {
  const finder = createFailureFinder(spoken);
  const before = new SaidBefore();
  const readings = new WeakMap<object, { readonly target: string | undefined; readonly heard: Heard }>();
  return {
    failureIn(bytes, seen) {
      if (!finder.mayHaveFailed(bytes)) return undefined;
      return before.failureIn(bytes, seen ?? peek(bytes), () => finder.failureIn(bytes));
    },
    understand({ method, target }, said) {
      const message = said.type === 'message' && isMembers(said.message) ? said.message : undefined;
      const known = message && readings.get(message);
      if (known !== undefined && known.target === target) return known.heard;
      const called =
        method === 'tools/call' && target !== undefined ? { type: 'tool', id: target } : undefined;
      const heard = understood(spoken, said, { ...options, called });
      // How long to wait may have been counted from now.
      if (message !== undefined && heard.fault.retry.afterMs === undefined)
        readings.set(message, { target, heard });
      return heard;
    },
  };
}

function understood(spoken: Language, said: SaidMessage | SaidHttp, options: ReadOptions): Heard {
  const wire =
    said.type === 'message'
      ? said.message
      : { http: { status: said.status, headers: said.headers, body: said.body.toString('utf8') } };
  const reading = spoken.read(wire, options);
  if (!reading.failure) {
    const fault = makeFault({ kind: 'unknown', message: 'The server failed without saying why' });
    return { fault, dialect: null, placement: 'protocol', certainty: 0 };
  }
  const { fault, dialect, certainty } = reading;
  return { fault, dialect, certainty, placement: reading.placement === 'protocol' ? 'protocol' : 'tool' };
}

/** What a failing answer means. */
import { type Language, language, makeFault, type ReadOptions } from '@mayday/core';
import { createFailureFinder } from '../framing/may-have-failed.ts';
import type { Hear, Heard, SaidHttp, SaidMessage } from './call.ts';

/** How failures are read, and in which language; in all dialects that come with `@mayday/core`, if absent. */
export interface HearOptions extends ReadOptions {
  readonly language?: Language | undefined;
}

/** Finds and reads failures, in the dialect that a server is said to speak or turns out to. */
export function createHear({ language: spoken = language, ...options }: HearOptions = {}): Hear {
  const { failureIn } = createFailureFinder(spoken);
  return { failureIn, understand: (_call, said) => understood(spoken, said, options) };
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

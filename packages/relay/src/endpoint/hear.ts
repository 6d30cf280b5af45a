/** What a failing answer means. */
import { makeFault, type ReadOptions, read } from '@mayday/core';
import type { Hear } from './call.ts';

/** Reads what a server says, in the dialect it is said to speak or turns out to. */
export function createHear(options: ReadOptions = {}): Hear {
  return (_call, said) => {
    const wire =
      said.type === 'message'
        ? said.message
        : { http: { status: said.status, headers: said.headers, body: said.body.toString('utf8') } };
    const reading = read(wire, options);
    if (!reading.failure) {
      const fault = makeFault({ kind: 'unknown', message: 'The server failed without saying why' });
      return { fault, dialect: null, placement: 'protocol', certainty: 0 };
    }
    const { fault, dialect, certainty } = reading;
    return { fault, dialect, certainty, placement: reading.placement === 'protocol' ? 'protocol' : 'tool' };
  };
}

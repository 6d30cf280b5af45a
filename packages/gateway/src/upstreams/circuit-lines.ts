/** Tells the operator when calls are held back, and when they are no more. */
import type { Listener } from '@mayday/policy';
import { boundedLines } from '../bounded-lines.ts';

/** Names of targets come from callers: there may be any number of them. */
const PER_MINUTE = 50;
const MAX_NAME = 200;
const MAX_TRIED = 1000;

/** Hears the circuits of one upstream. What is tried in between is no news. */
export function circuitLines(tell: (text: string) => void): Listener {
  const tried = new Set<string>();
  const line = boundedLines({
    perMinute: PER_MINUTE,
    tell,
    leftOut: (count) =>
      count === 'the rest'
        ? `more than ${PER_MINUTE} circuits in a minute; the rest of them is left out`
        : `${count} lines about circuits were left out; the last of them:`,
  });
  return (event) => {
    if (event.type !== 'circuit') return;
    const { target, caller, session, state } = event;
    const which = JSON.stringify([caller, session, target]);
    const wasTried = tried.delete(which);
    if (state === 'half_open') {
      if (tried.size < MAX_TRIED) tried.add(which);
      return;
    }
    const isOpen = state === 'open';
    if (isOpen && wasTried) return;
    const name = target === undefined ? '' : ` target=${JSON.stringify(target.slice(0, MAX_NAME))}`;
    line(
      isOpen
        ? `circuit open${name}: ${held(event)} held back because it ${WHY[target === undefined ? 'all' : 'one']}`
        : `circuit closed${name}: works again`,
    );
  };
}

const WHY = { all: 'does not answer', one: 'keeps failing' } as const;

type CircuitEvent = Extract<Parameters<Listener>[0], { readonly type: 'circuit' }>;

function held({ target, caller, session }: CircuitEvent): string {
  const calls = target === undefined ? 'calls' : 'its calls';
  if (session !== undefined) return `${calls} in one session are`;
  return caller === undefined ? `${calls} are` : `${calls} by one caller are`;
}

/** Log lines of failures: `fault upstream=a method=tools/call tool=pay kind=timeout … id=… "The server …"`. */
import type { Fault } from '@mayday/core';
import { forOperator } from '@mayday/core/render';
import type { BesideFault, FailedCall } from '../call/record.ts';
import { asLogLine, toLogLine } from '../log-lines.ts';
import { callWords } from '../log-words.ts';

/** A line that was written before, without the number in it. */
interface Known {
  readonly of: FailedCall;
  readonly start: string;
  readonly end: string;
}

/** Puts lines together. Those of a failure that a server repeats differ in nothing but its number: they are made once. */
export function createFaultLines(): (fault: Fault, of: FailedCall, beside: BesideFault) => string {
  const known = new WeakMap<Fault, Known>();
  return (fault, of, { reason, trace, unnumbered }) => {
    const isOwn = reason !== undefined || trace !== undefined;
    const number = isOwn || unnumbered === undefined ? undefined : fault.correlationId;
    const before = number === undefined || unnumbered === undefined ? undefined : known.get(unnumbered);
    if (before !== undefined && isSame(before.of, of))
      return asLogLine(`${before.start}${number}${before.end}`);
    const line = toLogLine(`fault ${callWords(of, reason, trace)} ${forOperator(fault)}`);
    if (number === undefined || unnumbered === undefined) return line;
    const [start, end, more] = line.split(number, 3);
    if (start !== undefined && end !== undefined && more === undefined)
      known.set(unnumbered, { of, start, end });
    return line;
  };
}

function isSame(one: FailedCall, other: FailedCall): boolean {
  return (
    one.upstream === other.upstream &&
    one.method === other.method &&
    one.target === other.target &&
    one.caller === other.caller
  );
}

/**
 * Answers to failures that a server repeats. In our own dialect they are the same bytes each time, but for the id of
 * the call and the number by which caller and operator can speak about this failure.
 */
import type { Fault } from '@mayday/core';
import type { Answer, WireCall } from '@mayday/relay';

interface Known {
  readonly method: string;
  readonly revision: WireCall['revision'];
  readonly status: number;
  /** What stands between the id and the number, and behind it. */
  readonly middle: string;
  readonly end: string;
  /** Of the whole: plain letters are written without being counted first. */
  readonly encoding: 'latin1' | 'utf8';
}

const START = '{"jsonrpc":"2.0","id":';
/** Ids that are written in one way only. */
const PLAIN_ID = /^(?:0|[1-9]\d{0,14}|"[\w.:-]{0,100}")$/;
const PLAIN_NUMBER = /^[\w.:-]+$/;

/** Remembers answers by the fault that they are about, without its number. */
export class KnownAnswers {
  readonly #known = new WeakMap<Fault, Known>();

  /** The answer to this call, if the same failure was answered before. */
  find(call: WireCall, fault: Fault, number: string): Pick<Answer, 'body' | 'status'> | undefined {
    const known = this.#known.get(fault);
    if (known === undefined || known.method !== call.method || known.revision !== call.revision)
      return undefined;
    const id = plainId(call);
    if (id === undefined) return undefined;
    const { middle, end, encoding, status } = known;
    return { body: Buffer.from(`${START}${id}${middle}${number}${end}`, encoding), status };
  }

  /** Remembers an answer, where nothing else in it depends on the call. */
  learn(call: WireCall, fault: Fault, number: string, { body, status }: Answer): void {
    const id = plainId(call);
    const text = body.toString('utf8');
    const at = PLAIN_NUMBER.test(number) ? text.indexOf(number) : -1;
    if (id === undefined || at < 0 || text.includes(number, at + 1) || !text.startsWith(`${START}${id},`))
      return;
    const { method, revision } = call;
    const middle = text.slice(START.length + id.length, at);
    const end = text.slice(at + number.length);
    const encoding = text.length === body.length ? 'latin1' : 'utf8';
    this.#known.set(fault, { method, revision, status, middle, end, encoding });
  }
}

function plainId({ body, peek }: WireCall): string | undefined {
  const { kind, idStart, idEnd } = peek;
  const id = kind === 'request' ? body.toString('latin1', idStart, idEnd) : '';
  return PLAIN_ID.test(id) ? id : undefined;
}

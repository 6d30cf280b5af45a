/** In a closed document, what a server tells and asks beside its answers says no more than they may. */
import type { Dialect } from '@mayday/core';
import { toldIn } from '@mayday/core/forms';
import {
  decode,
  encode,
  isMembers,
  type Path,
  type Related,
  WatchedBack,
  type WirePolicy,
} from '@mayday/relay';
import { type DialectChoice, dialectFor } from './dialects.ts';
import { mend } from './mend.ts';

/** Takes out of it what the caller's dialect does not let cross, while a call runs. */
export function closeBeside(upstream: string, dialects: DialectChoice): WirePolicy {
  return (next) => (call) => {
    const dialect = dialectFor(call, upstream, dialects);
    if (dialect.told === undefined) return next(call);
    const { back } = call;
    const related = (message: Related): boolean => {
      const data = closed(mend(message.data), dialect); // it knows the places of secrets, not the secrets
      return back.related(data === message.data ? message : { data, id: message.id });
    };
    return next({ ...call, back: new WatchedBack(back, related) });
  };
}

/** The same at any other time, of what is without secrets already. */
export function closingFor(upstream: string, dialects: DialectChoice): NonNullable<Path['mendFor']> {
  return ({ request: { headers }, caller }) => {
    const dialect = dialectFor({ headers, by: caller }, upstream, dialects);
    return (message) => closed(message, dialect);
  };
}

function closed(message: Buffer, dialect: Dialect): Buffer {
  if (dialect.told === undefined || message.length === 0) return message;
  const said = decode(message);
  if (!isMembers(said) || typeof said['method'] !== 'string' || !isMembers(said['params'])) return message;
  const params = toldIn(said['method'], said['params'], dialect);
  return params === said['params'] ? message : encode({ ...said, params });
}

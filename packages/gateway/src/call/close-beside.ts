/** In a closed document, what a server tells and asks while a call runs says no more than the answers may. */
import type { Dialect } from '@mayday/core';
import { toldIn } from '@mayday/core/forms';
import { decode, encode, isMembers, type Related, WatchedBack, type WirePolicy } from '@mayday/relay';
import { type DialectChoice, dialectFor } from './dialects.ts';
import { mend } from './mend.ts';

/** Takes out of it what the caller's dialect does not let cross. */
export function closeBeside(dialects: DialectChoice): WirePolicy {
  return (next) => (call) => {
    const dialect = dialectFor(call, call.upstream, dialects);
    if (dialect.told === undefined) return next(call);
    const { back } = call;
    const related = (message: Related): boolean => back.related(closed(message, dialect));
    return next({ ...call, back: new WatchedBack(back, related) });
  };
}

function closed(message: Related, dialect: Dialect): Related {
  const data = mend(message.data); // a document knows the places of secrets, not the secrets
  const said = data.length === 0 ? undefined : decode(data);
  if (!isMembers(said) || typeof said['method'] !== 'string' || !isMembers(said['params'])) return message;
  const params = toldIn(said['method'], said['params'], dialect);
  return params === said['params'] ? message : { data: encode({ ...said, params }), id: message.id };
}

/**
 * Bodies that came packed, although nobody asks for that here: they are not read, and what nobody can read proves nothing. Nor
 * does one that is only said to be packed: other readers could not make anything of it.
 */
import type { FaultInit } from '@mayday/core';
import { isEventStream } from '../protocol/headers.ts';
import type { HttpHead } from './link.ts';

type Headed = Pick<HttpHead, 'headers'>;

/** Is the body packed, by what its head says? */
export function isPacked({ headers }: Headed): boolean {
  return !/^(?:|identity)$/i.test(codingOf(headers));
}

/** Is it a stream of events of which none can be read? Nobody waits for its end, which may never come. */
export function isPackedStream(head: Pick<HttpHead, 'status' | 'headers'>): boolean {
  return head.status >= 200 && head.status < 300 && isEventStream(head.headers) && isPacked(head);
}

/** What there is to say of it, instead of what it says; nothing, where it is as it is. */
export function saysPacked(head: Headed): string | undefined {
  if (!isPacked(head)) return undefined;
  const coding = codingOf(head.headers);
  const how = /^[\w-]{1,20}$/.test(coding) ? ` (${coding})` : '';
  return `it is compressed${how}, which it was not asked for`;
}

/** A failure of which the status alone could be read. */
export function ofStatusAlone<F extends Pick<FaultInit, 'message' | 'executed'>>(
  fault: F,
  head: HttpHead,
): F {
  const { message, executed } = fault;
  const status = `HTTP ${head.status}`;
  const said = message?.replace(/[\s.]+$/, '') || status;
  const named = said.includes(String(head.status)) ? said : `${said} (${status})`;
  return {
    ...fault,
    executed: executed === 'yes' ? 'yes' : 'maybe',
    message: `${named}; what it says cannot be read: ${saysPacked(head)}`,
  };
}

function codingOf(headers: HttpHead['headers']): string {
  return String(headers['content-encoding'] ?? '').trim();
}

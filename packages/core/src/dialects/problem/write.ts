import { documentOf } from '../../document.ts';
import type { Fault, Json } from '../../fault.ts';
import { toSeconds } from '../../http-status.ts';
import { TRAITS } from '../../kinds.ts';
import type { WriteContext, Written } from '../dialect.ts';
import { TYPE_BASE } from './codes.ts';

/** An HTTP response with a problem document that carries the whole fault as extension members. */
export function write(fault: Fault, _context: WriteContext): Written {
  const { title, http: status } = TRAITS[fault.kind];
  const { message, ...members } = documentOf(fault);
  const body: { [key: string]: Json } = {
    type: `${TYPE_BASE}${fault.kind}`,
    title,
    status,
    detail: message as Json,
    ...members,
  };
  const headers: { [name: string]: string } = { 'content-type': 'application/problem+json' };
  if (fault.retryable && fault.retry.afterMs !== undefined)
    headers['retry-after'] = String(toSeconds(fault.retry.afterMs));
  if (status === 401) headers['www-authenticate'] = 'Bearer';
  return { wire: { http: { status, headers, body } } };
}

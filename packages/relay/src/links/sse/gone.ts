/** What an address of 2024-11-05 says under a status. */
import { type FaultInit, read } from '@mayday/core';
import { endpointGone } from '@mayday/core/http';
import { faultOfHttp } from '../http-answer.ts';
import type { HttpHead } from '../link.ts';
import { isPacked } from '../packed.ts';
import { wholeHead } from '../whole-head.ts';

/** A 405 is how servers say that they have no such stream: that they are there, and speak otherwise. */
const NO_STREAM = 405;

/** The fault of a server that is gone, or the one that can be read. */
export function faultAtAddress(head: HttpHead, said: Buffer): FaultInit {
  if (isPacked(head)) return faultOfHttp(head, said);
  const whole = { ...wholeHead(head), body: said.toString('utf8') };
  const reading = head.status === NO_STREAM ? undefined : read({ http: whole });
  if (reading?.failure !== true) return faultOfHttp(head, said);
  const { fault, dialect } = reading;
  return endpointGone({ ...whole, fault, dialect, origin: 'upstream' }) ?? faultOfHttp(head, said);
}

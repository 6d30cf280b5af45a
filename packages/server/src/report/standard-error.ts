/** The log of a server that has none: a reference that callers are given must lead somewhere. */
import { type Fault, FaultError } from '@mayday/core';
import { label } from '../words/tidy.ts';
import type { FaultEvent } from './report.ts';

/** Writes what was really thrown, where its words did not go out. What callers did wrong, they are told themselves. */
export function writeToStandardError({ fault, cause, correlationId, call }: Said): void {
  const { reaction, kind } = fault;
  if (reaction === 'validation' || reaction === 'permission') return;
  if (cause === undefined || cause instanceof FaultError || isTold(cause, fault)) return;
  const name = call?.name === undefined ? '' : ` ${JSON.stringify(label(call.name))}`;
  const where = call === undefined ? '' : ` in ${label(call.method)}${name}`;
  // biome-ignore lint/suspicious/noConsole: standard error is the log here
  console.error(`mayday: ${kind}${where}, reference ${label(correlationId)}:`, cause);
}

/** What is written of a fault. */
type Said = Pick<FaultEvent, 'fault' | 'cause' | 'correlationId'> & Partial<Pick<FaultEvent, 'call'>>;

function isTold(cause: unknown, { message }: Fault): boolean {
  return cause instanceof Error && cause.message !== '' && message.includes(cause.message);
}

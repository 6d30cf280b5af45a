/**
 * The log of a server that has none: a reference that callers are given must lead somewhere. Whoever starts a server over
 * stdio may read nothing of its standard error, and a pipe that is full stops the process: so little is written in all that
 * it fits into any.
 */
import { inspect } from 'node:util';
import { type Fault, FaultError } from '@mayday/core';
import { label } from '../words/tidy.ts';
import type { FaultEvent } from './report.ts';

/** The first ones tell most; together they are shorter than a pipe is long. */
const MOST = 20;
const LONGEST = 1000;
let written = 0;

/** Writes what was really thrown, where its words did not go out. What callers did wrong, they are told themselves. */
export function writeToStandardError({ fault, cause, correlationId, call }: Said): void {
  const { reaction, kind } = fault;
  if (written > MOST || reaction === 'validation' || reaction === 'permission') return;
  if (cause === undefined || cause instanceof FaultError || isTold(cause, fault)) return;
  written += 1;
  const name = call?.name === undefined ? '' : ` ${JSON.stringify(label(call.name))}`;
  const where = call === undefined ? '' : ` in ${label(call.method)}${name}`;
  const line = `mayday: ${kind}${where}, reference ${label(correlationId)}: ${inspect(cause).slice(0, LONGEST)}`;
  // biome-ignore lint/suspicious/noConsole: standard error is the log here
  console.error(written > MOST ? ENOUGH : line);
}

const ENOUGH = 'mayday: further ones are not written here; give `guard` a `logger` to have them all';

/** For tests: nothing has been written yet. */
export function startAgain(): void {
  written = 0;
}

/** What is written of a fault. */
type Said = Pick<FaultEvent, 'fault' | 'cause' | 'correlationId'> & Partial<Pick<FaultEvent, 'call'>>;

function isTold(cause: unknown, { message }: Fault): boolean {
  return cause instanceof Error && cause.message !== '' && message.includes(cause.message);
}

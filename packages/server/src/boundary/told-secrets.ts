/**
 * What one part of a call's answer gives away as a secret goes from all that is told of the call: from the fault that is made
 * of it, from the words beside it, and from what the call tells later.
 */
import { hidingTold, type RedactOptions, type ToldSecret, toldSecrets } from '@mayday/core/redact';
import { privateCause } from '../report/report.ts';
import { sayings } from '../words/sayings.ts';
import type { Failure } from './failure.ts';

/** A call, and what has been given away in it so far. */
export interface Telling {
  readonly arguments: unknown;
  told: readonly ToldSecret[];
}

/** More are not remembered. */
const MOST = 50;

/** Remembers what a message of the call gives away. */
export function learnTold(call: Telling, said: unknown, redaction?: RedactOptions): void {
  const found = toldSecrets(sayings(said), redaction);
  if (found.length > 0) call.told = [...found, ...call.told].slice(0, MOST);
}

/** What a failure is made of: what it says, and all that is behind it and stays here. */
export function partsOf({ thrown, data, cause, met }: Failure): readonly unknown[] {
  return [thrown.fault, data, cause ?? privateCause(thrown), thrown, met];
}

/** The settings with which all of an answer is redacted; `parts`: what it is made of, and what it leaves out. */
export function withTold<S extends { readonly redaction: RedactOptions }>(
  settings: S,
  call: Pick<Telling, 'told'>,
  ...parts: readonly unknown[]
): S {
  const found = toldSecrets(sayings(parts), settings.redaction);
  const redaction = hidingTold(settings.redaction, [...found, ...call.told]);
  return redaction === settings.redaction ? settings : { ...settings, redaction };
}

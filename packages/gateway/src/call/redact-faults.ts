/** Nothing secret gets past this point, neither to the caller nor to the operator. */
import { randomUUID } from 'node:crypto';
import type { Fault } from '@mayday/core';
import { inOneLine } from '@mayday/core/http';
import { after, type Failed } from '@mayday/policy';
import type { Wire, WireCall, WirePolicy } from '@mayday/relay';
import { toRead, toTell } from '../clean-cut.ts';
import { withoutCutSecrets } from './cut-secrets.ts';
import { type Cleaner, cleanerOf, type Redaction, STANDARD } from './redaction.ts';

/** A message is a sentence or a few, not a page. */
const MAX_MESSAGE = 4000;

/** What is known of a fault that was given its number here. */
export interface Numbered {
  /** The same fault without the number, where it was met before. */
  readonly unnumbered?: Fault | undefined;
  /** The fault for the caller, where its upstream's failures are passed on with more in them than the operator keeps. */
  readonly told?: Fault | undefined;
}

/** How much is taken out of the failures of an upstream. */
export interface RedactionOptions {
  /** By the name of the upstream; everything, if absent. */
  readonly redactionOf?: ((upstream: string) => Redaction) | undefined;
}

/** Redacts every fault, and gives it the id by which caller and operator can speak about it. */
export function redactFaults({ redactionOf }: RedactionOptions = {}): WirePolicy {
  // A failure that a server repeats is the same fault each time.
  const known = new WeakMap<Fault, Fault>();
  return after((outcome, call) => {
    if (outcome.ok) return outcome;
    const repeated = known.get(outcome.fault);
    const safely = (cleaner: Cleaner): Fault => {
      const { clean, cleanFault } = cleaner.knowing(outcome.value);
      return cleanAndShort(withoutCutSecrets(outcome.fault, outcome.value, clean), cleanFault);
    };
    const fault = repeated ?? safely(STANDARD);
    if (repeated === undefined) known.set(outcome.fault, fault);
    const numbered = { ...fault, correlationId: fault.correlationId ?? randomUUID() };
    const redaction = redactionOf?.(upstreamOf(outcome, call)) ?? 'standard';
    if (redaction !== 'standard') {
      const { correlationId } = numbered;
      const told = { ...withLineOfPage(safely(cleanerOf(redaction)), outcome, redaction), correlationId };
      return { ...outcome, fault: numbered, told } satisfies Failed<Wire> & Numbered;
    }
    const unnumbered = fault.correlationId === undefined ? repeated : undefined;
    return { ...outcome, fault: numbered, unnumbered } satisfies Failed<Wire> & Numbered;
  });
}

/** A page was redacted whole before it became a line, for the operator: whoever is told more is told another line of it. */
function withLineOfPage(told: Fault, { value }: Failed<Wire>, redaction: Redaction): Fault {
  if (value?.type !== 'http') return told;
  const page = value.body.toString('utf8', 0, MAX_PAGE);
  const line = inOneLine(page);
  if (line === '' || !told.message.includes(line)) return told;
  const again = inOneLine(page, cleanerOf(redaction).clean);
  return { ...told, message: told.message.replace(line, () => again) };
}

/** The line is made of its first words. */
const MAX_PAGE = 64 * 1024;

/** Whose failure it is. */
export function upstreamOf({ value }: Failed<Wire>, call: WireCall): string {
  return (value === undefined || value.type === 'answer' ? undefined : value.upstream) ?? call.upstream;
}

/** Whoever wants all of a message finds it in the answer itself, beside our words. */
export function cleanAndShort(fault: Fault, clean: (fault: Fault) => Fault): Fault {
  const { length } = fault.message;
  const read = toRead(length, MAX_MESSAGE);
  const safe = clean(read < length ? { ...fault, message: fault.message.slice(0, read) } : fault);
  const isWhole = length <= MAX_MESSAGE && safe.message.length <= MAX_MESSAGE;
  return isWhole
    ? safe
    : { ...safe, message: `${toTell(safe.message, read, MAX_MESSAGE).slice(0, MAX_MESSAGE - 1)}…` };
}

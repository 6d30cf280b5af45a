/** The text for the model: the fault's words whole, then what to do next, said once. */
import type { Fault } from '@mayday/core';
import { adviceFor, untold } from '@mayday/core/render';

/** What a model needs to act on a fault; `reference` is for whoever has to look into the log. */
export function textFor(fault: Fault, reference?: string): string {
  const advice = adviceFor(fault);
  const happened = withIssues(fault);
  const text = happened.includes(advice) ? happened : withAdvice(happened, advice);
  return reference === undefined ? text : `${text} Reference: ${reference}.`;
}

/** The same for a protocol error, whose message is one sentence: fields and suggestions, no general advice. */
export function messageFor(fault: Fault): string {
  const happened = withIssues(fault);
  return fault.advice === undefined ? happened : withAdvice(happened, fault.advice);
}

/** The message, and the issues that it does not tell already. */
function withIssues({ message, issues }: Fault): string {
  const more = untold(message, issues);
  return more.length === 0 ? message : `${message.replace(/[.:;]\s*$/, '')}: ${more.join('; ')}`;
}

/** What spans lines, a listing or a piece of a file, stays as it is; advice begins a line of its own. */
function withAdvice(text: string, advice: string): string {
  const trimmed = text.trimEnd();
  if (trimmed.includes('\n')) return `${trimmed}\n${advice}`;
  return `${/[.!?…]$/.test(trimmed) ? trimmed : `${trimmed}.`} ${advice}`;
}

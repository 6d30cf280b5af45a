/** A tool that its server lists is there: what is said of its name when it is called is how it failed, and nobody knows what it did. */
import { after, type Failed } from '@mayday/policy';
import type { Said, Wire, WirePolicy } from '@mayday/relay';
import { answeredCall } from './ended-task.ts';
import { namedAs } from './refusal-of.ts';
import type { ToolHints } from './tool-hints.ts';

/** Takes no listed tool for one that is not there, whoever says so. */
export function foundTools(hints: Pick<ToolHints, 'of'>): WirePolicy {
  return after((outcome, made) => {
    if (outcome.ok || !isOfServer(outcome)) return outcome;
    const call = answeredCall(made, outcome.value as Said);
    if (call.method !== 'tools/call') return outcome;
    const isDenied = namedAs(call, outcome.fault) !== undefined;
    return isDenied && hints.of(call, call.target as string) !== undefined ? asFound(outcome) : outcome;
  });
}

/** Did the server say it, in a message or by HTTP, and nobody in its place? */
export function isOfServer({ value }: Failed<Wire>): boolean {
  return value?.type === 'message' || value?.type === 'http';
}

/** The failure of a tool that is there. */
export function asFound(outcome: Failed<Wire>): Failed<Wire> {
  const { advice: _advice, ...fault } = outcome.fault;
  const executed = fault.executed === 'no' ? 'maybe' : fault.executed;
  const { value } = outcome;
  const tool = value === undefined || value.type === 'answer' ? undefined : value.tool;
  return {
    ...outcome,
    fault: { ...fault, executed, origin: 'server' },
    ...(tool === undefined ? {} : { value: { ...value, tool: { ...tool, isListed: true } } as Wire }),
  };
}

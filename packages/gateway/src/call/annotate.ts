/** What is known about the tool that is called, as far as it decides whether the call may be repeated. */
import { type Fault, type Language, language } from '@mayday/core';
import { isRepeatable, type PlannedCall } from '@mayday/core/plan';
import { IDEMPOTENCY_KEY } from '@mayday/core/protocol';
import { calmed, warned } from '@mayday/core/render';
import { type Call, passing } from '@mayday/policy';
import type { WireCall, WireOutcome, WirePolicy } from '@mayday/relay';
import type { CommonSettings } from '../settings/settings.ts';
import { answeredCall } from './ended-task.ts';
import type { ToolHints } from './tool-hints.ts';

/** Adds the tool's own word, if it is trusted, and the operator's, which overrules it. */
export function annotate(
  hints: ToolHints,
  settings: CommonSettings['retry'],
  readIn: Language = language,
): WirePolicy {
  const repeatable = new Map<string, boolean>([
    ...settings.repeatable.map((tool) => [tool, true] as const),
    ...settings.neverRepeat.map((tool) => [tool, false] as const),
  ]);
  const knownOf = (call: WireCall, tool: string): ToolWord | undefined =>
    settings.trustAnnotations ? hints.of(call, tool) : undefined;
  const annotated = (call: WireCall, tool: string): WireCall => {
    const known = knownOf(call, tool);
    return {
      ...call,
      readOnly: known?.readOnly,
      idempotent: known?.idempotent,
      destructive: known?.destructive,
      repeatable: repeatable.get(tool),
      once: repeatable.get(tool) === false ? true : call.once,
      // The key is honoured here; a server that knows nothing of keys would execute a second attempt.
      idempotencyKey: known?.takesKeys === true ? call.idempotencyKey : undefined,
    };
  };
  /** Everything that is known of a tool, and nothing of the call. */
  const wordOf = (call: WireCall, tool: string | undefined): PlannedCall => {
    if (tool === undefined) return {};
    const { readOnly, idempotent, destructive } = knownOf(call, tool) ?? {};
    return { readOnly, idempotent, destructive, repeatable: repeatable.get(tool) };
  };
  const ofTask = (call: WireCall, outcome: WireOutcome): WireOutcome => {
    if (outcome.ok || outcome.value === undefined || outcome.value.type === 'answer') return outcome;
    const began = answeredCall(call, outcome.value);
    return began === call ? outcome : cautiously(wordOf(began, began.target), outcome, readIn);
  };
  return passing({
    before: (call) =>
      call.method === 'tools/call' && call.target !== undefined ? annotated(call, call.target) : call,
    after: (outcome, call) => {
      if (outcome.ok) return outcome;
      if (call.method !== 'tools/call') return ofTask(call, outcome);
      if (call.target === undefined) return outcome;
      return cautiously(wordOf(call, call.target), outcome, readIn);
    },
  });
}

/** A call with the word of its tool as it is known by now: it may have been asked for after a failure, or taken back. */
export function asKnown<C extends Call>(
  call: C,
  hints: Pick<ToolHints, 'of'>,
  { trustAnnotations }: CommonSettings['retry'],
): C {
  const { method, headers, meta } = call as Partial<Pick<WireCall, 'method' | 'headers' | 'meta'>>;
  if (!trustAnnotations || method !== 'tools/call' || call.target === undefined || headers === undefined)
    return call;
  const { readOnly, idempotent, destructive, takesKeys } = hints.of({ headers }, call.target) ?? {};
  // It was taken from a call whose tool nobody had listed.
  const key = call.idempotencyKey ?? (meta?.[IDEMPOTENCY_KEY] as string | undefined);
  const idempotencyKey = takesKeys === true ? key : undefined;
  const isSame =
    call.readOnly === readOnly &&
    call.idempotent === idempotent &&
    call.destructive === destructive &&
    call.idempotencyKey === idempotencyKey;
  return isSame ? call : { ...call, readOnly, idempotent, destructive, idempotencyKey };
}

type ToolWord = NonNullable<ReturnType<ToolHints['of']>>;

/** By the fault as a server told it: one that repeats it gives the same fault each time, and what is made of that is known by then. */
const asCautioned = new WeakMap<Fault, Fault>();
const asCalmed = new WeakMap<Fault, Fault>();

/**
 * Who is told to try again is told what that can do: a model knows nothing of what the gateway would not repeat. A key
 * does not help: whoever calls again makes another one. The word of the tool is that of now: it may have been asked for
 * since the call was made.
 */
function cautiously(word: PlannedCall, outcome: WireOutcome, readIn: Language): WireOutcome {
  if (outcome.ok) return outcome;
  const { fault } = outcome;
  return { ...outcome, fault: isRepeatable(word) ? calmedFor(fault) : cautionedFor(fault, readIn) };
}

/** Is another thing told of the fault where the tool only reads than where it does more? */
export function dependsOnTool(fault: Fault, readIn: Language = language): boolean {
  return cautionedFor(fault, readIn) !== fault || calmedFor(fault) !== fault;
}

/** What the fault is on a tool that does more than read; the fault itself, where that is the same. */
function cautionedFor(fault: Fault, readIn: Language): Fault {
  return madeOnce(asCautioned, fault, (told) => warned(told, readIn));
}

/** The same on a tool that only reads. */
function calmedFor(fault: Fault): Fault {
  return madeOnce(asCalmed, fault, calmed);
}

function madeOnce(known: WeakMap<Fault, Fault>, fault: Fault, make: (fault: Fault) => Fault): Fault {
  const found = known.get(fault);
  if (found !== undefined) return found;
  const made = make(fault);
  known.set(fault, made);
  return made;
}

/** `callTool`: the request went through the one place; here its outcome meets the checks of the SDK. */
import { faultOf } from '@mayday/core';
import type { Outcome, Settled } from '@mayday/policy';
import { INSIDE, type Inside, insideOf } from './call.ts';
import { errorOf } from './carry-fault.ts';
import { isMisuse } from './misuse.ts';
import type { Failures } from './options.ts';
import { faultInSdkError, outputRejected, refusedBySdk } from './read-failure.ts';
import { toToolResult, withFault } from './tool-result.ts';
import type { Flavour } from './types.ts';
import { unsendableIn } from './unsendable.ts';

/** Calls a tool and hands the outcome over in the way that was asked for. */
export async function settleToolCall(
  callTool: (...args: unknown[]) => Promise<unknown>,
  args: readonly unknown[],
  flavour: Flavour,
  failures: Failures | 'settled',
): Promise<unknown> {
  const at = flavour.callOptionsAt;
  const inside: Inside = { tool: true, extras: insideOf(args[at]).extras };
  const passed = [...args];
  passed[at] = { ...(args[at] as object | undefined), [INSIDE]: inside };
  const outcome = await finalOutcome(callTool, passed, inside);
  if (failures === 'settled')
    return { attempts: 0, elapsedMs: 0, ...inside.settled, outcome } satisfies Settled<unknown>;
  if (outcome.ok) return outcome.value;
  if (failures === 'result') return toToolResult(outcome.fault);
  if (failures === 'sdk' && outcome.value !== undefined) return withFault(outcome.value, outcome.fault);
  throw await errorOf(outcome, flavour);
}

async function finalOutcome(
  callTool: (...args: unknown[]) => Promise<unknown>,
  args: readonly unknown[],
  inside: Inside,
): Promise<Outcome<unknown>> {
  try {
    const value = await callTool(...args);
    const read = inside.settled?.outcome;
    return read === undefined || read.ok ? { ok: true, value } : read;
  } catch (thrown) {
    const read = inside.settled?.outcome;
    // The server's own failure says more than the SDK's complaint about its form.
    if (read !== undefined && !read.ok) return read;
    if (isMisuse(thrown)) throw thrown;
    const carried = faultOf(thrown);
    if (carried !== undefined) return { ok: false, fault: carried, thrown };
    const from = { now: 0, hadSession: false, began: false };
    if (read === undefined) {
      const unsendable = unsendableIn(thrown, args[0]);
      const fault = unsendable ?? refusedBySdk(thrown, faultInSdkError(thrown, from));
      return { ok: false, fault, thrown };
    }
    const fault = outputRejected(thrown, read.value);
    inside.onRejected?.(fault);
    return { ok: false, fault, thrown };
  }
}

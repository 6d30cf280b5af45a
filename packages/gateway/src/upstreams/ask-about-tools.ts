/**
 * A tool may be called by somebody who has never listed it here. When such a call fails, and it depends on the tool's
 * own word whether it may be made again, here or by whoever is told, its server is asked for that word.
 */
import type { Language } from '@mayday/core';
import { after, type Failed } from '@mayday/policy';
import type { Wire, WireCall, WirePolicy } from '@mayday/relay';
import { dependsOnTool } from '../call/annotate.ts';
import type { ToolHints } from '../call/tool-hints.ts';
import type { AskForTools } from '../call/tool-questions.ts';
import type { CommonSettings, UpstreamSettings } from '../settings/settings.ts';

/** How long a failing call waits for the list. */
const PATIENCE_MS = 2000;

/** The last before the server: its questions are no calls of anybody's, and speak for and against nobody. */
export function askAboutTools(
  hints: ToolHints,
  settings: UpstreamSettings,
  ask: AskForTools,
  readIn?: Language | undefined,
): WirePolicy {
  return after((outcome, call, next) => {
    if (outcome.ok || !isWorthAsking(call, outcome, hints, settings, readIn)) return outcome;
    const patienceMs = patienceFor(call, outcome, settings);
    return ask(next, call, patienceMs).then(() => outcome); // whatever came of it, the call that failed is told
  });
}

/** A process that has to be started for it has half of the time that the call has left: the rest is for its next attempt. */
function patienceFor(
  { deadline, above }: WireCall,
  { fault }: Failed<Wire>,
  { type, openTimeoutMs }: UpstreamSettings,
): number {
  if (type !== 'command' || fault.kind !== 'disconnected') return PATIENCE_MS;
  const leftMs = Math.min(deadline, above?.deadline ?? deadline) - Date.now();
  return Math.max(PATIENCE_MS, Math.min(openTimeoutMs, leftMs / 2));
}

/** Would another attempt follow if the tool only reads, or would its caller be told something else? */
function isWorthAsking(
  call: WireCall,
  { fault, committed }: Failed<Wire>,
  hints: ToolHints,
  { retry: { attempts, trustAnnotations } }: CommonSettings,
  readIn: Language | undefined,
): boolean {
  if (call.method !== 'tools/call' || call.target === undefined || hints.of(call, call.target) !== undefined)
    return false;
  // Without attempts of its own the gateway leaves the question to whoever makes them, unless it had the word and lost it.
  const isAskedHere = attempts > 1 || hints.wasListed(call.target);
  const counts = trustAnnotations && isAskedHere && call.repeatable === undefined && !call.signal.aborted;
  if (!counts || fault.executed === 'no') return false;
  const isDecided = call.once === true || call.above?.attempt !== undefined;
  const isLast = call.attempt >= attempts || committed === true;
  return (fault.retryable && !isDecided && !isLast) || dependsOnTool(fault, readIn);
}

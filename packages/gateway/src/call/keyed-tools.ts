/**
 * What decides about a repeat of a call with a key: the word of its tool, as far as that is believed, and the operator's,
 * which overrules it. A tool that nobody was listed here yet is asked for where its word decides.
 */
import type { FaultInit } from '@mayday/core';
import { isRepeatable } from '@mayday/core/plan';
import { EXECUTED_KEY } from '@mayday/core/protocol';
import { CAUTION } from '@mayday/core/render';
import type { WireCall, WireHandler } from '@mayday/relay';
import { isRefused } from '../access/verdicts.ts';
import type { UpstreamSettings } from '../settings/settings.ts';
import { NOBODY, withheldOf } from './owner.ts';
import type { TimeLimits } from './time-limit.ts';
import type { ToolHints } from './tool-hints.ts';
import type { AskForTools, NoTools } from './tool-questions.ts';

/** The settings that have a say. */
export type KeyedSettings = TimeLimits & Partial<Pick<UpstreamSettings, 'retry'>>;

/** The tools of one upstream, for calls with a key. */
export interface KeyedTools {
  /** Does it no harm to make the call twice, by the operator's word or its tool's own? */
  isHarmless(call: WireCall): boolean;
  onlyReads(call: WireCall): boolean;
  /**
   * A server that honours keys itself knows how a call ended. It is asked again, and told that it may be a repetition. A tool
   * that nobody knows is asked for first.
   */
  serverKnows(call: WireCall, next: WireHandler): Promise<boolean>;
  /** Is a server believed that says of a round that it was not executed? */
  mayGoOn(call: WireCall): boolean;
  /** Why a repeat is not made of whose first call nothing is known here; `undefined` where it is. */
  refusalOf(repeat: WireCall, next: WireHandler): Promise<FaultInit | undefined>;
}

/** `ask` lists tools that nobody knows here; without it, nobody is asked. */
export function keyedTools(
  { retry, timeoutMs, openTimeoutMs = timeoutMs }: KeyedSettings,
  hints: ToolHints,
  ask?: AskForTools,
): KeyedTools {
  const isNeverRepeated = ({ target = '' }: WireCall): boolean =>
    retry?.neverRepeat.includes(target) === true;
  const isRepeatedAlways = ({ target = '' }: WireCall): boolean =>
    retry?.repeatable.includes(target) === true;
  const isBelieved = retry?.trustAnnotations !== false;
  const said = (call: WireCall): ReturnType<ToolHints['of']> => hints.of(call, call.target ?? '');

  const isHarmless = (call: WireCall): boolean => {
    if (isNeverRepeated(call)) return false;
    if (isRepeatedAlways(call)) return true;
    const { readOnly, idempotent, destructive } = (isBelieved ? said(call) : undefined) ?? {};
    return isRepeatable({ readOnly, idempotent, destructive });
  };
  /** Half of the call's time: the rest is for the call itself. A server that has to start has as long for that as ever. */
  const patienceFor = ({ deadline, above }: WireCall): number => {
    const leftMs = Math.min(deadline, above?.deadline ?? deadline) - Date.now();
    return Math.max(0, Math.min(openTimeoutMs, Math.min(timeoutMs, leftMs) / 2));
  };
  const learn = async (call: WireCall, next: WireHandler): Promise<NoTools | undefined> =>
    said(call) === undefined && !isRefused(call) ? ask?.(next, call, patienceFor(call)) : undefined;

  /**
   * It may have been made before a restart, or with a credential that was renewed since. Only a server that honours keys
   * itself can tell, of somebody whose name lasts.
   */
  const isMade = (repeat: WireCall): boolean =>
    isHarmless(repeat) || (lasts(repeat) && said(repeat)?.takesKeys === true);
  const dependsOnTool = (repeat: WireCall): boolean =>
    lasts(repeat) || (isBelieved && !isNeverRepeated(repeat));
  return {
    isHarmless,
    onlyReads: (call) => isBelieved && said(call)?.readOnly === true,
    async serverKnows(call, next) {
      if (!isBelieved || isNeverRepeated(call)) return false;
      await learn(call, next);
      return said(call)?.takesKeys === true;
    },
    mayGoOn: (call) => retry?.trustDeclarations !== false && !isNeverRepeated(call),
    async refusalOf(repeat, next) {
      if (isMade(repeat)) return undefined;
      const failed = dependsOnTool(repeat) ? await learn(repeat, next) : undefined;
      if (isMade(repeat)) return undefined;
      return failed === undefined ? ORPHAN : notListed(failed);
    },
  };
}

/** By what the caller says, it may have been executed before. What is no word for it does not say that it was not. */
export function isRepeat(call: WireCall): boolean {
  return ![undefined, null, 'no'].includes(call.meta?.[EXECUTED_KEY] as string);
}

/** Does the server get the same key from the same caller, whatever credential it has by then? */
function lasts(call: WireCall): boolean {
  return call.by.isKnown || withheldOf(call) === NOBODY;
}

const ORPHAN = {
  kind: 'disconnected',
  origin: 'gateway',
  executed: 'maybe',
  retryable: false,
  subject: { type: 'key' },
  message: 'Nothing is known here of the first call with this idempotency key; it was not made again',
  advice: CAUTION,
} as const satisfies FaultInit;

/** It may well honour keys: once it lists its tools, a repeat is told what became of the call. */
function notListed(kind: NoTools): FaultInit {
  const why = `whether its server honours keys could not be found out (\`tools/list\`: ${kind})`;
  return { ...ORPHAN, message: `${ORPHAN.message}, because ${why}` };
}

/** Questions that the gateway asks upstreams on behalf of a call. */
import type { JsonObject } from '@mayday/core';
import { type Failed, startCall } from '@mayday/policy';
import {
  type Back,
  CallEnded,
  decodeExact,
  decodeInTurns,
  encode,
  isMembers,
  type Limit,
  lost,
  type Members,
  peek,
  spelt,
  type Wire,
  type WireCall,
} from '@mayday/relay';
import { unreadable } from '../call/sound-list.ts';
import { isPartOf } from '../limits/tell-limits.ts';
import { SilentBack } from '../upstreams/silent-back.ts';
import { gaveUp } from './opening.ts';
import type { Part } from './part.ts';
import { type Patience, whenOver } from './patience.ts';

/** What one upstream answered. */
export type PartAnswer =
  | {
      readonly ok: true;
      readonly part: Part;
      readonly result: JsonObject;
      /** It came as a stream, which the caller takes too. */
      readonly isStream: boolean;
    }
  | {
      readonly ok: false;
      readonly part: Part;
      readonly outcome: Failed<Wire>;
      /** Nobody has waited any longer. */
      readonly isLate?: boolean | undefined;
    };

/** Which member of the result holds the items. */
export const LISTS: ReadonlyMap<string, string> = new Map([
  ['tools/list', 'tools'],
  ['prompts/list', 'prompts'],
  ['resources/list', 'resources'],
  ['resources/templates/list', 'resourceTemplates'],
  ['tasks/list', 'tasks'],
]);

let nextId = 1;

/** A question of the gateway's own, in the context of a call. */
function derive(call: WireCall, method: string, params: object, signal: AbortSignal, back: Back): WireCall {
  const body = encode({ jsonrpc: '2.0', id: `mayday-${nextId++}`, method, params });
  const question = startCall<WireCall>({
    ...call,
    body,
    peek: peek(body),
    method,
    params: () => params as Members,
    meta: undefined,
    target: undefined,
    signal,
    back,
  });
  isPartOf(question, call);
  return question;
}

/** Asks one upstream, and waits for it as long as patience lasts. */
export async function askPart(
  part: Part,
  call: WireCall,
  method: string,
  params: object,
  patience: Patience,
): Promise<PartAnswer> {
  const ender = new AbortController();
  const stop = (): void => ender.abort(call.signal.reason);
  call.signal.addEventListener('abort', stop);
  let isLate = false;
  const settled = whenOver(patience, () => {
    isLate = true;
    part.isSlow = true;
    part.noteLate(method, true);
    ender.abort(new CallEnded(tooLate(part, patience.limit)));
  });
  const back = new SilentBack();
  const outcome = await part.ask(derive(call, method, params, ender.signal, back));
  settled();
  call.signal.removeEventListener('abort', stop);
  if (outcome.ok || outcome.answered === true) {
    part.isSlow = false;
    if (!isLate && patience.limit.ms < Infinity) part.noteLate(method, false);
  }
  const body = outcome.ok && outcome.value.type === 'answer' ? outcome.value.body : undefined;
  const result = body && resultOf(await decodeInTurns(body, LISTS.get(method) ?? ''));
  if (result === undefined)
    return outcome.ok ? useless(part, call, method) : { ok: false, part, outcome, isLate };
  return { ok: true, part, result, isStream: back.isStream };
}

/** An answer to a question of ours that nobody can make anything of. It is told to nobody: it has an id of ours, too. */
export function useless(part: Part, call: WireCall, method: string): Extract<PartAnswer, { ok: false }> {
  const executed = method.endsWith('/list') ? 'no' : 'maybe';
  return { ok: false, part, outcome: lost(call, { ...unreadable(part.name, method), executed }) };
}

/** The result in an answer, where there is one. */
export function resultIn(answer: Buffer): JsonObject | undefined {
  return resultOf(decodeExact(answer));
}

function resultOf(message: unknown): JsonObject | undefined {
  const result = isMembers(message) ? message['result'] : undefined;
  return isMembers(result) ? (result as JsonObject) : undefined;
}

function tooLate(part: Part, limit: Limit): ConstructorParameters<typeof CallEnded>[0] {
  const { name, isStarting, openTimeoutMs, silence } = part;
  const isGivenUp = limit.ms >= openTimeoutMs;
  if (isGivenUp) return gaveUp(name, limit, silence);
  const late = isStarting ? 'is still starting' : `did not answer within ${spelt(limit)}`;
  return { kind: 'timeout', origin: 'gateway', message: `${name} ${late}` };
}

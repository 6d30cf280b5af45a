/**
 * Calls to many servers at once: lists are put together under prefixed names, calls go to the one they name. A
 * server that is down is missing from the lists and fails its own calls; the others do not notice.
 */
import { setMaxListeners } from 'node:events';
import type { FaultInit, Json, JsonObject } from '@mayday/core';
import {
  answered,
  encode,
  encodeExact,
  endOf,
  idOf,
  isMembers,
  lost,
  type WireCall,
  type WireHandler,
  type WireOutcome,
} from '@mayday/relay';
import { rememberResult } from '../call/ask-for-list.ts';
import { strangeCursor } from '../call/given-cursors.ts';
import { isBareHttp } from '../call/health.ts';
import { foreignMethod, unknownMethod } from '../call/own-methods.ts';
import { encodedInTurns } from '../encode-in-turns.ts';
import type { View } from '../shape/view.ts';
import { firstFor, type JoinedContext, partsFor } from './context.ts';
import { aboutDead, type Dead } from './dead-servers.ts';
import { askPart, LISTS, type PartAnswer, resultIn } from './derive.ts';
import { recordFailure } from './forward.ts';
import type { JoinedLink, Known } from './joined-link.ts';
import { listPart, type OwnList, type PartList, withoutTaken } from './lists.ts';
import { mergeDiscover, mergeInitialize, mergeList, type PartResult, type Served } from './merge.ts';
import type { Part } from './part.ts';
import { askTogether, withoutHurry } from './patience.ts';
import { routeCall } from './route.ts';
import type { FirstOf } from './task-names.ts';
import { codeIn, mostTelling } from './telling.ts';

type Failure = Extract<PartAnswer, { ok: false }>;

/** Node takes more listeners to a signal of its own than this for a leak. Here each upstream has one, for as long as it is asked. */
const WARNS_BEYOND = 10;

/** Asks all servers of a conversation, or the one that a call names. */
export function askJoined(link: JoinedLink, context: JoinedContext): WireHandler {
  return async (call) => {
    const { method, signal } = call;
    const parts = partsFor(call, link, context);
    if (parts.length >= WARNS_BEYOND && signal instanceof EventTarget)
      setMaxListeners(parts.length + WARNS_BEYOND, signal);
    const foreign = foreignMethod(method, call.revision);
    if (foreign !== undefined) return lost(call, foreign);
    if (method === 'ping') return reply(call, {});
    if (method === 'initialize') return initialize(call, link, parts, context);
    if (method === 'server/discover') return discover(call, parts, context);
    if (method === 'logging/setLevel') return tellAll(call, parts, context);
    if (context.view.hasToolsOnly && !isOfTools(method)) return lost(call, unknownMethod(method));
    const key = LISTS.get(method);
    if (key !== undefined) {
      const strange = strangeCursor(method, call.params());
      return strange === undefined ? list(call, key, parts, context, link) : lost(call, strange);
    }
    return routeCall(call, link, { ...context, ...link.known });
  };
}

/** What a server that has tools and nothing else is asked. */
function isOfTools(method: string): boolean {
  return /^(?:tools|tasks|subscriptions)\//.test(method);
}

async function initialize(
  call: WireCall,
  link: JoinedLink,
  parts: readonly Part[],
  context: JoinedContext,
): Promise<WireOutcome> {
  const opening = { body: Buffer.from(call.body), peek: call.peek, revision: call.revision }; // not all that was read with it
  link.openedWith(opening);
  for (const part of link.parts.values()) part.willOpen(opening);
  const answers = await askTogether({
    parts,
    wholeMs: context.partTimeoutMs,
    since: 'the start', // a client that is connected can be told of the rest
    ask: async (part, patience) => {
      const opened = await part.openWithin(opening, patience);
      const result = opened?.ok === true ? resultIn(opened.answer) : undefined;
      if (result === undefined) part.announceWhenOpen();
      return { part, opened, result };
    },
    isAnswer: ({ result }) => result !== undefined,
  });
  const found: PartResult[] = [];
  const missing: string[] = [];
  const dead: Dead[] = [];
  for (const { part, opened, result } of answers) {
    if (result !== undefined) found.push({ upstream: part.name, result });
    else missing.push(part.name);
    if (opened?.ok === false) dead.push({ part, outcome: opened.outcome(call) });
  }
  const asked = call.params()?.['protocolVersion'];
  const merged = mergeInitialize(found, missing, asked, {
    ...servedBy(context, dead),
    hasMoreLater: missing.length > 0 || parts.length < link.parts.size,
  });
  return reply(call, merged);
}

/**
 * The joined endpoint is of the new revision when all that answer are; otherwise the client falls back to the old one. So it
 * does while nobody can tell yet what one speaks that starts: a session of the old revision takes in servers of both. Whoever
 * is known to say nothing keeps no client from the others: what it has is listed when it comes.
 */
async function discover(
  call: WireCall,
  parts: readonly Part[],
  context: JoinedContext,
): Promise<WireOutcome> {
  const silent = new Set(parts.filter(({ isSlow }) => isSlow));
  const answers = await askAll(call, parts, context);
  const found: PartResult[] = [];
  const missing: string[] = [];
  const dead: Dead[] = [];
  let refusal: WireOutcome | undefined;
  let isInDoubt = false;
  for (const answer of answers) {
    if (answer.ok) found.push({ upstream: answer.part.name, result: answer.result });
    else if (!answer.outcome.ok && answer.outcome.answered === true) refusal = answer.outcome;
    else {
      missing.push(answer.part.name);
      isInDoubt ||= answer.isLate === true && !silent.has(answer.part);
      if (answer.isLate === true) answer.part.forgive();
      else dead.push(answer);
      await recordFailure(call, answer, context.recording);
    }
  }
  if (refusal !== undefined && codeIn(refusal) === -32022) return refusal;
  if (refusal !== undefined || found.length === 0 || isInDoubt) return lost(call, NOT_YET);
  const served = { ...servedBy(context, dead), hasMoreLater: missing.length > 0 };
  return reply(call, mergeDiscover(found, missing, served));
}

async function tellAll(call: WireCall, parts: readonly Part[], context: JoinedContext): Promise<WireOutcome> {
  await askAll(call, parts, context, call.method);
  return reply(call, {});
}

async function list(
  call: WireCall,
  key: string,
  parts: readonly Part[],
  context: JoinedContext,
  link: JoinedLink,
): Promise<WireOutcome> {
  const { partTimeoutMs, startTimeoutMs } = context;
  const { known, since } = link;
  const lists = withoutTaken(
    await askTogether({
      parts,
      method: call.method,
      wholeMs: partTimeoutMs,
      since: 'the first answer',
      starting: { by: since + startTimeoutMs, leastMs: Math.min(startTimeoutMs, partTimeoutMs) },
      ask: (part, patience) => keptOf(part, call, context) ?? listPart(part, call, key, patience),
      isAnswer: ({ failed }) => failed === undefined || isUnsupported(failed),
    }),
  );
  // What was not heard to its end for that reason is nobody's failure.
  const cancelled = call.signal.aborted ? endOf(call) : undefined;
  if (cancelled?.fault.kind === 'cancelled')
    return { ...lost(call, cancelled.fault), ended: cancelled.ended };
  const missing: string[] = [];
  const failures: Failure[] = [];
  for (const { part, items, failed } of lists) {
    const isLate = failed?.isLate === true && !part.isPending;
    if (isLate || part.keptList(call.method) !== undefined)
      part.announceWhenListed(call.method, context.partTimeoutMs, () => listLate(part, call, key));
    for (const item of items) learn(item, key, part.name, known, context.view);
    if (failed === undefined || isUnsupported(failed)) continue;
    failures.push(failed);
    missing.push(part.name);
    await recordFailure(call, failed, context.recording);
    if (part.isPending) part.announceWhenOpen();
  }
  // Where nobody has anything to show, the reason is worth more than an empty list.
  const isAlone = parts.length === 1;
  const [only] = lists;
  if (isAlone && only?.failed !== undefined && only.items.length === 0) return only.failed.outcome;
  const told = missing.length === parts.length ? mostTelling(failures) : undefined;
  if (told !== undefined) return forAll(told, missing);
  // Where one of them streamed, so do we: a client that counts on streams finds here what it finds there.
  if (lists.some(({ isStream }) => isStream)) call.back.open();
  tellWhatIsLeftOut(call.method, lists, context);
  const firstOf = firstFor(call, link, context);
  const found = lists.map(({ part, items }) => ({
    upstream: part.name,
    items: key === 'tasks' ? items.map((item) => withTaskName(item, part, firstOf)) : items,
  }));
  const cut = lists.flatMap((one) => (one.cut === undefined ? [] : [one.part.name]));
  const unlisted = lists.flatMap((one) => one.unlisted ?? []);
  const absent = { missing: [...new Set([...missing, ...unlisted])], cut };
  return replyInTurns(call, mergeList(key, found, absent, context.view, call.revision));
}

/** What one lists at last, that nobody has waited for. */
function listLate(part: Part, call: WireCall, key: string): Promise<PartList> {
  const { signal } = new AbortController();
  return listPart(part, { ...call, signal }, key, withoutHurry(signal));
}

/** What it has listed at last, as far as this caller may know of it. */
function keptOf(part: Part, call: WireCall, { isVisible }: JoinedContext): Promise<PartList> | undefined {
  const kept = part.keptList(call.method);
  if (kept === undefined || call.method !== 'tools/list') return kept && Promise.resolve(kept);
  const items = kept.items.filter((item) =>
    isVisible(call.by, part.name, String((item as JsonObject)['name'])),
  );
  return Promise.resolve({ ...kept, items });
}

/** What kept one of them from answering; unless it is a message of its own, it says that it was the same with the others. */
function forAll({ outcome, part }: Failure, missing: readonly string[]): WireOutcome {
  const isMessage = outcome.answered === true && outcome.value?.type !== 'http';
  if (isMessage || missing.length === 1) return outcome;
  const { message } = outcome.fault;
  const names = `${missing.slice(0, -1).join(', ')} and ${missing.at(-1)}`;
  const reason = message.startsWith(part.name) ? message : `${part.name}: ${message}`;
  return {
    ...outcome,
    fault: { ...outcome.fault, message: `None of ${names} could be asked. ${reason}` },
  };
}

function tellWhatIsLeftOut(method: string, lists: readonly OwnList[], { note, path }: JoinedContext): void {
  for (const { part, cut, unusable, taken, after } of lists) {
    if (taken > 0)
      note(part.name, `${taken} of its resources have URIs of another server's and are missing at ${path}`);
    if (after.length > 0)
      note(
        part.name,
        `URIs of its resource templates fit those of ${after.join(', ')} too, asked first at ${path} as the file has it`,
      );
    if (cut !== undefined) note(part.name, `its ${method} was cut at ${path} ${cut}`);
    if (unusable > 0)
      note(part.name, `${unusable} of what it lists with ${method} cannot be used and is missing at ${path}`);
  }
}

/** Who lists something has it. */
function learn(item: Json, key: string, upstream: string, known: Known, view: View): void {
  const { uri, uriTemplate, name } = isMembers(item) ? item : {};
  if (typeof uri === 'string') known.owners.set(uri, upstream);
  if (typeof uriTemplate === 'string') known.templates.set(uriTemplate, upstream);
  if (typeof name !== 'string') return;
  const type = key === 'tools' ? 'tool' : key === 'prompts' ? 'prompt' : undefined;
  const seen = type && view[type].join(upstream, name);
  if (type !== undefined && seen !== undefined) known.listed[type].set(seen, upstream);
}

function withTaskName(item: Json, { name, tasks }: Part, firstOf: FirstOf): Json {
  const { taskId } = item as { readonly taskId: string };
  return { ...(item as JsonObject), taskId: tasks.nameAmong(name, taskId, firstOf) };
}

/** Did the server say anything itself, be it no? */
function isSaid(answer: PartAnswer): boolean {
  return answer.ok || (!answer.outcome.ok && answer.outcome.answered === true);
}

/** The same question to all of them, which is answered at once. */
function askAll(
  call: WireCall,
  parts: readonly Part[],
  { partTimeoutMs }: JoinedContext,
  /** Who was late with this is late for every client. */
  method?: string,
): Promise<readonly PartAnswer[]> {
  return askTogether({
    parts,
    method,
    wholeMs: partTimeoutMs,
    since: 'the start',
    ask: (part, patience) => askPart(part, call, call.method, call.params() ?? {}, patience),
    isAnswer: isSaid,
  });
}

function servedBy({ instructions, view, isForOne }: JoinedContext, dead: readonly Dead[]): Served {
  const beside = isForOne ? aboutDead(dead) : undefined;
  return { instructions, beside, hasToolsOnly: view.hasToolsOnly };
}

/** A server that says that it has no prompts is not broken; one that cannot be opened, or that HTTP or its era refuses, is. */
function isUnsupported({ outcome }: Failure): boolean {
  if (outcome.ok || outcome.answered !== true || isBareHttp(outcome)) return false;
  if (outcome.fault.subject?.type === 'upstream') return false;
  return codeIn(outcome) === -32601 || outcome.fault.kind === 'unsupported';
}

function reply(call: WireCall, result: JsonObject): WireOutcome {
  const body = encodeExact({ jsonrpc: '2.0', id: idOf(call.body, call.peek), result });
  return answered({ body, status: 200, headers: { 'content-type': 'application/json' }, isStream: false });
}

/** The same for what may be long. Whoever asks for it here need not open it again. */
async function replyInTurns(call: WireCall, result: JsonObject): Promise<WireOutcome> {
  const before = encode({ jsonrpc: '2.0', id: idOf(call.body, call.peek) }).subarray(0, -1);
  const said = await encodedInTurns(result);
  const body = Buffer.concat([before, Buffer.from(',"result":'), said, Buffer.from('}')]);
  rememberResult(body, result);
  return answered({ body, status: 200, headers: { 'content-type': 'application/json' }, isStream: false });
}

/** What makes a client open a session of the old revision. */
const NOT_YET: FaultInit = {
  ...unknownMethod('server/discover'),
  advice: 'Open a session of 2025-11-25 with `initialize`; servers that still start may offer more later.',
};

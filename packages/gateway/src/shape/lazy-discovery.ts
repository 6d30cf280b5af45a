/** Instead of hundreds of tools, three that find, describe and call them. */
import type { FaultInit, Issue, JsonObject } from '@mayday/core';
import { UNAVAILABLE_KEY } from '@mayday/core/protocol';
import {
  answered,
  encodeExact,
  idOf,
  isMembers,
  locate,
  lost,
  type Members,
  type WireCall,
  type WireHandler,
  type WireOutcome,
  type WirePolicy,
} from '@mayday/relay';
import { askForList, type Listed } from '../call/ask-for-list.ts';
import { strangeCursor } from '../call/given-cursors.ts';
import { retargeted } from '../call/retarget.ts';
import { adviceOn } from '../joined/called-as.ts';
import { nearest } from '../nearest.ts';
import { callOnlyListed } from './found-names.ts';
import { CALL, DEFAULT_FOUND, DESCRIBE, LAZY_TOOLS, MAX_DESCRIBED, MAX_FOUND, SEARCH } from './lazy-tools.ts';
import type { Meant } from './meant.ts';
import { createSearch, type SearchTools, summaryOf } from './search-tools.ts';
import { textOf } from './tool-index.ts';

/**
 * Stands around everything that names tools at an endpoint: what is found and described is what the caller would be listed,
 * and what is called goes the way of every call. A tool that is called by its own name is called all the same.
 */
export function lazyDiscovery(patienceMs: number, meant: Meant = nearest): WirePolicy {
  const context: Context = { patienceMs, meant, searchTools: createSearch() };
  return (next) => (call) => {
    if (call.method === 'tools/list') return Promise.resolve(listed(call));
    if (call.method !== 'tools/call') return next(call);
    const ask: Ask = TOOLS.get(call.target ?? '') ?? ((named, go) => go(named));
    return ask(call, async (called) => searching(await next(called)), context);
  };
}

/** Whoever does not know a name finds it by searching: nobody is listed any. */
function searching(outcome: WireOutcome): WireOutcome {
  const advice = outcome.ok ? undefined : outcome.fault.advice;
  if (outcome.ok || advice?.endsWith(LIST_THEM) !== true) return outcome;
  const instead = `${advice.slice(0, -LIST_THEM.length)}Find tools with ${SEARCH}.`;
  return { ...outcome, fault: { ...outcome.fault, advice: instead } };
}

const LIST_THEM: string = adviceOn('tool', undefined);

interface Context {
  readonly patienceMs: number;
  /** What was probably meant by a name that nobody has. */
  readonly meant: Meant;
  readonly searchTools: SearchTools;
}

type Ask = (call: WireCall, next: WireHandler, context: Context) => Promise<WireOutcome>;

const TOOLS: ReadonlyMap<string, Ask> = new Map([
  [SEARCH, search],
  [DESCRIBE, describe],
  [CALL, callTool],
]);

function listed(call: WireCall): WireOutcome {
  const strange = strangeCursor(call.method, call.params());
  if (strange !== undefined) return lost(call, strange);
  const modern =
    call.revision === '2026-07-28' ? { resultType: 'complete', ttlMs: 0, cacheScope: 'private' } : {};
  return reply(call, { tools: LAZY_TOOLS, ...modern });
}

async function search(call: WireCall, next: WireHandler, context: Context): Promise<WireOutcome> {
  const { query = '', limit = DEFAULT_FOUND } = argumentsOf(call);
  const issues = [
    ...(typeof query === 'string' ? [] : [wrong('query', 'Expected a text')]),
    ...(isWithin(limit, MAX_FOUND) ? [] : [wrong('limit', `Expected a whole number from 1 to ${MAX_FOUND}`)]),
  ];
  if (issues.length > 0) return lost(call, invalid(SEARCH, issues));
  const { list, failure } = await toolsOf(call, next, context);
  if (failure !== undefined) return failure;
  const { tools, found } = await context.searchTools(list.items, String(query), Number(limit));
  const meant = found === 0 ? context.meant(asName(String(query)), namesIn(list)) : undefined;
  return say(call, list, {
    tools: tools.map((tool) => ({ ...summaryOf(tool) })),
    found,
    total: list.items.length,
    ...(meant === undefined ? {} : { did_you_mean: meant }),
  });
}

async function describe(call: WireCall, next: WireHandler, context: Context): Promise<WireOutcome> {
  const { names } = argumentsOf(call);
  const isList = Array.isArray(names) && names.every((name) => typeof name === 'string');
  if (!isList || !isWithin(names.length, MAX_DESCRIBED)) {
    const issue = wrong('names', `Expected a list of 1 to ${MAX_DESCRIBED} names`);
    return lost(call, invalid(DESCRIBE, [issue]));
  }
  const { list, failure } = await toolsOf(call, next, context);
  if (failure !== undefined) return failure;
  const byName = new Map(list.items.map((tool) => [textOf(tool, 'name'), tool]));
  const wanted = [...new Set<string>(names)];
  const unknown = wanted.filter((name) => !byName.has(name));
  const missing = unknown.map((name) => {
    const meant = context.meant(name, byName.keys());
    return meant === undefined ? { name } : { name, did_you_mean: meant };
  });
  return say(call, list, {
    tools: wanted.flatMap((name) => (byName.get(name) as JsonObject | undefined) ?? []),
    ...(missing.length === 0 ? {} : { unknown: missing }),
  });
}

/** The call as if it had been made by the name of its tool: its answer is that tool's, as the bytes that came. */
async function callTool(call: WireCall, next: WireHandler): Promise<WireOutcome> {
  const { name, arguments: args } = argumentsOf(call);
  const issues = [
    ...(typeof name === 'string' ? [] : [wrong('name', 'Expected the name of a tool')]),
    ...(args === undefined || isMembers(args) ? [] : [wrong('arguments', 'Expected an object')]),
  ];
  if (issues.length > 0) return lost(call, invalid(CALL, issues));
  const { body, peek } = call;
  const range = locate(body, peek.paramsStart, 'arguments', 'arguments');
  const inside = range === undefined ? NO_ARGUMENTS : body.subarray(range.start, range.end);
  callOnlyListed(call);
  return misnamed(call, String(name), await next(retargeted(call, String(name), inside)));
}

/** A name that nobody has is an argument that is wrong: models read results, and not every client shows them an error. */
function misnamed(call: WireCall, name: string, outcome: WireOutcome): WireOutcome {
  if (outcome.ok) return outcome;
  const { subject, advice, executed, kind } = outcome.fault;
  if (subject?.type !== 'tool' || (subject.id !== undefined && subject.id !== name)) return outcome;
  if (outcome.refused !== undefined || kind !== 'not_found') return refusedAs(outcome);
  const fault = { ...invalid(CALL, [wrong('name', `Unknown tool: ${name}`)]), advice, executed };
  const { upstream, target } = outcome.value?.type === 'answer' ? {} : (outcome.value ?? {});
  return { ...lost(call, fault), value: { type: 'nothing', upstream, target } };
}

/** A refusal of the tool that was called by its name: of any other one it would prove nothing. Its message names the other. */
function refusedAs(outcome: Extract<WireOutcome, { ok: false }>): WireOutcome {
  if (outcome.fault.executed !== 'no') return outcome;
  return { ...outcome, fault: { ...outcome.fault, subject: { type: 'tool', id: CALL } } };
}

const NO_ARGUMENTS = Buffer.from('{}');

function argumentsOf({ params }: WireCall): Members {
  const args = params()?.['arguments'];
  return isMembers(args) ? args : {};
}

/** What the caller would be listed; where that is nothing but a failure, the failure. */
async function toolsOf(
  call: WireCall,
  next: WireHandler,
  { patienceMs }: Context,
): Promise<{ readonly list: Listed; readonly failure: WireOutcome | undefined }> {
  const list = await askForList(next, call, 'tools', patienceMs);
  return { list, failure: list.items.length === 0 ? list.failed : undefined };
}

/** What was searched for, as if it were a name. */
function asName(query: string): string {
  return query.trim().replace(/\s+/g, '_');
}

function namesIn({ items }: Listed): readonly string[] {
  return items.map((tool) => textOf(tool, 'name'));
}

/** Told twice: some clients show the text alone, others the structure. */
function say(call: WireCall, { meta }: Listed, told: JsonObject): WireOutcome {
  const missing = meta?.[UNAVAILABLE_KEY] as JsonObject | undefined;
  const whole = missing === undefined ? told : { ...told, unavailable: missing };
  return reply(call, {
    content: [{ type: 'text', text: String(encodeExact(whole)) }],
    structuredContent: whole,
    ...(call.revision === '2026-07-28' ? { resultType: 'complete' } : {}),
  });
}

function reply(call: WireCall, result: JsonObject): WireOutcome {
  const body = encodeExact({ jsonrpc: '2.0', id: idOf(call.body, call.peek), result });
  return answered({ body, status: 200, headers: { 'content-type': 'application/json' }, isStream: false });
}

function isWithin(value: unknown, max: number): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= max;
}

function wrong(argument: string, message: string): Issue {
  return { path: [argument], message };
}

function invalid(tool: string, issues: readonly Issue[]): FaultInit {
  return {
    kind: 'invalid_arguments',
    origin: 'caller',
    executed: 'no',
    subject: { type: 'tool', id: tool },
    message: `Invalid arguments for tool ${tool}`,
    issues,
  };
}

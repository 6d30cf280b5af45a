/** The parts of the path that look at calls: nothing here changes what becomes of one. */
import { after, type CallEvent, type Listener } from '@mayday/policy';
import { locate, skipSpace, type WireCall, type WireOutcome, type WirePolicy } from '@mayday/relay';
import { isHandedOn } from '../call/handed-on.ts';
import type { MetaMember } from '../call/tell-server.ts';
import type { ToolHints } from '../call/tool-hints.ts';
import type { Propagation } from './environment.ts';
import { type ErrorBudgets, usesBudget } from './error-budgets.ts';
import type { CallHooks, Named } from './hooks.ts';
import type { Label } from './instruments.ts';
import { createKnownNames, type KnownNames, methodName, OTHER, revisionName } from './known-names.ts';
import type { Measures } from './measures.ts';
import type { SpanData } from './otlp-messages.ts';
import { isSampled, type Sampler, toTraceparent } from './trace-context.ts';
import { requestId, sessionMark, WatchedCall } from './watched-call.ts';

/** What is told of calls, and to whom. */
export interface WatchOptions {
  readonly measures: Measures;
  readonly propagation: Propagation;
  /** Absent where no traces are sent: then callers' own contexts cross as they came. */
  readonly sampler: Sampler | undefined;
  readonly onSpan: (span: SpanData) => void;
  readonly budgets: ErrorBudgets;
  /** How callers reach the gateway. */
  readonly transport: 'tcp' | 'pipe';
}

/** Creates the parts of the path. */
export function watchCalls(options: WatchOptions): CallHooks {
  const names = new Map<string, KnownNames>();
  const namesOf = (upstream: string, method: string): KnownNames => {
    const key = `${upstream} ${method}`;
    const known = names.get(key) ?? createKnownNames();
    names.set(key, known);
    return known;
  };
  return {
    calls: [around(options)],
    within: (settings, hints) => [reaching(settings, naming(settings, hints, namesOf), options)],
    attempts: (settings, hints) => [attempting(settings, naming(settings, hints, namesOf), options)],
    emit: betweenAttempts(options),
    meta: options.sampler === undefined || !options.propagation.traceContext ? undefined : contextFor,
  };
}

function watched(call: { readonly trace?: unknown }): WatchedCall | undefined {
  return call.trace instanceof WatchedCall ? call.trace : undefined;
}

/** From the request to its answer. */
function around(options: WatchOptions): WirePolicy {
  const { sampler, propagation, measures } = options;
  let active = 0;
  return (next) => async (call) => {
    const trace = new WatchedCall(call, propagation);
    trace.isSampled = sampler !== undefined && isSampled(sampler, trace.traceId, trace.parent);
    measures.active.set(++active);
    let outcome: WireOutcome | undefined;
    try {
      outcome = await next({ ...call, trace });
      return outcome;
    } finally {
      measures.active.set(--active);
      if (!isHandedOn(call)) finish(call, trace, outcome, options);
    }
  };
}

function finish(
  call: WireCall,
  trace: WatchedCall,
  outcome: WireOutcome | undefined,
  { measures, onSpan, budgets, transport }: WatchOptions,
): void {
  trace.isOver = true;
  const seconds = (performance.now() - trace.tick) / 1000;
  const { type, code } = errorOf(outcome, trace);
  const { upstream, fault } = trace;
  const labels = labelsOf(call, trace.target, trace.name, { type, code }, transport);
  const key = keyOf(labels, upstream);
  labels.push(upstream);
  measures.served.record(seconds, labels, key);
  if (call.method === 'tools/call' && trace.name !== undefined)
    budgets.count(upstream, trace.name, type !== undefined && fault !== undefined && usesBudget(fault));
  if (!trace.isSampled) return;
  const failing = type === undefined ? undefined : fault;
  onSpan({
    traceId: trace.traceId,
    spanId: trace.spanId,
    parentSpanId: trace.parent?.spanId,
    traceState: trace.parent?.traceState,
    name: [labels[0], trace.name].filter((word) => word !== undefined).join(' '),
    startedAt: trace.startedAt,
    durationMs: seconds * 1000,
    attributes: {
      'mcp.method.name': labels[0],
      'gen_ai.operation.name': labels[1],
      'gen_ai.tool.name': labels[2],
      'gen_ai.prompt.name': labels[3],
      'error.type': type,
      'rpc.response.status_code': code,
      'mcp.protocol.version': labels[6],
      'network.transport': transport,
      'network.protocol.name': labels[8],
      'mayday.upstream': upstream,
      'jsonrpc.request.id': requestId(call),
      'mcp.session.id': sessionMark(call.headers['mcp-session-id']),
      'mayday.caller': call.by.isKnown ? call.by.name : undefined,
      'mayday.attempts': attemptsOf(trace, call),
      'mayday.fault.kind': failing?.kind,
      'mayday.fault.origin': failing?.origin,
      'mayday.fault.executed': failing?.executed,
      'mayday.correlation_id': failing?.correlationId,
    },
    events: trace.events,
    droppedEvents: trace.droppedEvents,
    link: trace.link,
    failure: type === undefined ? undefined : (failing?.kind ?? type),
  });
}

/** One that was given up is counted by nobody else. Where many are asked, a fault has its own count; none is not told. */
function attemptsOf({ fault }: WatchedCall, { progress }: WireCall): number | undefined {
  const counted = progress.began ? Math.max(1, progress.attempts) : progress.attempts;
  const said = Number(fault?.details?.['attempts'] ?? 0);
  return counted || said || undefined;
}

interface ErrorWords {
  readonly type: string | undefined;
  readonly code: string | undefined;
}

/** The same for the same labels: those that can differ, in a row. */
function keyOf(labels: readonly Label[], beside: string): string {
  return `${labels[0]}\n${labels[2] ?? labels[3]}\n${labels[4]}\n${labels[5]}\n${labels[6]}\n${beside}`;
}

/** What both histograms begin with, in the order of their labels in `measures.ts`. */
function labelsOf(
  { method, headers, revision }: WireCall,
  target: string | undefined,
  name: string | undefined,
  { type, code }: ErrorWords,
  transport: 'tcp' | 'pipe',
): Label[] {
  const isTool = method === 'tools/call';
  const told = target === undefined ? undefined : (name ?? OTHER);
  return [
    methodName(method),
    isTool ? 'execute_tool' : undefined,
    isTool ? told : undefined,
    method === 'prompts/get' ? told : undefined,
    type,
    code,
    revisionName(headers['mcp-protocol-version'], revision),
    transport,
    transport === 'tcp' ? 'http' : undefined,
  ];
}

const FINE: ErrorWords = { type: undefined, code: undefined };

/** How the answer says that the call failed: the code of an error, `tool_error`, or the kind where it has neither. */
function errorOf(outcome: WireOutcome | undefined, { fault }: WatchedCall): ErrorWords {
  if (outcome === undefined) return { type: 'internal', code: undefined };
  if (outcome.value?.type !== 'answer')
    return { type: outcome.ok ? OTHER : outcome.fault.kind, code: undefined };
  const { body, isFailure, isStream } = outcome.value;
  if (isFailure !== true) return FINE;
  const start = skipSpace(body, 0);
  const error = isStream ? undefined : locate(body, start, 'error');
  const code = error && locate(body, error.start, 'code');
  if (code !== undefined) return ofCode(body.toString('latin1', code.start, code.end));
  const isResult = !isStream && locate(body, start, 'result') !== undefined;
  return { type: isResult ? 'tool_error' : (fault?.kind ?? OTHER), code: undefined };
}

function ofCode(code: string): ErrorWords {
  return /^-?\d{1,9}$/.test(code) ? { type: code, code } : { type: OTHER, code: undefined };
}

/** The name of what was called, as it may be told; `undefined` where it is not known to exist. */
type NameOf = (call: WireCall, outcome: WireOutcome) => string | undefined;

/** Names of one upstream: whatever was listed, or has answered a call, exists. */
function naming(
  { name: upstream }: Named,
  hints: ToolHints,
  namesOf: (upstream: string, method: string) => KnownNames,
): NameOf {
  const tools = namesOf(upstream, 'tools/call');
  const prompts = namesOf(upstream, 'prompts/get');
  return (call, outcome) => {
    const { target, method } = call;
    const known = method === 'tools/call' ? tools : method === 'prompts/get' ? prompts : undefined;
    if (known === undefined || target === undefined) return undefined;
    const isThere = outcome.ok || (known === tools && hints.wasListed(target));
    if (isThere) known.learn(target);
    return known.find(target);
  };
}

/** Which upstream it came to, and whether what was called there exists. */
function reaching({ name: upstream }: Named, nameOf: NameOf, { measures }: WatchOptions): WirePolicy {
  return after((outcome, call) => {
    const { target } = call;
    if (!outcome.ok && outcome.refused !== undefined)
      measures.refusals.add(1, [upstream, outcome.refused.by]);
    const trace = watched(call);
    if (trace === undefined || target === undefined) return outcome;
    trace.upstream = upstream;
    trace.target = target;
    trace.name = nameOf(call, outcome);
    return outcome;
  });
}

/** One attempt, as the gateway is a client. */
function attempting(settings: Named, nameOf: NameOf, { measures }: WatchOptions): WirePolicy {
  const { name: upstream, type, url } = settings;
  const transport = type === 'command' ? 'pipe' : 'tcp';
  const port = url === undefined ? undefined : Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  const where = [upstream, transport, url?.host].join('\n');
  return (next) => async (call) => {
    const began = performance.now();
    const outcome = await next(call);
    if (isHandedOn(call) || (!outcome.ok && outcome.refused !== undefined)) return outcome;
    const labels = labelsOf(call, call.target, nameOf(call, outcome), saidBy(outcome), transport);
    const key = keyOf(labels, where);
    labels.push(upstream, url?.hostname, port);
    measures.asked.record((performance.now() - began) / 1000, labels, key);
    return outcome;
  };
}

/** How the upstream said that the attempt failed. */
function saidBy(outcome: WireOutcome): ErrorWords {
  if (outcome.ok) return FINE;
  const { value, fault } = outcome;
  if (value?.type === 'message') {
    const { error } = (value.message ?? {}) as { readonly error?: { readonly code?: unknown } };
    if (error === undefined || error === null) return { type: 'tool_error', code: undefined };
    return typeof error.code === 'number' ? ofCode(String(error.code)) : { type: OTHER, code: undefined };
  }
  return { type: value?.type === 'http' ? String(value.status) : fault.kind, code: undefined };
}

/** What the loop says between attempts. */
function betweenAttempts({ measures }: WatchOptions): Listener {
  return (event: CallEvent) => {
    if (event.type === 'fault') {
      const { upstream } = event.call;
      const { kind, origin } = event.fault;
      const { retry, afterMs } = event.plan;
      if (retry) measures.retries.add(1, [upstream, kind]);
      watched(event.call as WireCall)?.tell('mayday.attempt', {
        'mayday.upstream': upstream,
        'mayday.attempt': event.attempt,
        'mayday.fault.kind': kind,
        'mayday.fault.origin': origin,
        'mayday.retry': retry,
        'mayday.retry.after_ms': retry ? afterMs : undefined,
      });
    } else if (event.type === 'refused')
      watched(event.call as WireCall)?.tell('mayday.refused', {
        'mayday.upstream': event.call.upstream,
        'mayday.refused_by': event.by,
        'mayday.fault.kind': event.fault.kind,
      });
  };
}

const NOTHING: readonly MetaMember[] = [];

/** The context that an upstream is given: the gateway's own span is the parent. The rest crosses as it came. */
function contextFor(call: WireCall): readonly MetaMember[] {
  const trace = watched(call);
  if (trace === undefined) return NOTHING;
  const { traceId, spanId, parent, baggage, hasStrayState } = trace;
  const members: MetaMember[] = [
    { key: 'traceparent', value: `"${toTraceparent(traceId, spanId, trace.isSampled)}"` },
  ];
  const state = parent?.traceState;
  if (state !== undefined || hasStrayState)
    members.push({ key: 'tracestate', value: JSON.stringify(state ?? ''), isKept: !hasStrayState });
  if (baggage !== undefined) members.push({ key: 'baggage', value: JSON.stringify(baggage), isKept: true });
  return members;
}

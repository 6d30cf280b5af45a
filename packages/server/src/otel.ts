/**
 * OpenTelemetry: every fault as a span event, with the attributes of the semantic conventions for MCP
 * (development status; https://github.com/open-telemetry/semantic-conventions-genai).
 */
import { PROTOCOL_VERSION_KEY } from '@mayday/core/protocol';
import { redact } from '@mayday/core/redact';
import {
  type Attributes,
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { expectKnown } from './options-check.ts';
import type { FaultEvent, Telemetry } from './report/report.ts';

/** How spans are made. */
export interface OpenTelemetryOptions {
  /** The tracer for spans of our own; one named `@mayday/server`, if absent. */
  readonly tracer?: Tracer | undefined;
}

/**
 * Records faults on the active span. Where there is none, a server span is made for the failed request, as a
 * child of the trace that the client named in `_meta.traceparent`.
 */
export function openTelemetry(options: OpenTelemetryOptions = {}): Telemetry {
  expectKnown(options, ['tracer'], 'openTelemetry');
  return {
    fault(event) {
      const active = trace.getActiveSpan();
      if (active?.isRecording() === true) {
        record(active, event);
        return;
      }
      const tracer = options.tracer ?? trace.getTracer('@mayday/server');
      const end = Date.now();
      const span = tracer.startSpan(
        spanName(event),
        { kind: SpanKind.SERVER, startTime: end - event.durationMs },
        parentOf(event),
      );
      record(span, event);
      span.end(end);
    },
  };
}

/** Names of spans are few: a tool that exists is one, what a caller made up is none. */
function spanName({ call }: FaultEvent): string {
  const known = call.method === 'tools/call' && call.tool !== undefined;
  return known ? `${call.method} ${call.name}` : cut(safe(call.method));
}

const LONGEST = 256;

function safe(text: string): string {
  return redact(text).value;
}

function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}

const CLASS_NAME = /^[\w$.]{1,100}$/;

/** The class of the cause, as long as it looks like one. */
function typeOf({ fault, cause }: FaultEvent): string {
  return cause instanceof Error && CLASS_NAME.test(cause.name) ? cause.name : fault.kind;
}

function parentOf({ call }: FaultEvent): ReturnType<typeof context.active> {
  const carrier = Object.fromEntries(
    ['traceparent', 'tracestate', 'baggage']
      .map((key) => [key, call.meta(key)] as const)
      .filter(([, value]) => typeof value === 'string'),
  );
  return propagation.extract(context.active(), carrier);
}

function record(span: Span, event: FaultEvent): void {
  const { fault, cause } = event;
  span.setAttributes(attributesOf(event));
  span.setStatus({ code: SpanStatusCode.ERROR, message: cut(safe(fault.message)) });
  const exception: Attributes = {
    'exception.type': typeOf(event),
    'exception.message': safe(cause instanceof Error ? cause.message : String(fault.message)),
  };
  if (cause instanceof Error && cause.stack !== undefined)
    exception['exception.stacktrace'] = redact(cause.stack, { disable: ['stack'] }).value;
  span.addEvent('exception', exception);
  span.addEvent('mayday.fault', {
    'mayday.kind': fault.kind,
    'mayday.reaction': fault.reaction,
    'mayday.retryable': fault.retryable,
    'mayday.executed': fault.executed,
    'mayday.origin': fault.origin,
    'mayday.correlation_id': event.correlationId,
  });
}

/** `error.type` is the code of a protocol error, and `tool_error` for a tool's own result. */
function attributesOf({ call, placement, code }: FaultEvent): Attributes {
  const attributes: Attributes = {
    'mcp.method.name': cut(safe(call.method)),
    'jsonrpc.request.id': cut(safe(String(call.id))),
    'error.type': placement === 'tool' ? 'tool_error' : String(code),
  };
  const version = call.meta(PROTOCOL_VERSION_KEY);
  if (typeof version === 'string') attributes['mcp.protocol.version'] = cut(safe(version));
  if (placement === 'protocol' && code !== undefined) attributes['rpc.response.status_code'] = String(code);
  if (call.name === undefined) return attributes;
  const name = cut(safe(call.name));
  if (call.method === 'tools/call') {
    attributes['gen_ai.tool.name'] = name;
    attributes['gen_ai.operation.name'] = 'execute_tool';
  } else if (call.method === 'prompts/get') attributes['gen_ai.prompt.name'] = name;
  else if (call.method.startsWith('resources/')) attributes['mcp.resource.uri'] = name;
  return attributes;
}

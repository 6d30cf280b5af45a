/**
 * OpenTelemetry: every fault as a span event, with the attributes of the semantic conventions for MCP
 * (development status; https://github.com/open-telemetry/semantic-conventions-genai).
 */
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
import type { FaultEvent, Telemetry } from './report/report.ts';

/** How spans are made. */
export interface OpenTelemetryOptions {
  /** The tracer for spans of our own; one named `@mayday/server`, if absent. */
  readonly tracer?: Tracer;
}

/**
 * Records faults on the active span. Where there is none, a server span is made for the failed request, as a
 * child of the trace that the client named in `_meta.traceparent`.
 */
export function openTelemetry(options: OpenTelemetryOptions = {}): Telemetry {
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

function spanName({ call }: FaultEvent): string {
  const named = call.method === 'tools/call' || call.method === 'prompts/get';
  return named && call.name !== undefined ? `${call.method} ${call.name}` : call.method;
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
  span.setStatus({ code: SpanStatusCode.ERROR, message: fault.message });
  span.addEvent('exception', {
    'exception.type': cause instanceof Error ? cause.name : fault.kind,
    'exception.message': redact(cause instanceof Error ? cause.message : String(fault.message)).value,
    ...(cause instanceof Error && cause.stack !== undefined
      ? { 'exception.stacktrace': redact(cause.stack, { disable: ['stack'] }).value }
      : {}),
  });
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
    'mcp.method.name': call.method,
    'jsonrpc.request.id': String(call.id),
    'error.type': placement === 'tool' ? 'tool_error' : String(code),
  };
  const version = call.meta('io.modelcontextprotocol/protocolVersion');
  if (typeof version === 'string') attributes['mcp.protocol.version'] = version;
  if (placement === 'protocol' && code !== undefined) attributes['rpc.response.status_code'] = String(code);
  const { name } = call;
  if (name === undefined) return attributes;
  if (call.method === 'tools/call') {
    attributes['gen_ai.tool.name'] = name;
    attributes['gen_ai.operation.name'] = 'execute_tool';
  } else if (call.method === 'prompts/get') attributes['gen_ai.prompt.name'] = name;
  else if (call.method.startsWith('resources/')) attributes['mcp.resource.uri'] = name;
  return attributes;
}

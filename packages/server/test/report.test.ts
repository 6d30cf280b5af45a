/** Where the private cause goes: to the log and to spans, never to the wire. */

import { fault } from '@mayday/core';
import { SpanStatusCode, trace } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import pino from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import type { FaultEvent } from '../src/index.ts';
import { openTelemetry } from '../src/otel.ts';
import { failingServer, LEAK, SECRET } from './fixture.ts';
import { ask, faultIn } from './wire.ts';

const call = (options: Parameters<typeof failingServer>[0], params: object) =>
  ask(() => failingServer(options), '2026-07-28', 'tools/call', params);

describe('the log', () => {
  it('of pino has the cause and the identifier that the wire has', async () => {
    const lines: string[] = [];
    const logger = pino({}, { write: (line: string) => void lines.push(line) });
    const answer = await call({ logger }, { name: 'error' });
    const entry = JSON.parse(lines[0] ?? '{}');
    expect(lines).toHaveLength(1);
    expect(entry).toMatchObject({
      level: 50,
      msg: 'Internal error',
      err: { message: LEAK },
      kind: 'internal',
      mcp: { method: 'tools/call', name: 'error', id: 1 },
    });
    expect(entry.correlationId).toBe(faultIn(answer?.message)['correlation_id']);
    expect(answer?.text).not.toContain(SECRET);
  });

  it('gets what the caller did wrong as a warning', async () => {
    const lines: string[] = [];
    const logger = pino({}, { write: (line: string) => void lines.push(line) });
    await call({ logger }, { name: 'args', arguments: {} });
    expect(JSON.parse(lines[0] ?? '{}')).toMatchObject({ level: 40, kind: 'invalid_arguments' });
  });

  it('gets nothing of a success', async () => {
    const events: FaultEvent[] = [];
    await call({ onFault: (event) => void events.push(event) }, { name: 'fine' });
    expect(events).toEqual([]);
  });

  it('that fails does not cost the caller the answer', async () => {
    const fail = () => {
      throw new Error('disk full');
    };
    const answer = await call(
      { logger: { error: fail }, telemetry: { fault: fail }, onFault: fail },
      { name: 'error' },
    );
    expect(faultIn(answer?.message)).toMatchObject({ kind: 'internal' });
  });
});

it('takes the identifier that the operator makes', async () => {
  const answer = await call({ correlationId: (request) => `req-${request.id}` }, { name: 'error' });
  expect(faultIn(answer?.message)['correlation_id']).toBe('req-1');
});

describe('spans', () => {
  const exporter = new InMemorySpanExporter();
  const tracer = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).getTracer(
    'test',
  );
  beforeEach(() => exporter.reset());

  it('carry the attributes of the semantic conventions for MCP', async () => {
    await call({ telemetry: openTelemetry({ tracer }) }, { name: 'error' });
    const [span] = exporter.getFinishedSpans();
    expect(span?.name).toBe('tools/call error');
    expect(span?.attributes).toEqual({
      'mcp.method.name': 'tools/call',
      'jsonrpc.request.id': '1',
      'error.type': 'tool_error',
      'mcp.protocol.version': '2026-07-28',
      'gen_ai.tool.name': 'error',
      'gen_ai.operation.name': 'execute_tool',
    });
    expect(span?.status).toEqual({ code: SpanStatusCode.ERROR, message: 'Internal error' });
    expect(span?.events.map((event) => event.name)).toEqual(['exception', 'mayday.fault']);
    expect(span?.events[1]?.attributes).toMatchObject({
      'mayday.kind': 'internal',
      'mayday.reaction': 'terminal',
    });
  });

  it('have the cause without its secrets', async () => {
    await call({ telemetry: openTelemetry({ tracer }) }, { name: 'error' });
    const attributes = exporter.getFinishedSpans()[0]?.events[0]?.attributes;
    expect(attributes?.['exception.type']).toBe('Error');
    expect(attributes?.['exception.message']).toContain('stage two broke');
    expect(attributes?.['exception.stacktrace']).toMatch(/\n\s+at /);
    expect(JSON.stringify(attributes)).not.toContain(SECRET);
  });

  it('have no secrets in their names, status, types and addresses', async () => {
    const secret = 'hunter2S3cr3tPassw0rd';
    const leak = `postgres://svc:${secret}@db.internal:5432/prod`;
    class Leaky extends Error {
      override readonly name = leak;
    }
    const telemetry = openTelemetry({ tracer });
    const server = () => {
      const guarded = failingServer({ telemetry });
      guarded.registerTool('leaky', {}, async () => {
        throw new Leaky(leak);
      });
      guarded.registerTool('spoken', {}, async () => {
        throw fault.conflict(`Locked by ${leak}`);
      });
      return guarded;
    };
    await ask(server, '2025-11-25', 'tools/call', { name: 'leaky' });
    await ask(server, '2025-11-25', 'tools/call', { name: 'spoken' });
    await ask(server, '2025-11-25', 'tools/call', { name: `no ${leak}` });
    await ask(server, '2025-11-25', 'resources/read', { uri: leak });
    await ask(server, '2025-11-25', 'prompts/get', { name: leak });
    const spans = exporter.getFinishedSpans();
    expect(spans.map((span) => span.name)).toEqual([
      'tools/call leaky',
      'tools/call spoken',
      'tools/call',
      'resources/read',
      'prompts/get',
    ]);
    const seen = spans.map(({ name, status, attributes, events }) => ({ name, status, attributes, events }));
    expect(JSON.stringify(seen)).not.toContain(secret);
  });

  it('have the code of a protocol error', async () => {
    await call({ telemetry: openTelemetry({ tracer }) }, { name: 'nope' });
    expect(exporter.getFinishedSpans()[0]?.attributes).toMatchObject({
      'error.type': '-32602',
      'rpc.response.status_code': '-32602',
    });
  });

  it('are events of the span that is active', () => {
    const span = tracer.startSpan('mine');
    const telemetry = openTelemetry({ tracer });
    const active = trace.getActiveSpan;
    trace.getActiveSpan = () => span;
    try {
      telemetry.fault({
        fault: { kind: 'conflict', message: 'Taken', reaction: 'terminal' } as never,
        cause: undefined,
        correlationId: 'c',
        call: { id: 1, method: 'prompts/get', name: 'p', meta: () => undefined } as never,
        dialect: 'mayday',
        placement: 'protocol',
        code: -32603,
        durationMs: 1,
      });
    } finally {
      trace.getActiveSpan = active;
    }
    span.end();
    expect(exporter.getFinishedSpans().map((finished) => [finished.name, finished.events.length])).toEqual([
      ['mine', 2],
    ]);
  });
});

import { expect, it } from 'vitest';
import { type SpanData, spansMessage } from './otlp-messages.ts';

const SPAN: SpanData = {
  traceId: 'a'.repeat(32),
  spanId: 'b'.repeat(16),
  parentSpanId: undefined,
  traceState: undefined,
  name: 'tools/call',
  startedAt: 0,
  durationMs: 1,
  attributes: {},
  events: [],
  droppedEvents: 0,
  link: { traceId: 'c'.repeat(32), spanId: 'd'.repeat(16), isSampled: true, traceState: 'k=v' },
  failure: undefined,
};

it('links another context with the members that OTLP has for it', () => {
  const message = spansMessage([SPAN], { resource: {}, scope: { name: 's', version: '1' } });
  const [, links] = /"links":(\[.*?\])/.exec(JSON.stringify(message)) ?? [];
  expect(JSON.parse(links ?? '')).toEqual([
    // Sampled, and known to be remote.
    { traceId: 'c'.repeat(32), spanId: 'd'.repeat(16), traceState: 'k=v', flags: 0x301 },
  ]);
});

import { expect, it } from 'vitest';
import { Instrument, labelled } from './instruments.ts';
import { createKnownNames, methodName, revisionName } from './known-names.ts';
import { createMeasures } from './measures.ts';
import { toPrometheus } from './prometheus.ts';

const OPERATION = [
  'mcp.method.name',
  'gen_ai.operation.name',
  'gen_ai.tool.name',
  'gen_ai.prompt.name',
  'error.type',
  'rpc.response.status_code',
  'mcp.protocol.version',
  'network.transport',
  'network.protocol.name',
];

it('has these metrics, with these labels and under these names, and no others', () => {
  const all = Object.values(createMeasures());
  expect(all.map(({ init: { name, kind, unit, labels } }) => [name, kind, unit, labels])).toEqual([
    ['mcp.server.operation.duration', 'histogram', 's', [...OPERATION, 'mayday.upstream']],
    [
      'mcp.client.operation.duration',
      'histogram',
      's',
      [...OPERATION, 'mayday.upstream', 'server.address', 'server.port'],
    ],
    [
      'mayday.faults',
      'counter',
      '{fault}',
      ['mayday.upstream', 'gen_ai.tool.name', 'mayday.fault.kind', 'mayday.fault.origin'],
    ],
    ['mayday.retries', 'counter', '{attempt}', ['mayday.upstream', 'mayday.fault.kind']],
    ['mayday.refusals', 'counter', '{call}', ['mayday.upstream', 'mayday.refused_by']],
    ['mayday.door.refusals', 'counter', '{request}', ['http.response.status_code']],
    ['mayday.calls.active', 'gauge', '{call}', []],
    ['mayday.upstream.circuit', 'gauge', '{state}', ['mayday.upstream']],
    ['mayday.upstream.troubled_tools', 'gauge', '{tool}', ['mayday.upstream']],
    ['mayday.upstream.sessions', 'gauge', '{session}', ['mayday.upstream']],
    ['mayday.upstream.processes', 'gauge', '{process}', ['mayday.upstream']],
    ['mayday.ready', 'gauge', '{state}', []],
    ['mayday.error_budget.objective', 'gauge', '1', ['mayday.upstream', 'gen_ai.tool.name']],
    ['mayday.error_budget.remaining', 'gauge', '1', ['mayday.upstream', 'gen_ai.tool.name']],
    ['mayday.error_budget.burn_rate', 'gauge', '{rate}', ['mayday.upstream', 'gen_ai.tool.name']],
    ['mayday.telemetry.exported', 'counter', '{item}', ['mayday.signal']],
    ['mayday.telemetry.lost', 'counter', '{item}', ['mayday.signal']],
    ['process.memory.usage', 'gauge', 'By', []],
    ['process.cpu.time', 'counter', 's', ['cpu.mode']],
    ['process.uptime', 'gauge', 's', []],
  ]);
  for (const each of all) each.set(1);
  const names = toPrometheus(all, []).match(/(?<=# TYPE )\S+/g);
  expect(names).toEqual([
    'target_info',
    'mcp_server_operation_duration_seconds',
    'mcp_client_operation_duration_seconds',
    'mayday_faults_total',
    'mayday_retries_total',
    'mayday_refusals_total',
    'mayday_door_refusals_total',
    'mayday_calls_active',
    'mayday_upstream_circuit',
    'mayday_upstream_troubled_tools',
    'mayday_upstream_sessions',
    'mayday_upstream_processes',
    'mayday_ready',
    'mayday_error_budget_objective_ratio',
    'mayday_error_budget_remaining_ratio',
    'mayday_error_budget_burn_rate',
    'mayday_telemetry_exported_total',
    'mayday_telemetry_lost_total',
    'process_memory_usage_bytes',
    'process_cpu_time_seconds_total',
    'process_uptime_seconds',
  ]);
});

it('puts a measurement into the bucket whose limit it does not exceed', () => {
  const { served } = createMeasures();
  for (const seconds of [0, 0.01, 0.010001, 300, 301]) served.record(seconds, ['ping']);
  expect(served.all()[0]).toMatchObject({
    count: 5,
    buckets: [2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1],
  });
});

it('has 2000 combinations of labels at most, the last for all others', () => {
  const instrument = new Instrument({ name: 'x', kind: 'counter', unit: '1', about: '', labels: ['a', 'b'] });
  for (let i = 0; i < 3000; i++) instrument.add(1, [`a${i}`, undefined]);
  const all = instrument.all();
  expect(all).toHaveLength(2000);
  expect(all.map((series) => series.value).reduce((sum, value) => sum + value)).toBe(3000);
  expect(all.slice(-1).map((series) => [labelled(instrument, series), series.value])).toEqual([
    [[['otel.metric.overflow', 'true']], 1001],
  ]);
});

it('keeps labels apart whatever they hold', () => {
  const instrument = new Instrument({ name: 'x', kind: 'counter', unit: '1', about: '', labels: ['a', 'b'] });
  instrument.add(1, ['q"\\\n', 'z']);
  instrument.add(1, [undefined, 'z']);
  expect(toPrometheus([instrument], [])).toContain('\nx_total{a="q\\"\\\\\\n",b="z"} 1\nx_total{b="z"} 1\n');
});

it('tells names that were learned, redacted, and a bounded number of them', () => {
  const names = createKnownNames();
  names.learn('pay');
  names.learn('x'.repeat(129));
  names.learn('sk-ant-api03-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA');
  expect([names.find('pay'), names.find('other'), names.find('x'.repeat(129))]).toEqual([
    'pay',
    undefined,
    undefined,
  ]);
  expect(names.find('sk-ant-api03-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')).not.toContain('AAAAAAAAAA');
  for (let i = 0; i < 600; i++) names.learn(`tool-${i}`);
  expect(Array.from({ length: 600 }, (_, i) => names.find(`tool-${i}`)).filter(Boolean)).toHaveLength(498);
});

it('tells methods and revisions that there are', () => {
  expect(['tools/call', 'server/discover', 'tools/cal', ''].map(methodName)).toEqual([
    'tools/call',
    'server/discover',
    '_OTHER',
    '_OTHER',
  ]);
  expect([revisionName('2025-03-26', 'x'), revisionName('2999-01-01', 'x'), revisionName(7, 'x')]).toEqual([
    '2025-03-26',
    'x',
    'x',
  ]);
});

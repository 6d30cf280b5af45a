/** Every metric of the gateway: one table. Names and labels of the first two are those of the semantic conventions. */
import { Instrument, type InstrumentInit } from './instruments.ts';

const OPERATION: readonly string[] = [
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

/** What is measured. */
type Measure =
  | 'served'
  | 'asked'
  | 'faults'
  | 'retries'
  | 'refusals'
  | 'turnedAway'
  | 'active'
  | 'circuit'
  | 'troubled'
  | 'sessions'
  | 'processes'
  | 'ready'
  | 'objective'
  | 'remaining'
  | 'burn'
  | 'exported'
  | 'lost'
  | 'memory'
  | 'cpu'
  | 'uptime';

const TABLE: { readonly [key in Measure]: InstrumentInit } = {
  served: {
    name: 'mcp.server.operation.duration',
    kind: 'histogram',
    unit: 's',
    about: 'Calls as their callers see them, from the request to its answer.',
    labels: [...OPERATION, 'mayday.upstream'],
  },
  asked: {
    name: 'mcp.client.operation.duration',
    kind: 'histogram',
    unit: 's',
    about: 'Attempts as the upstream is asked, each by itself.',
    labels: [...OPERATION, 'mayday.upstream', 'server.address', 'server.port'],
  },
  faults: {
    name: 'mayday.faults',
    kind: 'counter',
    unit: '{fault}',
    about: 'Failures, as in /-/faults.',
    labels: ['mayday.upstream', 'gen_ai.tool.name', 'mayday.fault.kind', 'mayday.fault.origin'],
  },
  retries: {
    name: 'mayday.retries',
    kind: 'counter',
    unit: '{attempt}',
    about: 'Attempts beyond the first of a call.',
    labels: ['mayday.upstream', 'mayday.fault.kind'],
  },
  refusals: {
    name: 'mayday.refusals',
    kind: 'counter',
    unit: '{call}',
    about: 'Calls that the gateway itself refused, by the policy that did.',
    labels: ['mayday.upstream', 'mayday.refused_by'],
  },
  turnedAway: {
    name: 'mayday.door.refusals',
    kind: 'counter',
    unit: '{request}',
    about: 'Requests that were not let in.',
    labels: ['http.response.status_code'],
  },
  active: {
    name: 'mayday.calls.active',
    kind: 'gauge',
    unit: '{call}',
    about: 'Calls under way.',
    labels: [],
  },
  circuit: {
    name: 'mayday.upstream.circuit',
    kind: 'gauge',
    unit: '{state}',
    about: '0 closed, 1 half-open, 2 open.',
    labels: ['mayday.upstream'],
  },
  troubled: {
    name: 'mayday.upstream.troubled_tools',
    kind: 'gauge',
    unit: '{tool}',
    about: 'Tools that are held back because they keep failing.',
    labels: ['mayday.upstream'],
  },
  sessions: {
    name: 'mayday.upstream.sessions',
    kind: 'gauge',
    unit: '{session}',
    about: 'Sessions that are open.',
    labels: ['mayday.upstream'],
  },
  processes: {
    name: 'mayday.upstream.processes',
    kind: 'gauge',
    unit: '{process}',
    about: 'Processes that run.',
    labels: ['mayday.upstream'],
  },
  ready: {
    name: 'mayday.ready',
    kind: 'gauge',
    unit: '{state}',
    about: '1 where calls can be sent to it, as /-/ready says.',
    labels: [],
  },
  objective: {
    name: 'mayday.error_budget.objective',
    kind: 'gauge',
    unit: '1',
    about: 'The share of calls that are to succeed.',
    labels: ['mayday.upstream', 'gen_ai.tool.name'],
  },
  remaining: {
    name: 'mayday.error_budget.remaining',
    kind: 'gauge',
    unit: '1',
    about: 'What is left of the error budget: 1 is all of it, 0 or less is used up.',
    labels: ['mayday.upstream', 'gen_ai.tool.name'],
  },
  burn: {
    name: 'mayday.error_budget.burn_rate',
    kind: 'gauge',
    unit: '{rate}',
    about: 'How fast it is used in the last hour: 1 uses it up exactly at the end of the window.',
    labels: ['mayday.upstream', 'gen_ai.tool.name'],
  },
  exported: {
    name: 'mayday.telemetry.exported',
    kind: 'counter',
    unit: '{item}',
    about: 'Spans, and collections of metrics, that a collector has taken.',
    labels: ['mayday.signal'],
  },
  lost: {
    name: 'mayday.telemetry.lost',
    kind: 'counter',
    unit: '{item}',
    about: 'Spans, and collections of metrics, that no collector has taken.',
    labels: ['mayday.signal'],
  },
  memory: {
    name: 'process.memory.usage',
    kind: 'gauge',
    unit: 'By',
    about: 'Physical memory in use.',
    labels: [],
  },
  cpu: {
    name: 'process.cpu.time',
    kind: 'counter',
    unit: 's',
    about: 'Processor time.',
    labels: ['cpu.mode'],
  },
  uptime: {
    name: 'process.uptime',
    kind: 'gauge',
    unit: 's',
    about: 'Time since the gateway was started.',
    labels: [],
  },
};

/** The instruments, by what they are for. */
export type Measures = { readonly [key in Measure]: Instrument };

/** New instruments, all at zero. */
export function createMeasures(): Measures {
  const made = Object.entries(TABLE).map(([key, init]) => [key, new Instrument(init)]);
  return Object.fromEntries(made) as Measures;
}

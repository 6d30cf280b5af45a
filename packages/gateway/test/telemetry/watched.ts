/** A gateway whose telemetry is on, and a server behind it. */
import { type Gateway, type LogFacts, type SettingsFile, startGateway } from '../../src/index.ts';
import { json, later, settingsOf, upstream } from '../tools.ts';

export interface Watched extends Gateway {
  readonly logs: string[];
  readonly facts: (LogFacts | undefined)[];
}

/** Spans leave at once, unless a test says otherwise. */
const QUICK = { OTEL_BSP_SCHEDULE_DELAY: '5', OTEL_METRIC_EXPORT_INTERVAL: '50' };

/** Starts a gateway in this environment. */
export async function watch(
  file: SettingsFile,
  env: { readonly [name: string]: string } = {},
): Promise<Watched> {
  const logs: string[] = [];
  const facts: (LogFacts | undefined)[] = [];
  const gateway = await startGateway(settingsOf(file), {
    env: { ...QUICK, ...env },
    onLog(line, said) {
      logs.push(line);
      facts.push(said);
    },
  });
  later(() => gateway.close(500));
  return Object.assign(Object.create(gateway) as Gateway, { logs, facts });
}

interface Asked {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly name?: string; readonly _meta?: { readonly [key: string]: unknown } };
}

/** A server that has two tools: `pay`, and `flaky`, which says what the test says. */
export async function shop(
  flaky: () => { readonly status?: number; readonly body?: object } = () => ({ status: 503, body: {} }),
): Promise<{ readonly url: string; readonly asked: Asked[] }> {
  const asked: Asked[] = [];
  const { url } = await upstream((body, response) => {
    const question = JSON.parse(body) as Asked;
    asked.push(question);
    const { id, method, params } = question;
    const name = params?.name;
    if (method === 'tools/list') json(response, 200, answer(id, { tools: TOOLS }));
    else if (name === 'flaky') {
      const { status = 200, body: said = {} } = flaky();
      json(response, status, { jsonrpc: '2.0', id, ...said });
    } else if (method !== 'tools/call' || name === 'pay') json(response, 200, answer(id, { content: [] }));
    else
      json(response, 200, { jsonrpc: '2.0', id, error: { code: -32602, message: `Unknown tool: ${name}` } });
  });
  return { url, asked };
}

const TOOLS = ['pay', 'flaky'].map((name) => ({
  name,
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint: true },
}));

function answer(id: unknown, result: object): object {
  return { jsonrpc: '2.0', id, result };
}

/** Every query of the dashboard is about metrics and labels that a gateway really has. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, callTool, cleanUp, post, STDIO_SERVER } from '../tools.ts';
import { shop, watch } from './watched.ts';

interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[];
  }[];
  readonly templating: { readonly list: readonly { readonly definition?: string }[] };
}

const FILE = new URL('../../../../deploy/grafana/mayday-gateway.json', import.meta.url);
const { panels, templating } = JSON.parse(readFileSync(FILE, 'utf8')) as Dashboard;

const QUERIES = [
  ...panels.flatMap(({ title, targets }) =>
    targets.map(({ expr, legendFormat }) => [title, expr, legendFormat] as const),
  ),
  ...templating.list.flatMap(({ definition }) =>
    definition === undefined ? [] : [['a variable', definition, ''] as const],
  ),
];

/** Label names by the name of the metric. */
const printed = new Map<string, Set<string>>();

/** What Prometheus itself adds, and what it computes with. */
const OF_PROMETHEUS = ['job', 'instance', 'le'];

beforeAll(async () => {
  const { url } = await shop();
  const gateway = await watch(
    {
      upstreams: {
        shop: { url, retry: { attempts: 2 }, breaker: { failures: 2, open_ms: 60_000 } },
        files: { ...STDIO_SERVER },
      },
      telemetry: {
        otlp: { endpoint: 'http://127.0.0.1:9' },
        error_budgets: [{ objective: 0.9 }],
      },
    },
    { OTEL_BSP_MAX_QUEUE_SIZE: '1' },
  );
  await post(`${gateway.url}/shop/mcp`, call('tools/list'));
  for (const name of ['pay', 'flaky', 'flaky', 'flaky', 'made-up'])
    await post(`${gateway.url}/shop/mcp`, callTool(name));
  await fetch(`${gateway.url}/nowhere`);
  const text = await (await fetch(`${gateway.url}/-/metrics`)).text();
  for (const line of text.split('\n')) {
    const found = /^(\w+)(?:\{(.*)\})? \S+$/.exec(line);
    if (found?.[1] === undefined) continue;
    const labels = [...(found[2] ?? '').matchAll(/(\w+)="(?:[^"\\]|\\.)*"/g)].map(([, name]) => name ?? '');
    printed.set(found[1], new Set([...(printed.get(found[1]) ?? []), ...labels]));
  }
});

afterAll(cleanUp);

const WORDS = /[a-z_][a-z0-9_]*(?=\s*(?:\{|\)|\[|==|>|,|$))/g;
const isMetric = (word: string): boolean => /^(?:mcp|mayday|process)_/.test(word);

/** Names of metrics stand outside of braces and of `by (…)`. */
function metricsIn(expr: string): readonly string[] {
  const bare = expr.replace(/\{[^}]*\}/g, '{').replace(/by \([^)]*\)|(?<=^label_values.*), \w+/g, '');
  return [...new Set(bare.match(WORDS) ?? [])].filter(isMetric);
}

/** Names of labels stand in braces, in `by (…)`, in legends, and at the end of `label_values`. */
function labelsIn(expr: string, legend: string): readonly string[] {
  const inside = [...expr.matchAll(/\{([^}]*)\}/g)].flatMap(([, text = '']) =>
    [...text.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, name = '']) => name),
  );
  const grouped = [...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, text = '']) => text.split(/,\s*/));
  const shown = [...legend.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name);
  const asked = /^label_values\(.*, (\w+)\)$/.exec(expr)?.[1];
  return [...new Set([...inside, ...grouped, ...shown, ...(asked === undefined ? [] : [asked])])];
}

it('has queries', () => {
  expect(QUERIES.length).toBeGreaterThan(20);
});

it.each(QUERIES)('%s: %s', (_title, expr, legend) => {
  const names = metricsIn(expr);
  expect(names).not.toEqual([]);
  expect(names.filter((name) => !printed.has(name))).toEqual([]);
  const known = new Set([...OF_PROMETHEUS, ...names.flatMap((name) => [...(printed.get(name) ?? [])])]);
  expect(labelsIn(expr, legend).filter((label) => !known.has(label))).toEqual([]);
});

it('leaves out no metric that says something about calls', () => {
  const asked = new Set(QUERIES.flatMap(([, expr]) => metricsIn(expr)));
  const bare = (name: string): string => name.replace(/_(?:bucket|sum|count)$/, '');
  const all = new Set([...printed.keys()].filter(isMetric).map(bare));
  expect([...all].filter((name) => ![...asked].map(bare).includes(name))).toEqual([
    'mayday_error_budget_objective_ratio',
    'process_uptime_seconds',
  ]);
});

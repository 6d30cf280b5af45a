import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { describe } from '../packages/gateway/src/admin/describe.ts';
import { OPERATIONS } from '../packages/gateway/src/admin/operations.ts';

const page = readFileSync(new URL('../docs/gateway.md', import.meta.url), 'utf8');

test('the OpenAPI document is up to date; if not: npm run docs', () => {
  const file = new URL('../packages/gateway/schema/admin.openapi.json', import.meta.url);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(describe(OPERATIONS));
});

test.each([
  ['`upstreams.*.timeout_ms`', '`300000`'],
  ['`upstreams.*.breaker.open_ms`', '`1000`'],
  ['`limits.body_bytes`', '16 MiB'],
  ['`upstreams.*.sessions.idle_ms`', 'as `sessions.idle_ms`'],
  ['`keys[].name`', 'required'],
  ['`joined.separator`', '`_`'],
])('say that %s is %s', (setting, holds) => {
  const row = page.split('\n').find((line) => line.startsWith(`| ${setting} |`));
  expect(row?.split('|').at(-2)?.trim()).toBe(holds);
});

test.each([
  ['`joined.discovery`', ' One of `full`, `lazy`.'],
  ['`limits.depth`', ' From 16 to 2000.'],
  ['`limits.message_bytes`', ' From 1 KiB.'],
  ['`sessions.idle_ms`', ' From 1000.'],
  ['`telemetry.sample`', ' From 0 to 1.'],
])('say what %s may be:%s', (setting, range) => {
  const row = page.split('\n').find((line) => line.startsWith(`| ${setting} |`));
  expect(row?.split(' | ')[1]).toContain(range);
});

test('say what needs a restart', () => {
  expect(page).toContain(
    'A reload applies all of them, except `listen.host`, `listen.port`, `listen.allowed_hosts`, `listen.allowed_origins`, `listen.certificate`, `listen.certificate_key`, `workers`, `store.url`, `store.secret`, `store.on_down`, `faults.max_age_ms`, `faults.max_entries`, `admin`, `admin.listen.port`, `admin.listen.host`, `admin.console`, `admin.requests_per_minute`, `log.format`, `telemetry.metrics`, `telemetry.otlp.endpoint`, `telemetry.otlp.headers`, `telemetry.otlp.protocol`, `telemetry.otlp.traces`, `telemetry.otlp.metrics`, `telemetry.sample`, `telemetry.service_name`, `telemetry.error_budgets`, `telemetry.error_budgets[].tools`, `telemetry.error_budgets[].objective`, `telemetry.error_budgets[].window_ms` and `telemetry.error_budgets[].min_calls`, which need a restart.',
  );
});

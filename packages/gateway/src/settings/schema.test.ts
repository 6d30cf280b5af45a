import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../test/runs.ts';
import { SettingsError } from './problems.ts';
import { resolveSettings } from './resolve.ts';
import { settingsSchema } from './schema.ts';
import type { SettingsFile } from './settings.ts';

it('is what editors get; if not: npm run docs', () => {
  const file = new URL('../../schema/config.schema.json', import.meta.url);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(settingsSchema());
});

const validate = new Ajv2020({ allErrors: true }).compile(settingsSchema());

function isResolved(file: unknown): boolean {
  try {
    resolveSettings(file as SettingsFile);
    return true;
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return false;
  }
}

/** A file in which everything is set; the law is tried where one or two things in it are something else. */
const RIGHT = {
  listen: { host: '127.0.0.1', port: 1, allowed_hosts: ['x'], allowed_origins: [] },
  dialect: 'onx',
  joined: { enabled: true, separator: '', part_timeout_ms: 5, start_timeout_ms: 5 },
  limits: {
    body_bytes: 1024,
    message_bytes: 4096,
    depth: 16,
    text_bytes: 1024,
    rates: [{ calls: 5000, per_ms: 1, by: ['caller'], algorithm: 'bucket' }],
    concurrency: [{ calls: 2, by: ['tool', 'tenant'] }],
  },
  sessions: { idle_ms: 5000, max: 1, per_caller: 1 },
  store: { url: 'redis://x', on_down: 'open' },
  faults: { keep: 0 },
  admin: { listen: { host: 'x' }, console: false, requests_per_minute: 5 },
  log: { format: 'json' },
  telemetry: {
    metrics: 'anybody',
    otlp: { endpoint: 'http://x', headers: { x: 'y' }, protocol: 'http/json', traces: false, metrics: true },
    sample: 0.5,
    service_name: 'x',
    error_budgets: [{ tools: ['x'], objective: 1, window_ms: 1000, min_calls: 1 }],
  },
  upstreams: {
    a: { command: 'sh', args: ['x'], env: { X: 'y' }, cwd: '.', max_sessions: 2, breaker: false },
    b: { url: 'http://x/', headers: { x: 'y' }, from: 'mcp', dialect: 'closient' },
    c: {
      openapi: 'x',
      base_url: 'https://x',
      operations: ['y'],
      query: { x: 'y' },
      origins: ['https://*.x.example:8443'],
      idempotency_header: 'X-Once',
      sessions: { max: 3 },
      breaker: { failures: 1, open_ms: 1 },
    },
    d: { command: 'sh', timeout_ms: 1, retry: { attempts: 1, max_wait_ms: 0, never_repeat: ['x'] } },
  },
};

function pathsOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, item]) => pathsOf(item, [...path, key]))];
}

function replaced(value: unknown, [first, ...rest]: readonly string[], by: unknown): unknown {
  if (first === undefined) return by;
  const members = (typeof value === 'object' && value !== null ? value : {}) as { [key: string]: unknown };
  const copy: { [key: string]: unknown } = { ...members, [first]: replaced(members[first], rest, by) };
  return Array.isArray(value) ? Object.values(copy) : copy;
}

const other = fc.oneof(
  fc.constantFrom(-1, 0, 1, 2, 16, 500, 1024, 5000, 65_536, 1.5, 2 ** 31, 2 ** 53),
  fc.constantFrom(true, false, null, '', 'mayday', 'onx', '_', 'http://x/', 'x', '__proto__'),
  fc.constantFrom(
    [],
    ['x'],
    ['https://*.x'],
    [1],
    {},
    { x: 'y' },
    { x: 1 },
    { max: 3 },
    { failures: 2 },
    { attempts: 3 },
  ),
);
const change = fc.tuple(fc.constantFrom(...pathsOf(RIGHT)), other);

it('allows what the gateway takes, and nothing else', () => {
  const verdicts = { taken: 0, refused: 0 };
  fc.assert(
    fc.property(fc.array(change, { maxLength: 2 }), (changes) => {
      const file = changes.reduce<unknown>((value, [path, by]) => replaced(value, path, by), RIGHT);
      const isValid = validate(file);
      verdicts[isValid ? 'taken' : 'refused']++;
      expect([isResolved(file), file]).toEqual([isValid, file]);
    }),
    { numRuns: runs(3000) },
  );
  expect(Math.min(verdicts.taken, verdicts.refused)).toBeGreaterThan(runs(300));
});

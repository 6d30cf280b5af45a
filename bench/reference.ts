/**
 * How large the reference servers are, and how fast each answers: `npm run bench:reference`. Lines are those of `src`
 * without tests, comments and blank lines included; a start is from the start of the process to the first answer. On a
 * machine that does other things at the same time the clock tells little: the processor time of the start is what it
 * takes on an idle one, and is what the limit is held against. Linux only.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SERVERS = ['closient', 'onx', 'erlmcp', 'qaqnuz', 'platica'];
const RUNS = Number(process.argv[2] ?? 3);
const MAX_LINES = 6000;
const MAX_START_MS = 1000;

const root = fileURLToPath(new URL('..', import.meta.url));
const data = mkdtempSync(join(tmpdir(), 'reference-'));
const HELLO = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  },
});

function linesOf(name: string): number {
  const folder = join(root, 'reference', name, 'src');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .reduce((sum, file) => sum + readFileSync(join(folder, file), 'utf8').split('\n').length - 1, 0);
}

function start(name: string, flag: string[]): ChildProcess {
  const args = ['--conditions=@mayday/source', 'reference/shared/src/run.ts', name, '--data', data, ...flag];
  return spawn(process.execPath, args, { cwd: root, stdio: 'pipe' });
}

async function overStdio(name: string): Promise<ChildProcess> {
  const child = start(name, ['--stdio']);
  child.stdin?.write(`${HELLO}\n`);
  if (child.stdout !== null) await once(child.stdout, 'data');
  return child;
}

async function overHttp(name: string): Promise<ChildProcess> {
  const child = start(name, ['--http', '0']);
  let said = '';
  for await (const chunk of child.stderr?.iterator({ destroyOnReturn: false }) ?? []) {
    said += chunk;
    const url = /Listening on (http:\/\/[\d.:]+)/.exec(said)?.[1];
    if (url === undefined) continue;
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: 'Bearer pl_key_bench',
    };
    const answer = await fetch(`${url}/mcp`, { method: 'POST', body: HELLO, headers });
    await answer.text();
    break;
  }
  return child;
}

interface Start {
  readonly clock: number;
  readonly work: number;
}

async function timed(run: () => Promise<ChildProcess>): Promise<Start> {
  const startedAt = performance.now();
  const child = await run();
  const start = { clock: performance.now() - startedAt, work: processorTime(child.pid) };
  const gone = once(child, 'exit');
  child.kill();
  await gone;
  return start;
}

/** What a process has used so far: user and system time, in ticks of 10 ms. */
function processorTime(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** The quickest of some starts, by the clock and by the processor. */
async function startsOf(run: () => Promise<ChildProcess>): Promise<Start> {
  await timed(run); // the first run fills the compile cache
  const starts: Start[] = [];
  for (let runs = 0; runs < RUNS; runs += 1) starts.push(await timed(run));
  const least = (key: keyof Start): number => Math.min(...starts.map((start) => start[key]));
  return { clock: least('clock'), work: least('work') };
}

const ms = (value: number): string => `${value.toFixed(0)} ms`.padStart(9);
const load = (loadavg()[0] ?? 0).toFixed(0);
console.log(`Quickest of ${RUNS} starts each, at a load of ${load}`);
console.log('                       stdio, first answer     HTTP, first answer');
console.log('             lines     processor     clock     processor     clock');
let sum = 0;
let slowest = 0;
for (const name of SERVERS) {
  const lines = linesOf(name);
  const stdio = await startsOf(() => overStdio(name));
  const http = await startsOf(() => overHttp(name));
  sum += lines;
  slowest = Math.max(slowest, stdio.work, http.work);
  const row = [stdio, http].map(({ work, clock }) => `${ms(work)} ${ms(clock)}`).join('     ');
  console.log(`${name.padEnd(10)} ${String(lines).padStart(7)}     ${row}`);
}
const shared = linesOf('shared');
console.log(`shared     ${String(shared).padStart(7)}`);
console.log(
  `together   ${String(sum).padStart(7)}     (limits: ${MAX_LINES} lines, ${MAX_START_MS} ms; ${sum + shared} lines with what they share)`,
);
rmSync(data, { recursive: true, force: true });
process.exitCode = sum <= MAX_LINES && slowest <= MAX_START_MS ? 0 : 1;

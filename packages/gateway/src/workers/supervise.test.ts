/** Workers that come late, hang, or have little room. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterEach, expect, it, vi } from 'vitest';
import { startWorkers, type Workers } from './supervise.ts';

/** Tells what it hears, and takes its time to begin; the first of them hangs once it is told to. */
const WORKER = `
const say = (text) => process.stderr.write(process.env.MAYDAY_WORKER + ' ' + text + '\\n');
let hangs = false;
process.on('message', (said) => {
  if (said.kind === 'begin') say('is in ' + said.begin.folder);
  if (said.kind === 'begin') say('begins with ' + said.begin.text);
  if (said.kind === 'begin') setTimeout(() => process.send({ kind: 'serving', serving: { upstreams: [], virtual: [] } }), 400);
  if (said.kind === 'settings') say('heard ' + said.text);
  if (said.kind === 'settings' && said.text === 'hang') hangs = process.env.MAYDAY_WORKER === '1';
  if (said.kind === 'asked' && !hangs) process.send({ kind: 'here' });
  if (said.kind === 'stop') process.exit(0);
});
process.send({ kind: 'ready' });
say('began ' + process.pid);
`;

const folder = mkdtempSync(join(tmpdir(), 'mayday-supervise-'));
const program = join(folder, 'worker.mjs');
writeFileSync(program, WORKER);

let workers: Workers | undefined;
let told = '';

afterEach(async () => {
  vi.unstubAllEnvs();
  await workers?.close(0);
});

async function start(count = 2): Promise<Workers> {
  told = '';
  const log = new Writable({
    write(chunk, _encoding, done) {
      told += String(chunk);
      done();
    },
  });
  const listen = { host: '127.0.0.1', port: 0 };
  const onLog = (line: string): void => {
    told += `${line}\n`;
  };
  const options = { count, listen, isSecure: false, program, args: [], text: 'old', log, onLog };
  workers = await startWorkers({ ...options, askEveryMs: 250 });
  return workers;
}

const says = (what: RegExp): Promise<unknown> =>
  vi.waitFor(() => expect(told).toMatch(what), { timeout: 10_000, interval: 20 });

it('tells one that is about to begin what has changed', async () => {
  const running = await start();
  process.kill(Number(/2 began (\d+)/.exec(told)?.[1]), 'SIGKILL');
  await says(/2 began \d+\n(?:.*\n)*2 began/);
  running.reload('new');
  await says(/2 heard new/);
  expect(told).toMatch(/1 heard new/);
});

it('has one that comes later begin as the others did, and reload what they have', async () => {
  const running = await start();
  running.reload('new');
  running.reload('newer');
  await says(/2 heard newer/);
  process.kill(Number(/2 began (\d+)/.exec(told)?.[1]), 'SIGKILL');
  await says(/worker 2 has ended(?:.*\n)*2 heard/);
  expect(told).toMatch(/worker 2 has ended.*\n(?:.*\n)*2 begins with old\n2 heard newer\n$/);
});

it('ends one that hangs, and starts another in its place', async () => {
  const running = await start();
  running.reload('hang');
  await says(/worker 1 hangs; it is ended\n(?:.*\n)*worker 1 has ended \(SIGKILL\).*another one starts/);
  await says(/has ended(?:.*\n)*1 began/);
  expect(told).not.toMatch(/worker 2 hangs/);
});

it('starts all anew when their folder was removed, in another one', async () => {
  const temporary = mkdtempSync(join(folder, 'removed-'));
  vi.stubEnv('TMPDIR', temporary);
  await start();
  const [before = ''] = readdirSync(temporary);
  rmSync(join(temporary, before), { recursive: true });
  mkdirSync(join(temporary, before)); // somebody else's
  await says(/the folder of the workers was removed; all of them are started anew\n/);
  for (const worker of [1, 2])
    await says(new RegExp(`worker ${worker} has ended \\(SIGTERM\\)(?:.*\\n)*${worker} begins with`));
  expect(told.match(/was removed/g)).toHaveLength(1);
  expect(readdirSync(temporary).filter((name) => name !== before)).toEqual([
    expect.stringMatching(/^mayday-workers-/),
  ]);
});

it('starts all anew when the temporary folder itself was removed, where the system has its own', async () => {
  const temporary = mkdtempSync(join(folder, 'gone-'));
  vi.stubEnv('TMPDIR', temporary);
  await start();
  rmSync(temporary, { recursive: true });
  await says(/the folder of the workers was removed; all of them are started anew\n/);
  for (const worker of [1, 2])
    await says(
      new RegExp(`worker ${worker} has ended \\(SIGTERM\\)(?:.*\\n)*${worker} is in /tmp/mayday-workers-`),
    );
  expect(told.match(/was removed/g)).toHaveLength(1);
});

it('has room for its sockets in a temporary folder with a long name', async () => {
  const long = join(folder, 'x'.repeat(120));
  vi.stubEnv('TMPDIR', long);
  const { url } = await start(1);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  rmSync(folder, { recursive: true });
});

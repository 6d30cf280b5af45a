/** The workers: each a process of its own, so that a mutant that never ends can be ended. */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Done, Job } from './worker-messages.ts';

const START_MS = 120_000;

/** One worker; it starts again after a job that took too long. */
export interface Worker {
  /** Gives what became of it, or `undefined` when the time was over. */
  run(job: Job, limitMs: number): Promise<Done | undefined>;
  stop(): void;
}

/** Starts a worker when it is first needed. Its folder holds the mutant of the moment, outside of the tree. */
export function startWorker(): Worker {
  const folder = mkdtempSync(join(tmpdir(), 'mutants-'));
  let child: ChildProcess | undefined;
  process.once('exit', stop);
  return {
    async run(job, limitMs) {
      child ??= await started(folder);
      const answer = reply(child, limitMs);
      child.send(job);
      const done = await answer;
      if (done === undefined) endChild();
      return done;
    },
    stop,
  };

  function stop(): void {
    process.off('exit', stop);
    endChild();
    rmSync(folder, { recursive: true, force: true });
  }

  function endChild(): void {
    if (child !== undefined) end(child);
    child = undefined;
  }
}

async function started(folder: string): Promise<ChildProcess> {
  // A group of its own: what the tests started ends with it.
  const child = fork(fileURLToPath(new URL('worker.ts', import.meta.url)), [folder], {
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ready = await reply(child, START_MS);
  if (ready === undefined)
    throw new Error('A worker did not start; run `npx vitest run mutants` to see whether Vitest does');
  return child;
}

/** The next message; `undefined` when there is none in time, or ever. */
function reply(child: ChildProcess, limitMs: number): Promise<Done | undefined> {
  return new Promise((resolve) => {
    const settle = (done?: Done): void => {
      clearTimeout(late);
      child.off('message', settle).off('exit', gone);
      resolve(done);
    };
    const gone = (): void => settle();
    const late = setTimeout(gone, limitMs);
    child.on('message', settle).on('exit', gone);
  });
}

function end(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch (reason) {
    if ((reason as NodeJS.ErrnoException).code !== 'ESRCH') throw reason;
  }
}

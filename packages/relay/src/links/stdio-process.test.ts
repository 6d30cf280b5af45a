import { expect, it } from 'vitest';
import { STDIO_SERVER } from '../../test/tools.ts';
import type { ProcessExit } from './process-exit.ts';
import { StdioProcess } from './stdio-process.ts';

function start(program: string): { process: StdioProcess; lines: string[]; exit: Promise<ProcessExit> } {
  const lines: string[] = [];
  let onExit: (exit: ProcessExit) => void = () => {};
  const exit = new Promise<ProcessExit>((resolve) => {
    onExit = resolve;
  });
  const process = new StdioProcess({
    command: STDIO_SERVER.command,
    args: ['-e', program],
    maxMessageBytes: 1000,
    onMessage: (line) => lines.push(line.toString()),
    onTooLong: (first) => lines.push(`too long: ${first.length}`),
    onExit,
  });
  return { process, lines, exit };
}

it('hears everything that was written before the end', async () => {
  const { lines, exit } = start(
    `for (let i = 0; i < 1000; i++) console.log(i); console.log('x'.repeat(5000)); console.log('last')`,
  );
  expect(await exit).toEqual({ code: 0, signal: null, reason: undefined, stderrTail: [] });
  expect([lines.length, lines.at(-2), lines.at(-1)]).toEqual([1002, 'too long: 4096', 'last']);
});

it('writes messages of any size as lines', async () => {
  const { process, lines, exit } = start(
    `let all = ''; process.stdin.on('data', (d) => { all += d; }).on('end', () => console.log(all.split('\\n').map((l) => l.length).join()))`,
  );
  process.send(Buffer.alloc(10, 'a'));
  process.send(Buffer.alloc(100_000, 'b'));
  await process.stop();
  await exit;
  expect(lines).toEqual(['10,100000,0']);
});

it('asks, then insists', async () => {
  const { process, lines, exit } = start(
    `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('up')`,
  );
  while (lines.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  await process.stop(200);
  expect((await exit).signal).toBe('SIGKILL');
  process.send(Buffer.from('nobody hears it'));
  expect([process.exited, process.backlog]).toEqual([true, 0]);
  await process.stop();
});

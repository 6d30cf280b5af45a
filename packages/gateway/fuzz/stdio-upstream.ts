/** A fuzzing server over standard input and output: `calm` ignores plans, `wild` follows them. */
import { type Act, onLine } from './hostile.ts';
import { ordinary, planned, understood } from './upstream.ts';

const wild = process.argv[2] === 'wild';
let rest = '';

process.stdin.setEncoding('utf8').on('data', (text: string) => {
  const lines = (rest + text).split('\n');
  rest = lines.pop() ?? '';
  for (const line of lines) react(line);
});

function react(line: string): void {
  const request = understood(line);
  if (request.id === undefined || request.method === undefined) return;
  const acts = wild ? planned(request, onLine) : undefined;
  if (acts === undefined) return void process.stdout.write(`${ordinary(request)}\n`);
  void perform(acts);
}

async function perform(acts: readonly Act[]): Promise<void> {
  for (const act of acts) {
    if ('wait' in act) await new Promise((resolve) => setTimeout(resolve, act.wait));
    if ('stderr' in act) process.stderr.write(`${act.stderr}\n`);
    if ('bytes' in act) process.stdout.write(act.bytes);
    if ('end' in act) process.exit(1);
  }
}

/** A process that cannot be started because no file can be opened any more has ended; nobody ends with it. */
import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';

const SCRIPT = `
import { openSync } from 'node:fs';
import { StdioProcess } from ${JSON.stringify(new URL('./stdio-process.ts', import.meta.url).href)};
process.stdout.write('');
const onExit = ({ reason }) => process._rawDebug(JSON.stringify(reason));
try { for (;;) openSync('/dev/null'); } catch { /* there are none left, which is what it is for */ }
const started = new StdioProcess({ command: process.execPath, args: ['-e', ''], onMessage() {}, onExit, onNoise() {} });
started.send(Buffer.from('{}'));
await started.stop();
process._rawDebug('alive');
`;

it('is told as a start that failed', { skip: process.platform === 'win32' }, () => {
  const run = `ulimit -n 100; exec "$0" --conditions=@mayday/source --input-type=module -e "$1" 2>&1`;
  const said = execFileSync('/bin/sh', ['-c', run, process.execPath, SCRIPT], { encoding: 'utf8' });
  expect(said).toContain('"too_many_processes"');
  expect(said.trim().endsWith('alive')).toBe(true);
});

/** A process that refuses a call and dies in the same moment: what killed it may have been the work that it denies. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { call, cleanUp, faultIn, later, open, type Posted, post } from '../tools.ts';

afterEach(cleanUp);

/** Notes that it is called, then refuses as its protocol layer would, and does this behind it. */
function refuses(
  mark: string,
  behind: string,
): { readonly command: string; readonly args: readonly string[] } {
  const script = `
  const { writeFileSync, writeSync } = require('node:fs');
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    if (id === undefined) return;
    const say = (more) => writeSync(1, JSON.stringify({ jsonrpc: '2.0', id, ...more }) + '\\n');
    const tools = [{ name: 'pay', inputSchema: { type: 'object' } }];
    if (method !== 'tools/call') return say({ result: { tools } });
    writeFileSync(${JSON.stringify(mark)}, '');
    hold(200);
    say({ error: { code: -32602, message: 'amount is required' } });
    ${behind}
  });
  function hold(ms) { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms); }`;
  return { command: process.execPath, args: ['-e', script] };
}

/** What is answered to a call, where nobody here listens until all is over there: then both are heard at once. */
async function answered(behind: string): Promise<Posted> {
  const folder = mkdtempSync(join(tmpdir(), 'mayday-refusal-'));
  later(() => rmSync(folder, { recursive: true }));
  const mark = join(folder, 'called');
  const gateway = await open({ upstreams: { a: refuses(mark, behind) } });
  const posted = post(`${gateway.url}/a/mcp`, call('tools/call', { name: 'pay', arguments: {} }));
  while (!existsSync(mark)) await sleep(5);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600);
  return posted;
}

const CAUTION = 'It may have happened; check before you repeat a change.';

it('is told with its words, and that it may have happened', async () => {
  const posted = await answered("process.kill(process.pid, 'SIGKILL');");
  expect(faultIn(posted)).toMatchObject({ kind: 'invalid_arguments', executed: 'maybe', retryable: false });
  expect(posted.text).toContain('amount is required');
  expect(posted.text).toContain(CAUTION);
});

it('is believed where it lives on', async () => {
  const posted = await answered('');
  expect(faultIn(posted)).toMatchObject({ kind: 'invalid_arguments', executed: 'no' });
  expect(posted.text).not.toContain(CAUTION);
});

/**
 * Runs scripts of `package.json` side by side, and tells what each has said when it is done: `node scripts/side-by-side.ts
 * check:types check:dead`. Fails if one of them does, after the others have had their say.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Runs one script; false if it fails. */
async function run(script: string): Promise<boolean> {
  const started = performance.now();
  const child = spawn(process.execPath, ['--run', script], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const closed = once(child, 'close');
  const said = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await closed;
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  process.stdout.write(`${said.join('')}${script}: ${code === 0 ? 'done' : 'failed'} in ${seconds} s\n`);
  return code === 0;
}

const results = await Promise.all(process.argv.slice(2).map(run));
process.exitCode = results.every(Boolean) ? 0 : 1;

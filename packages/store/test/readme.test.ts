import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const folder = fileURLToPath(new URL('..', import.meta.url));

it('the README’s example runs, and prints what it says', () => {
  const readme = readFileSync(`${folder}README.md`, 'utf8');
  const code = /^```ts\n([\s\S]*?)^```/m.exec(readme)?.[1] as string;
  const args = ['--conditions=@mayday/source', '--input-type=module-typescript', '-e', code];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(stdout).toMatch(/^2 policies; give ada her key, it is shown once: mdy_[0-9a-f]{12}_[\w-]{43}\n/);
  expect(stdout).toMatch(/\{\s+ok: true,\s+rows: 1,\s+head: '[0-9a-f]{64}'\s+\}\n$/);
});

#!/usr/bin/env node
// Starts the built form; in a clone that is not built, the sources, which Node runs by stripping the types.
import { existsSync } from 'node:fs';
import * as module from 'node:module';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const built = new URL('../dist/main.js', import.meta.url);

if (existsSync(built) && major >= 20) {
  module.enableCompileCache?.();
  await import(built.href);
} else {
  await runSources();
}

async function runSources() {
  const node = nodeThatStripsTypes();
  if (node === undefined) {
    process.stderr.write(
      `mayday: Node ${process.versions.node} is too old to run mayday unbuilt; use Node 22.18 or newer, or run \`npm run build\` first\n`,
    );
    process.exitCode = 2;
    return;
  }
  const { spawnSync } = await import('node:child_process');
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
  const flags = ['--conditions=@mayday/source', '--disable-warning=ExperimentalWarning'];
  const { status, signal } = spawnSync(node, [...flags, main, ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  if (signal !== null) process.kill(process.pid, signal);
  process.exitCode = status ?? 70;
}

/** The running Node where it is new enough, else the one that the repository pins. */
function nodeThatStripsTypes() {
  if (major > 22 || (major === 22 && minor >= 18)) return process.execPath;
  const pinned = fileURLToPath(
    new URL(`../../../node_modules/node-${process.platform}-${process.arch}/bin/node`, import.meta.url),
  );
  return existsSync(pinned) ? pinned : undefined;
}

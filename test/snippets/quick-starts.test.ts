/** The pages under docs/start, word for word, in an empty folder: only what is installed comes from here. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { freePort } from '../../scripts/free-port.ts';
import { type Block, blocksOf, fileOf, patternOf, ROOT, stepsOf } from './blocks.ts';

/** Somebody with a folder in which `npm install` was done, and `npm install -g` too. */
class Newcomer implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), 'mayday-start-'));
  readonly #children: ChildProcess[] = [];

  constructor() {
    symlinkSync(`${ROOT}node_modules`, join(this.#folder, 'node_modules'));
    const mayday = `#!/bin/sh\nexec "${process.execPath}" "${ROOT}packages/cli/bin/mayday.js" "$@"\n`;
    mkdirSync(join(this.#folder, 'bin'));
    writeFileSync(join(this.#folder, 'bin/mayday'), mayday, { mode: 0o755 });
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.#folder, file), text);
  }

  /** What a command prints on standard output, until it ends or has printed what was to come. */
  printed(command: string, shown: RegExp): Promise<string> {
    const path = [join(this.#folder, 'bin'), dirname(process.execPath), process.env['PATH']].join(delimiter);
    const child = spawn('sh', ['-c', command], {
      cwd: this.#folder,
      env: { ...process.env, PATH: path },
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    });
    this.#children.push(child);
    let text = '';
    return new Promise((resolve) => {
      child.stdout.on('data', (chunk: Buffer) => {
        text += chunk.toString();
        if (shown.test(text.trimEnd())) resolve(text);
      });
      child.on('close', () => resolve(text));
    });
  }

  [Symbol.dispose](): void {
    for (const { exitCode, pid } of this.#children)
      if (exitCode === null && pid !== undefined) process.kill(-pid, 'SIGKILL');
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** What is installed is there to be installed, and nothing is done beside it. */
function checkInstall({ code }: Block): void {
  for (const line of code.trimEnd().split('\n')) {
    expect(line).toMatch(/^(?:mkdir \w+ && cd \w+|npm init -y|npm install (?:-g )?[\w@/ -]+)$/);
    const [, names = ''] = /^npm install (?:-g )?(.*)$/.exec(line) ?? [];
    const missing = names.split(' ').filter((name) => !existsSync(`${ROOT}node_modules/${name}`));
    expect(missing).toEqual([]);
  }
}

it.concurrent.each([
  ['server', 7],
  ['agent', 2],
  ['operator', 6],
])(
  'docs/start/%s.md: all %i commands print what the page says',
  async (name, count) => {
    using newcomer = new Newcomer();
    const port = String(await freePort());
    let commands = 0;
    for (const block of blocksOf(`docs/start/${name}.md`)) {
      const code = block.code.replaceAll('7350', port);
      const file = fileOf(block);
      const listen = file === 'mayday.yaml' ? `listen: { port: ${port} }\n` : '';
      if (file !== undefined) newcomer.write(file, `${code}${listen}`);
      else if (block.language === 'sh') checkInstall(block);
      const steps = block.language === 'console' ? stepsOf({ ...block, code }) : [];
      const printed = steps.map(({ command, output }) => newcomer.printed(command, patternOf(output)));
      for (const [index, text] of (await Promise.all(printed)).entries())
        expect(text.trimEnd()).toMatch(patternOf(steps[index]?.output ?? ''));
      commands += steps.length;
    }
    expect(commands).toBe(count);
  },
  120_000,
);

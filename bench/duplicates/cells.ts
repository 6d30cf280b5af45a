/** Every way to fail with everybody who calls, over everything in between, in processes of their own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { CALLERS, CONTROL, type Target } from './callers.ts';
import { PROCESS_FORM } from './forms.ts';

/** One way to fail, one caller, one server, one way. */
export interface Cell {
  readonly form: string;
  readonly caller: string;
  readonly server: 'plain' | 'guarded';
  readonly way: 'direct' | 'gateway';
}

/** What became of a cell. */
export interface Measured extends Cell {
  /** How often the work of the write was done. */
  readonly effects: number;
  /** Did the read succeed? */
  readonly isRead: boolean;
}

/** Everything with everybody. */
export function allCells(forms: readonly string[]): readonly Cell[] {
  const cells: Cell[] = [];
  for (const form of forms)
    for (const server of ['plain', 'guarded'] as const)
      for (const way of ['direct', 'gateway'] as const)
        for (const caller of Object.keys(CALLERS))
          if (caller !== CONTROL) cells.push({ form, caller, server, way });
  return cells;
}

/** The same forms with somebody careless. */
export function controlCells(forms: readonly string[]): readonly Cell[] {
  return forms.map((form) => ({ form, caller: CONTROL, server: 'plain', way: 'direct' }));
}

/** At a time: more would only wait for the processor, and time limits are real here. */
const AT_A_TIME = 12;

/** Those that wait for a minute, all together. */
const WAITING: readonly string[] = ['no answer', 'a silent stream', 'a late answer'];

const scriptOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** Measures cells, with the servers and the gateway as they are built: those that are killed leave nothing compiled behind. */
export async function measureCells(cells: readonly Cell[]): Promise<readonly Measured[]> {
  const folder = mkdtempSync(join(tmpdir(), 'mayday-duplicates-'));
  const ledger = join(folder, 'ledger');
  writeFileSync(ledger, '');
  const children: ChildProcess[] = [];
  const start = async (file: string, ...args: string[]): Promise<string> => {
    const child = spawn(process.execPath, [scriptOf(file), ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    const [port] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    return `http://127.0.0.1:${port}`;
  };
  try {
    const [plain, guarded] = await Promise.all([
      start('server.ts', 'plain', ledger),
      start('server.ts', 'guarded', ledger),
    ]);
    const behind = ({ form, server }: Cell): Target => {
      if (form !== PROCESS_FORM) return { url: `${server === 'plain' ? plain : guarded}/mcp` };
      return { command: process.execPath, args: [scriptOf('server.ts'), server, ledger, 'stdio'] };
    };
    const file = join(folder, 'upstreams.json');
    // Each cell has an upstream of its own: what one has broken must not hold back another.
    writeFileSync(
      file,
      JSON.stringify(Object.fromEntries(cells.map((cell, at) => [`u${at}`, behind(cell)]))),
    );
    const gateway = await start('run-gateway.ts', file);
    const targetOf = (cell: Cell, at: number): Target =>
      cell.way === 'direct' ? behind(cell) : { url: `${gateway}/u${at}/mcp` };
    const measured = await inTurn(cells, (cell, at) => measure(cell, at, targetOf(cell, at)));
    const lines = readFileSync(ledger, 'utf8').split('\n');
    return measured.map(({ cell, at, isRead }) => {
      const effects = lines.filter((line) => line === `pay ${at}`).length;
      return { ...cell, effects, isRead };
    });
  } finally {
    for (const child of children) child.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  }
}

interface Raw {
  readonly cell: Cell;
  readonly at: number;
  readonly isRead: boolean;
}

async function measure(cell: Cell, at: number, target: Target): Promise<Raw> {
  const call = CALLERS[cell.caller]![cell.way];
  const make = (tool: string): Promise<boolean> =>
    call(target, tool, { cell: `${tool} ${at}`, form: cell.form }).catch(() => false);
  const [, isRead] = await Promise.all([make('pay'), make('look')]);
  return { cell, at, isRead };
}

/** Some at a time, and those that only wait beside them. */
async function inTurn(
  cells: readonly Cell[],
  run: (cell: Cell, at: number) => Promise<Raw>,
): Promise<readonly Raw[]> {
  const all = cells.map((cell, at) => ({ cell, at }));
  const done: Raw[] = [];
  const queue = all.filter(({ cell }) => !WAITING.includes(cell.form));
  const worker = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift())
      done.push(await run(next.cell, next.at));
  };
  const waiting = all.filter(({ cell }) => WAITING.includes(cell.form));
  const waited = waiting.map(async ({ cell, at }) => done.push(await run(cell, at)));
  await Promise.all([...Array.from({ length: AT_A_TIME }, worker), ...waited]);
  return done.sort((left, right) => left.at - right.at);
}

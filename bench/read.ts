/**
 * How well `read` reads failures that follow no dialect, and how fast.
 *
 * Measured over labelled answers of real servers: those of the repository, and the file in `MAYDAY_CORPUS`. Whoever
 * mends a rule has seen them, so these figures flatter; what a new server is read like, only new servers tell, measured
 * before anything is mended. `docs/reading.md` has those figures.
 */
import type { Kind } from '@mayday/core';
import { read } from '@mayday/core';
import { corpora, type Row, readable, textOf, type Wire } from './reading/corpus.ts';
import { crossValidated, foundAt, suspicions, words } from './reading/disguise.ts';
import { type Answer, answer, mayday, type Reader, score, wanted } from './reading/score.ts';

// Not part of the public surface, so it is taken from the source.
type Prose = typeof import('../packages/core/src/prose/index.ts');
const source = new URL('../packages/core/src/prose/index.ts', import.meta.url);
const { readProse } = (await import(source.href)) as Prose;

const CODES: { readonly [code: number]: Kind } = {
  [-32700]: 'parse_error',
  [-32600]: 'invalid_request',
  [-32601]: 'unsupported',
  [-32602]: 'invalid_arguments',
  [-32603]: 'internal',
  [-32002]: 'not_found',
};

function rpcError(wire: Row['wire']): Wire['error'] {
  if (typeof wire === 'string') return undefined;
  if (wire.http === undefined) return wire.error;
  try {
    return (JSON.parse(wire.http.body ?? '') as Wire).error;
  } catch {
    return undefined;
  }
}

function codeAlone(wire: Row['wire']): Answer {
  return answer(CODES[rpcError(wire)?.code ?? 0] ?? 'unknown', 'code');
}

function rateLimitAlone(wire: Row['wire']): Answer {
  return answer(/rate limit/i.test(textOf(wire)) ? 'rate_limited' : 'unknown', 'regular expression');
}

function percent(part: number, whole: number): string {
  return `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`.padStart(8);
}

function printScores(title: string, rows: readonly Row[]): void {
  const servers = new Set(rows.map((row) => row.server)).size;
  console.log(`\n${title}: ${rows.length} answers of ${servers} servers`);
  console.log('                              reaction     kind  retryability  wrongly retryable  missed');
  const readers: [string, Reader][] = [
    ['mayday read', mayday],
    ['baseline: JSON-RPC code', codeAlone],
    ['baseline: /rate limit/i', rateLimitAlone],
  ];
  for (const [name, reader] of readers) {
    const { wrong: bad } = score(rows, reader);
    const right = [bad.reaction, bad.kind, bad.wronglyRetryable + bad.missedRetry].map(
      (n) => rows.length - n,
    );
    const cells = [...right, bad.wronglyRetryable, bad.missedRetry];
    const [reaction, kind, retryable, wrong, missed] = cells.map((cell) => percent(cell, rows.length));
    console.log(`  ${name.padEnd(26)}  ${reaction} ${kind}      ${retryable}           ${wrong} ${missed}`);
  }
}

function count<T>(items: readonly T[], name: (item: T) => string): [string, number][] {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(name(item), (counts.get(name(item)) ?? 0) + 1);
  return [...counts].sort((one, other) => other[1] - one[1]);
}

function printConfusion(title: string, rows: readonly Row[]): void {
  console.log(`\nConfusion, ${title} (label: what it was read as; * is as right as the label)`);
  const labels = count(rows, (row) => row.label.kind);
  for (const [label, total] of labels) {
    const mine = rows.filter((row) => row.label.kind === label);
    const got = count(mine, (row) => {
      const { kind } = mayday(row.wire);
      return kind !== label && wanted(row.label).kinds.includes(kind) ? `${kind}*` : kind;
    });
    console.log(
      `  ${label.padEnd(18)} ${String(total).padStart(4)}: ${got.map(([kind, n]) => `${kind} ${n}`).join(', ')}`,
    );
  }
}

function printLayers(rows: readonly Row[]): void {
  console.log('\nWhat decided (layer: answers, of them with the right kind)');
  for (const [by, total] of count(rows, (row) => mayday(row.wire).by)) {
    const mine = rows.filter((row) => mayday(row.wire).by === by);
    const right = mine.filter((row) => wanted(row.label).kinds.includes(mayday(row.wire).kind)).length;
    console.log(`  ${by.padEnd(28)} ${String(total).padStart(4)} ${percent(right, total)}`);
  }
}

function printSubjects(rows: readonly Row[]): void {
  const { subjects, wrong } = score(rows);
  console.log(`\nSubject types, where the label names one: ${subjects - wrong.subject} of ${subjects}`);
}

function printDisguised(rows: readonly Row[]): void {
  console.log('\nFailures disguised as success (optional detector; success rows are genuine)');
  const suspected = suspicions(rows);
  for (const threshold of [0.5, 0.7, 0.9])
    console.log(`  at ${threshold}: ${words(foundAt(suspected, threshold))}`);
  console.log(`  threshold of precision ≥ .99 from other servers: ${words(crossValidated(suspected))}`);
}

/**
 * Items a second, for several things in turn: processor time, the best of many short rounds. What the code
 * costs, not what else the machine is busy with.
 */
function perSecond(items: number, runs: readonly (() => void)[]): number[] {
  for (let i = 0; i < 60; i++) for (const run of runs) run();
  const best = runs.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < 60; round++) {
    runs.forEach((run, at) => {
      const start = process.cpuUsage();
      for (let i = 0; i < 6; i++) run();
      best[at] = Math.min(best[at] ?? 0, process.cpuUsage(start).user);
    });
  }
  return best.map((microseconds) => (items * 6 * 1e6) / microseconds);
}

function printSpeed(rows: readonly Row[]): void {
  // An HTTP body is parsed before it is read, so it is not a text that a reader meets.
  const texts = rows
    .filter((row) => typeof row.wire === 'string' || row.wire.http === undefined)
    .map((row) => textOf(row.wire))
    .filter((text) => text.length >= 20 && text.length <= 300);
  const wires = texts.map((text) => ({
    jsonrpc: '2.0',
    id: 1,
    result: { isError: true, content: [{ type: 'text', text }] },
  }));
  const lines = wires.map((wire) => JSON.stringify(wire));
  const sum = texts.reduce((total, text) => total + text.length, 0);
  const [prose = 0, whole = 0, parse = 0] = perSecond(texts.length, [
    () => {
      for (const text of texts) readProse(text);
    },
    () => {
      for (const wire of wires) read(wire);
    },
    () => {
      for (const line of lines) JSON.parse(line);
    },
  ]);
  const rate = (value: number): string => Math.round(value).toLocaleString('en').padStart(10);
  console.log(
    `\nSpeed, one core, ${texts.length} texts of 20 to 300 characters (mean ${Math.round(sum / texts.length)})`,
  );
  console.log(
    `  readProse(text)   ${rate(prose)} a second, ${(parse / prose).toFixed(1)} × the time of JSON.parse of the message`,
  );
  console.log(`  read(message)     ${rate(whole)} a second, ${(parse / whole).toFixed(1)} ×`);
  console.log(`  JSON.parse        ${rate(parse)} a second`);
  // A few long dumps weigh on the mean; half of all messages are read at least this fast.
  console.log(
    `  read, median message ${rate(1e9 / median(wires.map((wire) => nanoseconds(() => read(wire)))))} a second`,
  );
}

function nanoseconds(run: () => unknown): number {
  const calls = 2000;
  for (let call = 0; call < calls / 10; call += 1) run();
  const start = process.hrtime.bigint();
  for (let call = 0; call < calls; call += 1) run();
  return Number(process.hrtime.bigint() - start) / calls;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

const files = corpora();
const all = files.flatMap(([, rows]) => rows);
const rows = readable(all);
for (const [name, found] of files) if (readable(found).length > 0) printScores(name, readable(found));
printConfusion('all', rows);
printLayers(rows);
printSubjects(rows);
printDisguised(all);
printSpeed(rows);

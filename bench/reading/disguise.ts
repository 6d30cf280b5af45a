/** How well failures that come as success are told from genuine successes, with a threshold from other servers. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { FOLDS, type Row, split, textOf } from './corpus.ts';

// Not part of the public surface, so it is taken from the source.
type Prose = typeof import('../../packages/core/src/prose/index.ts');
const source = new URL('../../packages/core/src/prose/index.ts', import.meta.url);
const { detectDisguised } = (await import(source.href)) as Prose;

/** One suspicion: how strong it is, and whether it is right. */
interface Suspicion {
  readonly server: string;
  readonly probability: number;
  readonly isFailure: boolean;
}

/** What was found, and what of it was wrong. */
export interface Found {
  readonly right: number;
  readonly wrong: number;
  readonly failures: number;
  readonly successes: number;
}

/** How strongly each answer that came as success is suspected. */
export function suspicions(rows: readonly Row[]): readonly Suspicion[] {
  return rows
    .filter((row) => row.disguise !== undefined && row.readable)
    .map(({ server, wire, disguise }) => ({
      server,
      probability: detectDisguised(textOf(wire), structured(wire))?.probability ?? 0,
      isFailure: disguise === 'failure',
    }));
}

function structured(wire: Row['wire']): unknown {
  return typeof wire === 'string' ? undefined : wire.result?.structuredContent;
}

/** What a threshold finds. */
export function foundAt(all: readonly Suspicion[], threshold: number): Found {
  const flagged = all.filter(({ probability }) => probability >= threshold);
  const right = flagged.filter(({ isFailure }) => isFailure).length;
  const failures = all.filter(({ isFailure }) => isFailure).length;
  return { right, wrong: flagged.length - right, failures, successes: all.length - failures };
}

/** The lowest threshold at which at most one suspicion in a hundred is wrong; what is less likely than not is none. */
function lowest(all: readonly Suspicion[]): number {
  const thresholds = [...new Set(all.map(({ probability }) => probability))].sort((a, b) => a - b);
  const isGood = (threshold: number): boolean => {
    const { right, wrong } = foundAt(all, threshold);
    return right > 0 && right / (right + wrong) >= 0.99;
  };
  return Math.max(0.5, thresholds.find(isGood) ?? 1);
}

/** What is found on servers that had no say in the threshold. */
export function crossValidated(
  all: readonly Suspicion[],
): Found & { readonly thresholds: readonly number[] } {
  const folds = Array.from({ length: FOLDS }, (_, fold) => {
    const { inside, outside } = split(all, fold);
    const threshold = lowest(outside);
    return { threshold, ...foundAt(inside, threshold) };
  });
  const total = (pick: (found: Found) => number): number => folds.reduce((all, one) => all + pick(one), 0);
  return {
    right: total((one) => one.right),
    wrong: total((one) => one.wrong),
    failures: total((one) => one.failures),
    successes: total((one) => one.successes),
    thresholds: folds.map((one) => one.threshold),
  };
}

/** Paragraphs of a document that are looked at. */
const PARAGRAPHS = 12;

/** Documents that a tool might hand over, many of them about failures: ours, and those of what is installed. */
function documents(): readonly string[] {
  const root = resolve(import.meta.dirname, '../..');
  const folders = ['docs', 'docs/faults'].map((name) => resolve(root, name));
  const ours = folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.md'))
      .map((name) => resolve(folder, name)),
  );
  const installed = resolve(root, 'node_modules');
  const theirs = readdirSync(installed).flatMap((name) =>
    ['README.md', 'readme.md', 'CHANGELOG.md', 'package.json'].map((file) => resolve(installed, name, file)),
  );
  return [...ours, ...theirs].filter((path) => existsSync(path)).map((path) => readFileSync(path, 'utf8'));
}

/** How many documents, and how many paragraphs of them, are suspected of being failures: each is a mistake. */
export function suspectedDocuments(threshold: number): string {
  const isSuspected = (text: string): boolean => (detectDisguised(text)?.probability ?? 0) >= threshold;
  const whole = documents();
  const paragraphs = whole.flatMap((text) => text.split(/\n\s*\n/).slice(0, PARAGRAPHS));
  const wrong = (texts: readonly string[]): string =>
    `${texts.filter(isSuspected).length} of ${texts.length}`;
  return `${wrong(whole)} documents, ${wrong(paragraphs)} paragraphs alone`;
}

/** Precision and recall in words. */
export function words({ right, wrong, failures, successes }: Found): string {
  const precision = right + wrong === 0 ? 1 : right / (right + wrong);
  const recall = right / Math.max(1, failures);
  return `precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)} (${failures} failures, ${successes} successes)`;
}

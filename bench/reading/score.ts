/** How right a reading is, against its label. */
import { KINDS, type Kind, type Reaction, type Reading, read } from '@mayday/core';
import { createLanguage, lookAtHttp, mayday as plainMayday } from '@mayday/core/compact';
import { mcp } from '@mayday/core/dialects/mcp';
import { isRetryable } from '@mayday/core/fault';
import { foreign, readUnstructured } from '@mayday/core/prose/compact';
import type { Label, Row, Wire } from './corpus.ts';

/** What a reader made of an answer. */
export interface Answer {
  readonly kind: Kind;
  readonly reaction: Reaction;
  readonly retryable: boolean;
  readonly subject?: string | undefined;
  readonly by: string;
}

/** Any reader, ours or a baseline. */
export type Reader = (wire: Wire | string) => Answer;

/** An answer of that kind. */
export function answer(kind: Kind, by: string, retryable?: boolean): Answer {
  const { reaction } = KINDS[kind];
  return { kind, reaction, retryable: retryable ?? isRetryable(reaction), by };
}

/** The reader that is measured. */
export function mayday(wire: Wire | string): Answer {
  return answerOf(read(wire));
}

const small = createLanguage({
  dialects: [plainMayday, mcp],
  foreign,
  prose: readUnstructured,
  http: lookAtHttp,
});

/** The reader of the compact paths. */
export function compact(wire: Wire | string): Answer {
  return answerOf(small.read(wire));
}

function answerOf(reading: Reading): Answer {
  if (!reading.failure) return answer('unknown', 'no failure');
  const { kind, reaction, retryable, subject } = reading.fault;
  const by = reading.evidence[0]?.by ?? '';
  const layer = reading.dialect === null ? by : `${reading.dialect}: ${by}`;
  return { kind, reaction, retryable, subject: subject?.type, by: layer };
}

/**
 * A label that says "not retryable" of a retryable kind wants the reaction to follow: what no wait makes ready lacks a step
 * of its caller's.
 */
export function wanted(label: Label): { kinds: readonly Kind[]; reactions: readonly Reaction[] } {
  const kinds = [label.kind, ...(label.also ?? [])];
  const reactions = kinds.map((kind): Reaction => {
    const { reaction } = KINDS[kind];
    if (isRetryable(reaction) === label.retryable) return reaction;
    if (label.retryable) return 'retryable';
    return kind === 'not_ready' ? 'validation' : 'terminal';
  });
  return { kinds, reactions };
}

/** What is wrong with an answer; empty when nothing is. */
export function mistakes({ label }: Row, got: Answer): readonly Mistake[] {
  const { kinds, reactions } = wanted(label);
  const found: Mistake[] = [];
  if (!kinds.includes(got.kind)) found.push('kind');
  if (!reactions.includes(got.reaction)) found.push('reaction');
  if (got.retryable && !label.retryable) found.push('wronglyRetryable');
  if (!got.retryable && label.retryable) found.push('missedRetry');
  if (label.subject !== undefined && label.subject !== got.subject) found.push('subject');
  return found;
}

/** What can be wrong with an answer. */
export type Mistake = 'kind' | 'reaction' | 'wronglyRetryable' | 'missedRetry' | 'subject';

/** Counts of mistakes over some answers. */
export interface Score {
  readonly rows: number;
  /** Answers whose label names a subject. */
  readonly subjects: number;
  /** Answers whose label asks for a retry. */
  readonly retries: number;
  readonly wrong: Readonly<Record<Mistake, number>>;
}

/** Scores a reader over some answers. */
export function score(rows: readonly Row[], reader: Reader = mayday): Score {
  const wrong = { kind: 0, reaction: 0, wronglyRetryable: 0, missedRetry: 0, subject: 0 };
  for (const row of rows) for (const mistake of mistakes(row, reader(row.wire))) wrong[mistake] += 1;
  return {
    rows: rows.length,
    subjects: rows.filter((row) => row.label.subject !== undefined).length,
    retries: rows.filter((row) => row.label.retryable).length,
    wrong,
  };
}

/** The sum of several scores. */
export function sum(scores: readonly Score[]): Score {
  const wrong = { kind: 0, reaction: 0, wronglyRetryable: 0, missedRetry: 0, subject: 0 };
  for (const one of scores)
    for (const name of Object.keys(wrong) as Mistake[]) wrong[name] += one.wrong[name];
  const total = (pick: (one: Score) => number): number => scores.reduce((all, one) => all + pick(one), 0);
  return {
    rows: total((one) => one.rows),
    subjects: total((one) => one.subjects),
    retries: total((one) => one.retries),
    wrong,
  };
}

/** The head of the table that `line` fills. */
export const HEAD =
  '                                  answers  reaction    kind  subject  wrongly retryable  missed retries';

/** One score on one line. A missed retry is counted against the answers that ask for one. */
export function line(title: string, { rows, subjects, retries, wrong }: Score): string {
  const right = (bad: number, of: number): string =>
    of === 0 ? '–' : (1 - bad / of).toFixed(3).replace(/^0/, '');
  const bad = (count: number, of: number): string =>
    of === 0 ? '–' : `${((100 * count) / of).toFixed(2)} %`;
  return [
    `  ${title.padEnd(31)}`,
    String(rows).padStart(8),
    right(wrong.reaction, rows).padStart(9),
    right(wrong.kind, rows).padStart(8),
    right(wrong.subject, subjects).padStart(8),
    bad(wrong.wronglyRetryable, rows).padStart(18),
    bad(wrong.missedRetry, retries).padStart(15),
  ].join(' ');
}

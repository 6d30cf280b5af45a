/** The reasons of a reading in plain columns, for people who mend the rules. */
import type { Reading } from '@mayday/core';
import type { Weighed } from '@mayday/core/prose';
import { harmless, type Style } from '../style.ts';
import { decidedElsewhere, type Why } from './why.ts';

const HEAD = ['weight', 'in', 'by', 'kind', 'says'] as const;

/** The reading on the first line, then what decided it, heaviest first, then who claimed the message. */
export function renderWhy(reading: Reading, why: Why, style: Style): string {
  const elsewhere = decidedElsewhere(reading, why);
  const lines = [
    style.strong(headline(reading)),
    ...(elsewhere === undefined ? [] : [`decided by ${harmless(elsewhere)}`]),
    '',
    ...(why.findings.length === 0
      ? ['no finding in the words']
      : table(why.findings).map((line, at) => (at === 0 ? style.quiet(line) : line))),
    '',
    ...(why.claims.length === 0
      ? ['no dialect claims it']
      : why.claims.map(({ dialect, claim }) => `${claim.toFixed(2).padStart(6)}  claimed by ${dialect}`)),
  ];
  return `${lines.join('\n')}\n`;
}

function headline(reading: Reading): string {
  if (!reading.failure) return 'no failure';
  const { fault, certainty, dialect } = reading;
  const retry = fault.retryable ? 'retryable' : 'not retryable';
  return `${fault.kind}, ${retry}, certainty ${certainty.toFixed(2)}, ${dialect ?? 'no dialect'}`;
}

function table(findings: readonly Weighed[]): readonly string[] {
  const rows = findings.map(({ weight, in: where, by, kind, never, says }) => [
    String(weight),
    where,
    by,
    never ? `${kind} (never again)` : kind,
    harmless(says),
  ]);
  const widths = HEAD.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  return [HEAD, ...rows].map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padStart(widths[0] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
}

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Kind, read } from '../src/index.ts';

/** A labelled answer; `docs/reading.md` says how to add one. */
interface Line {
  readonly server: string;
  readonly case: string;
  readonly wire: unknown;
  readonly label: {
    readonly failure?: false;
    readonly kind: Kind;
    readonly also?: readonly Kind[];
    readonly subject?: string;
    readonly retryable: boolean;
  };
  readonly disguise?: 'failure' | 'success';
  readonly readable: boolean;
}

function load(name: string): readonly Line[] {
  const text = readFileSync(new URL(`./fixtures/reading/${name}.jsonl`, import.meta.url), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

/** What is read, as far as the label says anything about it; the label's own kind where another is as right. */
function seen({ wire, label, disguise }: Line): object {
  const reading = read(wire, { disguised: disguise !== undefined });
  if (!reading.failure) return { failure: false };
  const { kind, subject, retryable } = reading.fault;
  return {
    kind: label.also?.includes(kind) === true ? label.kind : kind,
    retryable,
    subject: label.subject === undefined ? undefined : subject?.type,
  };
}

function meant({ label }: Line): object {
  const { kind, retryable, subject } = label;
  return label.failure === false ? { failure: false } : { kind, retryable, subject };
}

describe('what was once read wrongly', () => {
  it.each(load('misread').map((line) => [line.case, line] as const))('%s', (_, line) => {
    expect(seen(line)).toEqual(meant(line));
  });
});

describe('answers of servers that nobody here wrote', () => {
  const lines = load('gathered').filter((line) => line.readable && line.disguise === undefined);
  const right = lines.filter((line) => JSON.stringify(seen(line)) === JSON.stringify(meant(line)));

  it('are read rightly in all respects, but for a few', () => {
    expect(lines.length).toBeGreaterThan(500);
    expect(right.length / lines.length).toBeGreaterThan(0.98);
  });

  it('are never a reason to retry what comes again', () => {
    const wrongly = lines.filter(({ wire, label }) => {
      const reading = read(wire);
      return reading.failure && reading.fault.retryable && !label.retryable;
    });
    expect(wrongly.map((line) => `${line.server} ${line.case}`)).toEqual([]);
  });

  it('are short, and hold nothing of the machine they were gathered on', () => {
    const text = readFileSync(new URL('./fixtures/reading/gathered.jsonl', import.meta.url), 'utf8');
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(4500);
    expect(text).not.toMatch(/\/(?:root|work|var\/tmp)\//);
  });
});

describe('the words of services, databases, tools and languages', () => {
  const lines = load('services');
  const readings = lines.map((line) => ({ line, reading: read(line.wire) }));

  it('are read as the kind that they tell, for the most part', () => {
    const right = readings.filter(
      ({ line, reading }) =>
        reading.failure && [line.label.kind, ...(line.label.also ?? [])].includes(reading.fault.kind),
    );
    expect(lines.length).toBeGreaterThan(2000);
    expect(right.length / lines.length).toBeGreaterThan(0.88);
  });

  it('are hardly ever a reason to retry what comes again', () => {
    const refused = readings.filter(({ line }) => !line.label.retryable);
    const wrongly = refused.filter(({ reading }) => reading.failure && reading.fault.retryable);
    expect(wrongly.length / refused.length).toBeLessThan(0.01);
  });
});

describe('successes that sound like failures, and failures that come as success', () => {
  const lines = load('written');
  const failures = lines.filter(({ disguise }) => disguise === 'failure');
  const suspected = lines.filter(({ wire }) => read(wire, { disguised: true }).failure);

  it('are told apart where that was asked for', () => {
    const successes = lines.filter(({ disguise }) => disguise === 'success');
    expect(successes.length).toBeGreaterThan(150);
    expect(suspected.filter((line) => successes.includes(line)).map(({ wire }) => wire)).toEqual([]);
    expect(suspected.length / failures.length).toBeGreaterThan(0.95);
  });

  it.each(failures.map((line) => [JSON.stringify(line.wire).slice(60, 140), line] as const))(
    'are read by what they say: %s',
    (_, line) => {
      expect(seen(line)).toEqual(meant(line));
    },
  );

  it('are all successes where it was not', () => {
    expect(lines.filter(({ wire }) => read(wire).failure)).toEqual([]);
  });
});

import { readFileSync } from 'node:fs';
import { read, write } from '@mayday/core';
import { erlmcp, errorCategory } from '@mayday/core/dialects/erlmcp';
import { expectLawful } from '@mayday/reference-shared/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { CASES } from './cases.ts';
import { provokeAll, withTable } from './main.ts';

const REQUIREMENTS = CASES.map(({ code, how }, at) => [`ER-${19 + at}`, code, how, at] as const);

describe('ER-19…ER-74 every documented error, provoked on a running server', () => {
  let rows: Awaited<ReturnType<typeof provokeAll>> = [];
  beforeAll(async () => {
    rows = await provokeAll();
  }, 90_000);

  it('ER-85 covers the 56 documented codes, each by its own condition', () => {
    const documented = erlmcp.codes.filter((row) => row.written).map((row) => row.code);
    expect(CASES.map((one) => one.code).sort()).toEqual(documented.sort());
  });

  it.each(REQUIREMENTS)('%s %i: %s', (_id, code, _how, at) => {
    const { said } = rows[at] as (typeof rows)[number];
    const row = erlmcp.codes.find((candidate) => candidate.code === code);
    expect(said).toMatchObject({ jsonrpc: '2.0', error: { code, message: row?.title } });
    expect(Object.keys(said)).toEqual(['jsonrpc', 'id', 'error']);
    const fault = expectLawful(said, 'erlmcp');
    expect([fault.kind, fault.subject?.type]).toEqual([row?.kind, row?.subject]);
    expect(write(fault, 'erlmcp', { id: said.id ?? null }).wire).toEqual(said);
  });

  it('ER-1 each is known as erlmcp’s without a hint, JSON-RPC’s own codes aside', () => {
    const own = rows.filter(({ said }) => errorCategory(said.error?.code ?? 0) !== 'jsonrpc');
    expect(own).toHaveLength(51);
    const strangers = own.filter(({ said }) => {
      const reading = read(said);
      return !reading.failure || reading.dialect !== 'erlmcp';
    });
    expect(strangers.map(({ said }) => said.error)).toEqual([]);
  });

  it('ER-86 each has the members of `data` that the document shows', () => {
    const missing = rows.flatMap(({ said: { error } }) => {
      const row = erlmcp.codes.find((candidate) => candidate.code === error?.code) as unknown as {
        keys: string[];
      };
      const shown = typeof error?.data === 'string' ? ['"'] : Object.keys(error?.data ?? {});
      return row.keys.filter((key) => !shown.includes(key)).map((key) => [error?.code, key]);
    });
    expect(missing).toEqual([]);
    expect(new Set(rows.map(({ said }) => errorCategory(said.error?.code ?? 0))).size).toBe(13);
  });

  it('the table in the README is what came back', () => {
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
    expect(withTable(readme, rows)).toBe(readme);
  });
});

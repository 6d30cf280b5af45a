import { beforeAll, describe, expect, it } from 'vitest';
import { member } from '../../acceptance/library.ts';
import { maydayText } from '../../acceptance/mayday.ts';
import type { Wire } from '../../acceptance/wire.ts';
import { SECTIONS, STEPS } from './document.ts';

const RANGES: [string, string, number, number, number, number][] = [
  ['ER-6', 'jsonrpc', -32700, -32600, -32701, -32599],
  ['ER-7', 'mcp_core', -32010, -32001, -32011, -32000],
  ['ER-8', 'content', -32020, -32011, -32021, -32010],
  ['ER-9', 'resource', -32030, -32021, -32031, -32020],
  ['ER-10', 'tool', -32040, -32031, -32041, -32030],
  ['ER-11', 'prompt', -32050, -32041, -32051, -32040],
  ['ER-12', 'auth', -32060, -32051, -32061, -32050],
  ['ER-13', 'protocol', -32070, -32061, -32071, -32060],
  ['ER-14', 'pagination', -32080, -32071, -32081, -32070],
  ['ER-15', 'task', -32090, -32081, -32091, -32080],
  ['ER-16', 'progress', -32100, -32091, -32101, -32090],
  ['ER-17', 'completion', -32113, -32110, -32114, -32109],
  ['ER-18', 'experimental', 1090, 1099, 1089, 1100],
];

describe('categories', () => {
  it.each(RANGES)('%s: %s is %i to %i, and not %i or %i', async (_id, category, low, high, below, above) => {
    const errorCategory = await member('erlmcp', 'errorCategory');
    expect([low, high].map((code) => errorCategory(code))).toEqual([category, category]);
    expect([below, above].map((code) => errorCategory(code))).not.toContain(category);
  });

  it('ER-97 ER-98: the document’s examples', async () => {
    const errorCategory = await member('erlmcp', 'errorCategory');
    expect([errorCategory(-32001), errorCategory(-32032)]).toEqual(['mcp_core', 'tool']);
  });

  it.each(SECTIONS)(
    '%s: %i "%s" has its category and severity',
    async (_id, code, _message, _data, category, severity) => {
      const errorCategory = await member('erlmcp', 'errorCategory');
      const errorSeverity = await member('erlmcp', 'errorSeverity');
      expect([errorCategory(code), errorSeverity(code)]).toEqual([category, severity]);
    },
  );
});

const SEVERITIES: [string, string, number[]][] = [
  ['ER-90 ER-99', 'critical', [-32700, -32600, -32603]],
  ['ER-91 ER-100', 'error', [-32601, -32602, -32001, -32002, -32003, -32005, -32009, -32010]],
  ['ER-92 ER-101', 'warning', [-32011, -32020, -32042, -32055, -32079, -32080]],
  ['ER-93', 'info', [-32081, -32090, -32099, -32110, -32113, 1090, 1099, -32000, 0, 99_999]],
];

describe('severities', () => {
  it.each(SEVERITIES)('%s: %s', async (_id, severity, codes) => {
    const errorSeverity = await member('erlmcp', 'errorSeverity');
    expect(codes.map((code) => [code, errorSeverity(code)])).toEqual(codes.map((code) => [code, severity]));
  });
});

describe('codes', () => {
  it('ER-95: each code of the document is valid', async () => {
    const validate = await member('erlmcp', 'validateErrorCode');
    expect(SECTIONS.filter(([, code]) => validate(code) !== true)).toEqual([]);
    expect([-32002, -32000, -32042, -32055, 1092].map((code) => validate(code))).toEqual([
      true,
      true,
      true,
      true,
      true,
    ]);
  });

  it('ER-96: what only lies in a range is not', async () => {
    const validate = await member('erlmcp', 'validateErrorCode');
    const none = [-99_999, -32041, -32100, -32101, -32650, 0, 9999, 1089, 1100, -32001.5, Number.NaN];
    expect(none.filter((code) => validate(code) !== false)).toEqual([]);
  });
});

describe('the catalogue', () => {
  let rows: Wire[];
  beforeAll(async () => {
    const { out } = await maydayText(['catalog', '--format', 'json']);
    rows = JSON.parse(out).codes.filter((row: Wire) => row.source === 'erlmcp');
  });
  const rowOf = (code: number): Wire => rows.find((row) => row.code === code);

  it.each(SECTIONS)('%s ER-86: has %i "%s" with its members of data', (_id, code, message, shape) => {
    expect(rowOf(code)?.title).toBe(message);
    const shown = Array.isArray(shape) ? shape : [];
    expect(shown.filter((key) => !rowOf(code)?.data_keys?.includes(key))).toEqual([]);
  });

  it.each(STEPS)('%s: has the document’s steps for %i', (_id, code, steps) => {
    const told = JSON.stringify(rowOf(code));
    expect(steps.filter((step) => !told.includes(step))).toEqual([]);
  });
});

describe('mayday explain', () => {
  it.each(STEPS.filter(([, code]) => [-32700, -32005, -32054].includes(code)))(
    '%s: tells the document’s steps for %i',
    async (_id, code, steps) => {
      const { out } = await maydayText(['explain', String(code)]);
      const told = out.replace(/\s+/g, ' ');
      expect(steps.filter((step) => !told.includes(step))).toEqual([]);
    },
  );

  it('ER-28: does not tell anybody to wait who has to send initialize', async () => {
    const { out } = await maydayText(['explain', '-32005', '--json']);
    const meaning = JSON.parse(out).meanings.find((row: Wire) => row.source === 'erlmcp');
    expect(JSON.stringify(meaning)).toContain('initialize');
    expect([meaning.reaction, meaning.retryable]).toEqual(['validation', false]);
  });
});

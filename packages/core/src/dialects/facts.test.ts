/** What generic code asks a dialect for, so that nobody has to know it by its name. */
import { expect, it } from 'vitest';
import type { Dialect } from './dialect.ts';
import { DIALECTS } from './index.ts';

function dialect(id: string): Dialect {
  return DIALECTS.find((one) => one.id === id) as Dialect;
}

const OF_MCP = { extendsProtocol: true, places: ['protocol', 'tool'], unknownId: 'absent' };
const OF_REQUESTS = { places: ['protocol', 'tool'], unknownId: 'null', requestKinds: true };

it.each([
  { id: 'closient', title: 'Closient', places: ['tool'], unknownId: 'null', declaresRepetition: true },
  { id: 'onx', title: 'onX', ...OF_REQUESTS, declaresRepetition: true },
  {
    id: 'erlmcp',
    title: 'erlmcp',
    places: ['protocol'],
    unknownId: 'null',
    initializeFirst: true,
    messageBytes: 16_777_216,
    keepsCapabilities: true,
    refusesRevisions: true,
  },
  {
    id: 'qaqnuz',
    title: 'qaqnuz',
    places: ['tool'],
    unknownId: 'null',
    closed: true,
    oneRefusal: true,
    failureMarks: ['"error_class"'],
  },
  {
    id: 'platica',
    title: 'Platica',
    closed: true,
    postOnly: true,
    keyForm: /^bearer +pl_key_[\w.~+/=-]+$/i,
    ...OF_REQUESTS,
  },
  { id: 'mcp', title: 'MCP', aliasOf: 'mcp@2026-07-28', isProtocol: true, ...OF_MCP },
  { id: 'mcp@2026-07-28', title: 'MCP 2026-07-28', ...OF_MCP },
  { id: 'mcp@2025-11-25', title: 'MCP 2025-11-25', revision: '2025-11-25', ...OF_MCP },
  { id: 'mcp@draft', title: 'MCP, drafted registry', ...OF_MCP },
  { id: 'problem', title: 'RFC 9457 problem document', places: ['http'] },
  {
    id: 'tool-failure',
    title: 'tool failure extension (draft)',
    classifies: true,
    failureMarks: ['toolFailure'],
    ...OF_MCP,
  },
  { id: 'mayday', title: 'Mayday', classifies: true, carriesDocument: true, ...OF_MCP },
])('$id', (facts) => {
  const told = Object.entries(dialect(facts.id)).filter(
    ([name, value]) => !['codes', 'alsoReads', 'shape', 'tell'].includes(name) && typeof value !== 'function',
  );
  expect(Object.fromEntries(told)).toEqual(facts);
});

it('every dialect says where its failures sit, and what gives it away', () => {
  for (const { id, shape, tell } of DIALECTS) expect([id, shape, tell]).not.toContain('');
});

it('the sample clients of two documents wait so long where the answer names no time', () => {
  const waits = DIALECTS.map(({ id, usualWaitMs }) => [
    id,
    usualWaitMs?.('rate_limited'),
    usualWaitMs?.('internal'),
  ]);
  expect(waits.filter(([, limited]) => limited !== undefined)).toEqual([
    ['closient', 5000, 5000],
    ['erlmcp', 30_000, undefined],
  ]);
});

import { describe, expect, it } from 'vitest';
import documented from '../../../test/fixtures/erlmcp.json' with { type: 'json' };
import table from '../../../test/fixtures/erlmcp-codes.json' with { type: 'json' };
import { heard, said } from '../../../test/helpers.ts';
import { fault, KIND_NAMES } from '../../index.ts';
import {
  clientAdvice,
  createErrorResponse,
  erlmcp,
  errorCategory,
  errorSeverity,
  userMessage,
  validateErrorCode,
} from './index.ts';

describe('what stands in a result', () => {
  it.each([
    [-32001, 'Unauthorized', 'unauthorized', 'unauthenticated'],
    [-32003, 'Rate Limited', 'rate_limited', 'rate_limited'],
  ])('%d is the other document’s, also where erlmcp is expected', (code, title, name, kind) => {
    const data = {
      type: `https://closient.com/docs/errors/${name}`,
      title,
      error_code: name,
      retryable: false,
    };
    const wire = { jsonrpc: '2.0', id: 1, result: { content: [], error: { code, message: title, data } } };
    expect(heard(wire, 'erlmcp')).toMatchObject({ dialect: 'closient', fault: { kind } });
    expect(heard({ jsonrpc: '2.0', id: 1, error: { code, message: title } }, 'erlmcp')).toMatchObject({
      dialect: 'erlmcp',
      fault: { kind: 'not_found' },
    });
  });
});

/** Which requirement is about which documented code. */
// biome-ignore format: a table
const REQUIREMENTS: readonly (readonly [id: string, code: number])[] = [
  ['ER-19', -32700], ['ER-20', -32600], ['ER-21', -32601], ['ER-22', -32602], ['ER-23', -32603], ['ER-24', -32001],
  ['ER-25', -32002], ['ER-26', -32003], ['ER-27', -32004], ['ER-28', -32005], ['ER-29', -32006], ['ER-30', -32007],
  ['ER-31', -32008], ['ER-32', -32009], ['ER-33', -32010], ['ER-34', -32011], ['ER-35', -32012], ['ER-36', -32013],
  ['ER-37', -32014], ['ER-38', -32015], ['ER-39', -32021], ['ER-40', -32022], ['ER-41', -32023], ['ER-42', -32025],
  ['ER-43', -32029], ['ER-44', -32031], ['ER-45', -32032], ['ER-46', -32033], ['ER-47', -32034], ['ER-48', -32043],
  ['ER-49', -32044], ['ER-50', -32046], ['ER-51', -32051], ['ER-52', -32052], ['ER-53', -32053], ['ER-54', -32054],
  ['ER-55', -32056], ['ER-56', -32061], ['ER-57', -32062], ['ER-58', -32063], ['ER-59', -32071], ['ER-60', -32072],
  ['ER-61', -32081], ['ER-62', -32083], ['ER-63', -32084], ['ER-64', -32085], ['ER-65', -32091], ['ER-66', -32092],
  ['ER-67', -32094], ['ER-68', -32110], ['ER-69', -32111], ['ER-70', -32112], ['ER-71', -32113], ['ER-72', 1090],
  ['ER-73', 1091], ['ER-74', 1095],
];

const IDS: ReadonlyMap<number, string> = new Map(REQUIREMENTS.map(([id, code]) => [code, id]));

describe('erlmcp codes', () => {
  it('reads all 118 valid codes, and knows their messages', () => {
    expect(erlmcp.codes.map((row) => [row.code, row.title]).sort()).toEqual(
      table.map((row) => [row[0], row[1]]).sort(),
    );
    expect(table).toHaveLength(118);
  });

  it('ER-85 writes exactly the 56 documented codes', () => {
    const written = erlmcp.codes
      .filter((row) => row.written)
      .map((row) => row.code)
      .sort();
    expect(written).toEqual(
      table
        .filter((row) => row[4])
        .map((row) => row[0])
        .sort(),
    );
    expect(written).toHaveLength(56);
  });

  it('ER-2 writes the full response of the document back', () => {
    expect(said(heard(documented.response).fault, 'erlmcp')).toEqual(documented.response);
  });

  it.each(
    documented.examples.map((wire) => [IDS.get(wire.error.code) ?? '?', wire.error.code, wire] as const),
  )('ER-1 ER-86 %s %i: the example survives reading and writing', (_id, code, wire) => {
    const reading = heard(wire, 'erlmcp');
    expect(reading.fault.native).toMatchObject({ dialect: 'erlmcp', code });
    expect(said(reading.fault, 'erlmcp').error).toEqual(wire.error);
  });

  it.each(
    table.filter((row) => row[4]).map(([code, message]) => [IDS.get(code as number), code, message] as const),
  )('%s %i goes out with its message, in its category and severity', (_id, code, message) => {
    const reading = heard({ jsonrpc: '2.0', id: 1, error: { code, message } }, 'erlmcp');
    expect(said(reading.fault, 'erlmcp').error).toMatchObject({ code, message });
    const row = table.find((candidate) => candidate[0] === code);
    expect([errorCategory(code as number), errorSeverity(code as number)]).toEqual([row?.[2], row?.[3]]);
  });

  it('names a requirement for every documented code', () => {
    const documented56 = table.filter((row) => row[4]).map((row) => row[0]);
    expect([...IDS.keys()].sort()).toEqual(documented56.sort());
  });
});

describe('erlmcp recognition', () => {
  it('tells its own -32001 and -32002 from others by message or data', () => {
    const of = (error: object) => heard({ jsonrpc: '2.0', id: 1, error }).dialect;
    expect(of({ code: -32001, message: 'Resource not found', data: { uri: 'x://y' } })).toBe('erlmcp');
    expect(of({ code: -32002, message: 'Tool not found' })).toBe('erlmcp');
    expect(of({ code: -32002, message: 'No such tool', data: { tool: 'x' } })).toBe('erlmcp');
    expect(of({ code: -32002, message: 'Resource not found', data: { uri: 'x://y' } })).toBe(
      'mcp@2025-11-25',
    );
    expect(of({ code: -32021, message: 'Missing', data: { requiredCapabilities: { sampling: {} } } })).toBe(
      'mcp',
    );
    expect(
      of({ code: -32021, message: 'Resource template not found', data: { uri_template: 'x://{y}' } }),
    ).toBe('erlmcp');
    expect(of({ code: -32023, message: 'URI syntax error', data: { uri: 'x', reason: 'y' } })).toBe('erlmcp');
    expect(of({ code: -32023, message: 'Slow', data: { retryAfterMs: 5 } })).toBe('mcp@draft');
  });
});

describe('erlmcp reading', () => {
  it('ER-3 ER-77 ER-81 a response is a failure or it is not; a code that is no integer is not believed', () => {
    expect(
      heard({ jsonrpc: '2.0', id: 1, error: { code: '-32001', message: 'x' } }, 'erlmcp').fault.kind,
    ).toBe('unknown');
  });

  it.each([undefined, '', 7, null])('ER-4 an error whose message is %j is malformed', (message) => {
    for (const data of [undefined, { uri: 'x://y' }]) {
      const reading = heard({ jsonrpc: '2.0', id: 1, error: { code: -32001, message, data } }, 'erlmcp');
      expect([reading.fault.kind, reading.dialect]).toEqual(['unknown', null]);
      expect(reading.certainty).toBeLessThan(0.5);
      expect(reading.evidence[0]).toEqual({ by: 'shape', says: 'an error without a message is malformed' });
      expect(said(reading.fault, 'erlmcp').error.message).not.toBe('');
    }
  });

  it.each([
    { code: -32600, message: 'Invalid Request', data: 'Missing field' },
    { code: -32600, message: 'Invalid Request', data: { details: 'Missing field' } },
    { code: -32603, message: 'Internal error', data: 'Something broke' },
    { code: -32602, message: 'Invalid params', data: { details: 'Missing field' } },
    { code: -32602, message: 'Invalid params', data: 'Missing field' },
    { code: -32001, message: 'Resource not found', data: 'x://y' },
  ])('ER-5 data may be an object or a string, and keeps its type: %o', (error) => {
    expect(said(heard({ jsonrpc: '2.0', id: 1, error }, 'erlmcp').fault, 'erlmcp').error).toEqual(error);
  });

  it('ER-5 leaves out data where there is none', () => {
    expect(said(fault.internal('Internal error').fault, 'erlmcp').error).not.toHaveProperty('data');
  });

  it('accepts both spellings of data members, and writes the document’s', () => {
    const reading = heard(
      {
        jsonrpc: '2.0',
        id: 1,
        error: { code: -32021, message: 'Resource template not found', data: { templateUri: 'x://{y}' } },
      },
      'erlmcp',
    );
    expect(reading.fault.subject).toEqual({ type: 'resource_template', id: 'x://{y}' });
    expect(said(reading.fault, 'erlmcp').error.data).toEqual({ uri_template: 'x://{y}' });
  });

  it('ER-33 ER-83 waits are seconds on the wire', () => {
    const error = {
      code: -32010,
      message: 'Rate limit exceeded',
      data: { limit: 100, window: 60, retry_after: 5 },
    };
    const reading = heard({ jsonrpc: '2.0', id: 1, error });
    expect(reading.fault.retry.afterMs).toBe(5000);
    expect(said(reading.fault, 'erlmcp').error).toEqual(error);
  });

  it('understands refusals, and never sends one', () => {
    expect(
      heard({ jsonrpc: '2.0', id: 1, error: { code: 1056, message: 'Rate limit exceeded' } }, 'erlmcp').fault
        .kind,
    ).toBe('rate_limited');
    for (const kind of KIND_NAMES) {
      const { code } = said(fault(kind, 'x').fault, 'erlmcp').error;
      expect(validateErrorCode(code)).toBe(true);
    }
  });

  it('one kind, many subjects: the timeouts and the not-founds', () => {
    const kindOf = (code: number) => {
      const { kind, subject } = heard(
        { jsonrpc: '2.0', id: 1, error: { code, message: 'x' } },
        'erlmcp',
      ).fault;
      return [kind, subject?.type];
    };
    expect([-32009, -32032, -32085, -32047, 1091].map(kindOf)).toEqual([
      ['timeout', undefined],
      ['timeout', 'tool'],
      ['timeout', 'task'],
      ['timeout', 'sampling'],
      ['timeout', 'elicitation'],
    ]);
    expect([-32001, -32002, -32003, -32081].map(kindOf)).toEqual([
      ['not_found', 'resource'],
      ['not_found', 'tool'],
      ['not_found', 'prompt'],
      ['not_found', 'task'],
    ]);
  });
});

describe('erlmcp functions', () => {
  it.each([
    ['ER-6', -32700, -32600, 'jsonrpc', [-32599, -32701]],
    ['ER-7', -32001, -32010, 'mcp_core', [-32000, -32011]],
    ['ER-8', -32011, -32020, 'content', [-32010, -32021]],
    ['ER-9', -32021, -32030, 'resource', [-32020, -32031]],
    ['ER-10', -32031, -32040, 'tool', [-32030, -32041]],
    ['ER-11', -32041, -32050, 'prompt', [-32040, -32051]],
    ['ER-12', -32051, -32060, 'auth', [-32050, -32061]],
    ['ER-13', -32061, -32070, 'protocol', [-32060, -32071]],
    ['ER-14', -32071, -32080, 'pagination', [-32070, -32081]],
    ['ER-15', -32081, -32090, 'task', [-32080, -32091]],
    ['ER-16', -32091, -32100, 'progress', [-32090, -32101]],
    ['ER-17', -32110, -32113, 'completion', [-32109, -32114]],
    ['ER-18', 1090, 1099, 'experimental', [1089, 1100]],
  ] as const)('%s %i to %i is %s, its neighbours are not', (_id, first, last, category, neighbours) => {
    expect([errorCategory(first), errorCategory(last)]).toEqual([category, category]);
    expect(neighbours.map(errorCategory)).not.toContain(category);
  });

  it('ER-90 ER-91 ER-92 ER-93 ER-99 ER-100 ER-101 severity follows the document', () => {
    const of = (...codes: number[]) => [...new Set(codes.map(errorSeverity))];
    expect(of(-32700, -32600, -32603)).toEqual(['critical']);
    expect(of(-32601, -32602, -32001, -32002, -32010)).toEqual(['error']);
    expect(of(-32011, -32080)).toEqual(['warning']);
    expect(of(-32081, -32099, -32110, -32113, 1090, 1099, -32000, 0, 99_999)).toEqual(['info']);
  });

  it('ER-95 ER-96 ER-97 ER-98 validates by list, categorises by range', () => {
    expect(validateErrorCode(-32002)).toBe(true);
    expect([-99_999, -32041, -32100, -32101, 0, 9999].map(validateErrorCode)).toEqual([
      false,
      false,
      false,
      false,
      false,
      false,
    ]);
    expect([errorCategory(-32001), errorCategory(-32032), errorCategory(-32041)]).toEqual([
      'mcp_core',
      'tool',
      'prompt',
    ]);
  });

  it('ER-94 ER-89 builds a response with the same id, and data only when there is some', () => {
    expect(createErrorResponse(1, -32700, 'Invalid JSON')).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32700, message: 'Invalid JSON' },
    });
    expect(createErrorResponse('a', -99_999, 'Odd', { x: 1 })).toEqual({
      jsonrpc: '2.0',
      id: 'a',
      error: { code: -32603, message: 'Odd', data: { x: 1 } },
    });
    expect(createErrorResponse(null, -32600, 'Bad', null).error).toEqual({ code: -32600, message: 'Bad' });
  });

  it('ER-79 ER-82 ER-83 ER-84 the sample client retries timeouts and rate limits, nothing else', () => {
    expect(clientAdvice(-32009)).toEqual({ retry: true, afterMs: 0 });
    expect([clientAdvice(-32010, 5), clientAdvice(-32010)]).toEqual([
      { retry: true, afterMs: 5000 },
      { retry: true, afterMs: 30_000 },
    ]);
    for (const none of [Number.NaN, -5, Number.POSITIVE_INFINITY])
      expect(clientAdvice(-32010, none)).toEqual({ retry: true, afterMs: 30_000 });
    const others = table.map((row) => row[0] as number).filter((code) => code !== -32009 && code !== -32010);
    expect(others.filter((code) => clientAdvice(code).retry)).toEqual([]);
  });

  it('ER-80 has a message for the user for every valid code', () => {
    for (const [code] of table) expect(userMessage(code as number).length).toBeGreaterThan(10);
    expect(userMessage(5)).toBe('Unknown error 5.');
  });
});

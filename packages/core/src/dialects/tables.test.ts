/** What the tables say beside the promises of the catalogue's lock, typed once more: a row cannot change alone. */
import { describe, expect, it } from 'vitest';
import documented from '../../test/fixtures/erlmcp.json' with { type: 'json' };
import { notedRows } from '../catalog/notes.ts';
import type { CodeRow } from './dialect.ts';
import { DIALECTS } from './index.ts';

const JSON_RPC = [-32700, -32600, -32601, -32602];

function rowsOf(id: string): readonly CodeRow[] {
  const dialect = DIALECTS.find((one) => one.id === id);
  return dialect === undefined ? [] : notedRows(dialect);
}

describe('a refusal before the work', () => {
  it.each([
    ['closient', [-32001, -32002, -32003, -32100, -32101, -32102]],
    ['onx', JSON_RPC],
    [
      'erlmcp',
      [
        -32001, -32002, -32003, -32004, -32005, -32007, -32010, -32012, -32021, -32022, -32023, -32025,
        -32034, -32043, -32051, -32052, -32053, -32054, -32056, -32061, -32062, -32063, -32071, -32072,
        -32081, -32091, -32092, -32110, -32111, -32112, -32600, -32601, -32602, -32700, 1095,
      ],
    ],
    ['qaqnuz', ['validation', 'permission']],
    ['platica', [-32001, -32000, -32602]],
    ['mcp@2026-07-28', [...JSON_RPC, -32020, -32022, -32002]],
    ['mcp@2025-11-25', [...JSON_RPC, -32002]],
    ['mcp@draft', [...JSON_RPC, -32020, -32022, -32023, -32025, -32026, -32027, -32002]],
    ['problem', []],
    ['tool-failure', ['auth_required', 'permission_denied', 'user_action_required', 'policy_blocked']],
    ['mayday', []],
  ])('%s says it with %j', (id, codes) => {
    const refusals = rowsOf(id).filter((row) => row.refusal === true);
    expect(refusals.map(({ code }) => code)).toEqual(codes);
  });
});

describe('the HTTP status of a code', () => {
  const SPECIFIED = {
    '-32700': 400,
    '-32600': 400,
    '-32601': 404,
    '-32020': 400,
    '-32021': 400,
    '-32022': 400,
  };

  it.each([
    [
      'closient',
      {
        '-32001': 401,
        '-32002': 403,
        '-32003': 429,
        '-32100': 400,
        '-32101': 400,
        '-32102': 422,
        '-32200': 404,
        '-32201': 409,
        '-32300': 500,
      },
    ],
    ['onx', {}],
    [
      'platica',
      {
        400: 400,
        401: 401,
        403: 403,
        404: 404,
        409: 409,
        422: 422,
        429: 429,
        500: 500,
        503: 503,
        '400 Must specify a valid workspace': 400,
      },
    ],
    ['mcp@2026-07-28', SPECIFIED],
    ['mcp@2025-11-25', {}],
    [
      'mcp@draft',
      {
        ...SPECIFIED,
        '-32602': 400,
        '-32603': 500,
        '-32023': 429,
        '-32024': 503,
        '-32025': 400,
        '-32026': 400,
        '-32027': 400,
      },
    ],
  ])('%s', (id, statuses) => {
    const tied = rowsOf(id).filter(({ status }) => status !== undefined);
    expect(Object.fromEntries(tied.map(({ code, status }) => [code, status]))).toEqual(statuses);
  });

  it('erlmcp: the refusals by status', () => {
    const numbers = (wanted: number): readonly (string | number)[] =>
      rowsOf('erlmcp')
        .filter(({ status }) => status === wanted)
        .map(({ code }) => code);
    expect(numbers(400)).toEqual([
      1021, 1022, 1023, 1025, 1026, 1027, 1028, 1029, 1036, 1037, 1038, 1039, 1040, 1066,
    ]);
    expect(numbers(401)).toEqual([1011, 1012, 1013, 1015, 1016]);
    expect(numbers(403)).toEqual([1014]);
    expect(numbers(404)).toEqual([1046, 1048, 1050]);
    expect(numbers(409)).toEqual([1047, 1049, 1051, 1052]);
    expect(numbers(413)).toEqual([1068]);
    expect(numbers(415)).toEqual([1024, 1070]);
    expect(numbers(429)).toEqual([1001, 1002, 1003, 1056, 1057, 1058, 1059, 1060]);
    expect(numbers(503)).toEqual([
      1004, 1005, 1067, 1069, 1076, 1077, 1078, 1079, 1080, 1086, 1087, 1088, 1089,
    ]);
  });
});

describe('the members of data', () => {
  it('erlmcp: those of the document’s examples, in their order', () => {
    const objects = documented.examples.flatMap(({ error }) =>
      'data' in error && typeof error.data === 'object'
        ? [[error.code, Object.keys(error.data)] as const]
        : [],
    );
    expect(objects.length).toBeGreaterThan(30);
    const rows = new Map(rowsOf('erlmcp').map(({ code, keys }) => [code, keys]));
    expect(objects.map(([code]) => [code, rows.get(code)])).toEqual(objects);
    const others = documented.examples.filter(({ error }) => !objects.some(([code]) => code === error.code));
    expect(others.flatMap(({ error }) => rows.get(error.code))).toEqual([]);
  });

  // biome-ignore format: a table
  const WITHOUT_EXAMPLE: { readonly [code: string]: string } = {
    '-32014': 'actualSize maxSize', '-32023': 'uri reason', '-32044': 'prompt reason', '-32045': 'prompt details',
    '-32056': 'resource', '-32062': 'clientVersion serverVersion', '-32063': 'reason', '-32065': 'method',
    '-32073': 'method', '-32074': 'actualSize maxSize', '-32082': 'taskId', '-32084': 'taskId',
    '-32085': 'taskId timeoutMs', '-32092': 'progressToken', '-32093': 'progressToken reason', '-32095': 'queueSize',
    '-32110': 'completionId', '-32111': 'reference', '-32112': 'argument details', '-32113': 'completionId reason',
    1090: 'reason', 1091: 'timeoutMs', 1093: 'mode', 1094: 'reason', 1095: 'taskId', 1096: 'taskId dependencyId',
    1097: 'taskId', 1098: 'taskId timeoutMs', 1099: 'taskId currentState expectedState',
  };

  it('erlmcp: those of codes without an example, and of no other', () => {
    const shown = new Set(documented.examples.map(({ error }) => error.code));
    const rows = rowsOf('erlmcp').filter(
      ({ code, keys = [] }) => keys.length > 0 && !shown.has(Number(code)),
    );
    expect(Object.fromEntries(rows.map(({ code, keys }) => [code, keys?.join(' ')]))).toEqual(
      WITHOUT_EXAMPLE,
    );
  });

  const OLD = { '-32002': 'uri', '-32042': 'elicitations' };
  const CURRENT = { ...OLD, '-32021': 'requiredCapabilities', '-32022': 'supported requested' };

  it.each([
    ['mcp@2025-11-25', OLD],
    ['mcp@2026-07-28', CURRENT],
    [
      'mcp@draft',
      {
        ...CURRENT,
        '-32023': 'retryAfterMs',
        '-32024': 'reason',
        '-32025': 'part',
        '-32026': 'kind',
        '-32027': 'feature',
      },
    ],
  ])('%s: those of the specification', (id, members) => {
    const rows = rowsOf(id).filter(({ keys = [] }) => keys.length > 0);
    expect(Object.fromEntries(rows.map(({ code, keys }) => [code, keys?.join(' ')]))).toEqual(members);
  });
});

describe('what is written', () => {
  it.each([
    ['closient', 9, []],
    ['onx', 13, []],
    ['qaqnuz', 5, []],
    ['platica', 12, [409, '400 Must specify a valid workspace']],
    ['mcp@2026-07-28', 8, [-32002, -32042]],
    ['mcp@2025-11-25', 7, [-1]],
    ['mcp@draft', 13, [-32002, -32042]],
    ['problem', 27, []],
    ['tool-failure', 27, ['retryable_transient_error', 'policy_blocked']],
    ['mayday', 27, []],
  ])('%s: %i codes, and %j are only understood', (id, count, onlyRead) => {
    const rows = rowsOf(id);
    expect(rows.filter(({ written }) => written)).toHaveLength(count);
    expect(rows.filter(({ written }) => !written).map(({ code }) => code)).toEqual(onlyRead);
  });
});

describe('what tells a dialect', () => {
  it.each([
    [
      'closient',
      'result.error with a problem document in data',
      'data.type under https://closient.com/docs/errors/, or data.error_code beside data.retryable',
    ],
    [
      'onx',
      'result.error with code, message, retryable and details',
      'error.retryable beside the code; details.originalError names the cause',
    ],
    [
      'erlmcp',
      'top-level error with code, message and data',
      'the message to the letter, and the members of data',
    ],
    [
      'qaqnuz',
      'an envelope {error_class, sanitized_error, retry_hint}; on the wire only its text',
      'error_class; without the envelope only the sentence',
    ],
    [
      'platica',
      'tool result with isError and the REST body as text',
      'the status in the body’s code beside error',
    ],
    [
      'mcp@2026-07-28',
      'top-level error, or a tool result with isError',
      'the members of data that the specification defines',
    ],
    [
      'mcp@2025-11-25',
      'top-level error, or a tool result with isError',
      'data.uri for -32002, data.elicitations for -32042',
    ],
    [
      'mcp@draft',
      'top-level error',
      'the drafted members of data: retryAfterMs, reason, part, kind, feature',
    ],
    ['problem', 'HTTP response with application/problem+json', 'the media type; members type, title, status'],
    ['tool-failure', 'tool result with isError', '_meta["io.modelcontextprotocol/toolFailure"]'],
    [
      'mayday',
      'tool result with isError, or top-level error with the document in data',
      '_meta["dev.mayday/fault"], or error.data with kind and reaction',
    ],
  ])('%s: %s, by %s', (id, shape, tell) => {
    expect(DIALECTS.find((one) => one.id === id)).toMatchObject({ shape, tell });
  });

  it.each([
    ['closient', -32200, undefined, 'data.error_code "not_found"'],
    ['onx', -32700, 'top-level error with code and message', 'the message to the letter'],
    ['onx', 2001, undefined, undefined],
    ['erlmcp', -32007, undefined, 'the message to the letter, data.field, data.constraint'],
    ['erlmcp', -32603, undefined, 'the message to the letter'],
    ['platica', 404, undefined, '"code": 404 beside "error" in the body'],
    ['platica', -32001, 'top-level error with code and message', 'the message to the letter'],
    [
      'mcp@2026-07-28',
      -32600,
      'top-level error with code and message',
      'nothing: JSON-RPC defines it, so any server may send it',
    ],
    ['mcp@2026-07-28', -32020, 'top-level error with code and message', 'the message to the letter'],
    ['mcp@2026-07-28', -32022, 'top-level error with code and message', 'data.supported, data.requested'],
  ])('%s %i', (id, code, shape, tell) => {
    const row = rowsOf(id).find((one) => one.code === code);
    expect([row?.shape, row?.tell]).toEqual([shape, tell]);
  });
});

it('the specification’s own dialects and those that only add to it say so', () => {
  const extending = DIALECTS.filter(({ extendsProtocol }) => extendsProtocol === true);
  expect(extending.map(({ id }) => id).sort()).toEqual([
    'mayday',
    'mcp',
    'mcp@2025-11-25',
    'mcp@2026-07-28',
    'mcp@draft',
    'tool-failure',
  ]);
});

describe('what the document tells callers to do', () => {
  it.each([
    [
      'platica',
      {
        400: ['Read errors[] in the response and fix the flagged field'],
        '400 Must specify a valid workspace': ['Pass workspace: "<id>" in the arguments'],
        401: ['Regenerate the Key in the Platica dashboard', 'Check the Authorization header'],
        403: ['Use a key with the right scope'],
        404: ['Confirm the ID', 'If the key is multi-workspace, try passing workspace'],
        422: ['Inspect the error details'],
        500: ['Retry', 'If it persists, check the logs or contact support'],
        '-32001': ['Send the Authorization header in Bearer pl_key_... format'],
        '-32000': ['Use POST: the server only accepts POST'],
        '-32602': ['Correct the JSON-RPC call itself, not the arguments of the tool'],
        '-32603': ['Retry'],
      },
    ],
    [
      'qaqnuz',
      {
        validation: ['Fix the input', 'Do not retry the same call — it will fail again'],
        permission: [
          'Do not retry blindly',
          'Check entitlement, scopes, and whether the tool requires approval',
        ],
        retryable: ['Back off and retry, honoring retry_hint when present'],
        dependency: ['Retry with backoff', 'If it persists, treat as an upstream outage'],
        terminal: ['Do not retry', 'Surface the failure'],
      },
    ],
    [
      'closient',
      {
        '-32003': ['Respect retry_after'],
        '-32200': ['Surface it to the user, do not retry'],
        '-32300': ['Back off'],
      },
    ],
    [
      'onx',
      {
        3001: ['Retry with exponential backoff and jitter'],
        3002: ['Retry with exponential backoff and jitter'],
        4001: [
          'Only where the answer itself says "retryable": true: retry with exponential backoff and jitter',
        ],
        4002: ['Retry with exponential backoff and jitter'],
      },
    ],
  ])('%s', (id, steps) => {
    const told = rowsOf(id).filter((row) => (row.steps ?? []).length > 0);
    expect(Object.fromEntries(told.map((row) => [row.code, row.steps]))).toEqual(steps);
  });
});

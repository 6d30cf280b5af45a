import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { foreignMembers } from '../../acceptance/hostile.ts';
import { SLOW } from '../../acceptance/program.ts';
import type { Message } from '../../acceptance/wire.ts';
import { SECTIONS } from './document.ts';
import { PROVOKE } from './provoke.ts';
import { errorOf, openWorld, type World } from './world.ts';

let world: World;
const answers = new Map<number, Message>();
const here = SECTIONS.filter(([, code]) => code in PROVOKE);

beforeAll(async () => {
  world = await openWorld();
  for (const [, code] of here) {
    const silence = (error: Error): Message => ({ result: `nothing: ${error.message}` });
    answers.set(code, await (PROVOKE[code]?.(world) ?? Promise.resolve({})).catch(silence));
  }
}, SLOW);
afterAll(() => world.close());

describe.each(here)('%s %i %s', (id, code, message, shape, category, severity) => {
  it(`${id} ER-1 ER-2 ER-3 ER-4 ER-85: ${code} is "${message}", at the top of the response`, () => {
    const answer = answers.get(code);
    expect(Object.keys(answer ?? {}).sort()).toEqual(['error', 'id', 'jsonrpc']);
    expect([answer?.jsonrpc, answer?.error?.code, answer?.error?.message]).toEqual(['2.0', code, message]);
  });

  it(`${id} ER-5 ER-86: the data of ${code} is of the form that the document shows`, () => {
    const error = errorOf(answers.get(code)) ?? {};
    const forms: Record<string, unknown> = {
      string: { data: expect.any(String) },
      none: {},
      any: 'data' in error ? { data: expect.anything() } : {},
    };
    const members = Array.isArray(shape)
      ? Object.fromEntries(shape.map((key) => [key, expect.anything()]))
      : {};
    const expected = typeof shape === 'string' ? forms[shape] : { data: members };
    expect(error).toEqual({ code, message, ...(expected as object) });
  });

  it(`${id} ER-78 ER-87: ${code} (${category}) is in the log, with its severity ${severity}`, () => {
    const lines = world.pipe.program
      .errors()
      .split('\n')
      .filter((line) => line.includes(`"code":${code},`));
    expect(lines.length).toBeGreaterThan(0);
    expect(lines[0]).toContain(`"severity":"${severity}"`);
  });

  it(`${id} ER-85: ${code} speaks no other dialect`, () => {
    expect(foreignMembers(answers.get(code))).toEqual([]);
  });
});

/** The document's examples that this server can be made to give as they stand. */
const EXAMPLES: [string, number, unknown][] = [
  ['ER-19', -32700, 'Unexpected token at position 15'],
  ['ER-20', -32600, 'Missing required field: method'],
  ['ER-21', -32601, { method: 'nonexistent/method' }],
  ['ER-22', -32602, { details: 'Missing required parameter: uri' }],
  ['ER-23', -32603, undefined],
  ['ER-24', -32001, { uri: 'mcp://nonexistent' }],
  ['ER-25', -32002, { tool: 'nonexistent_tool' }],
  ['ER-26', -32003, { prompt: 'nonexistent_prompt' }],
  ['ER-27', -32004, { capability: 'logging' }],
  ['ER-29', -32006, { uri: 'config://server', reason: 'already_subscribed' }],
  ['ER-31', -32008, { reason: 'connection_reset' }],
  ['ER-34', -32011, { actual_length: 15_000, max_length: 10_000 }],
  ['ER-35', -32012, { actual_size: 20_971_520, max_size: 16_777_216, unit: 'bytes' }],
  ['ER-36', -32013, { content_type: 'application/xml' }],
  ['ER-38', -32015, { encoding: 'utf-8', position: 2 }],
  ['ER-39', -32021, { uri_template: 'logs://{date}' }],
  ['ER-40', -32022, { uri: 'not-a-valid-uri', reason: 'missing_scheme' }],
  ['ER-42', -32025, { uri: 'audit://logins', required_permission: 'read:audit' }],
  ['ER-43', -32029, { uri_template: 'log://{date}', reason: 'missing_variable: date' }],
  ['ER-44', -32031, { tool: 'calculate', reason: 'division_by_zero' }],
  ['ER-45', -32032, { tool: 'wait', timeout_ms: 900 }],
  ['ER-46', -32033, { tool: 'wait', reason: 'user_requested' }],
  ['ER-47', -32034, { tool: 'calculate', details: 'Missing required parameter: b' }],
  ['ER-48', -32043, { prompt: 'write_essay', argument: 'topic' }],
  ['ER-51', -32051, { reason: 'invalid_token' }],
  ['ER-52', -32052, { operation: 'tools/call:delete_tool', required_role: 'admin' }],
  ['ER-59', -32071, { cursor: 'invalid_cursor_string' }],
  ['ER-61', -32081, { taskId: 'task-123' }],
  ['ER-65', -32091, { progressToken: 'invalid_token' }],
  ['ER-67', -32094, { notification_type: 'resources/updated', reason: 'subscriber_not_found' }],
];

describe('the examples', () => {
  it.each(EXAMPLES)('%s ER-86: the data of %i is the document’s', (_id, code, data) => {
    expect(errorOf(answers.get(code))?.data).toEqual(data);
  });

  it('ER-32: a timeout says how long it was allowed and how long it took', () => {
    const { timeout_ms, elapsed_ms } = errorOf(answers.get(-32009))?.data ?? {};
    expect(timeout_ms).toBe(600);
    expect(elapsed_ms).toBeGreaterThanOrEqual(600);
  });

  it('ER-30: a validation failure names field and constraint', () => {
    expect(errorOf(answers.get(-32007))?.data).toEqual({ field: 'task.ttl', constraint: expect.any(String) });
  });

  it('ER-50: sampling that fails says why', () => {
    expect(errorOf(answers.get(-32046))?.data).toEqual({ reason: expect.stringMatching(/^[a-z_]+$/) });
  });

  it('ER-60: an expired cursor comes back with the seconds that it lived', () => {
    expect(errorOf(answers.get(-32072))?.data).toEqual({
      cursor: expect.any(String),
      ttl_seconds: expect.any(Number),
    });
  });

  it('ER-62: a task that failed says which and why', () => {
    expect(errorOf(answers.get(-32083))?.data).toEqual({
      taskId: expect.any(String),
      reason: 'division_by_zero',
    });
  });

  it('ER-37 ER-41 ER-49 ER-53 ER-55 ER-63 ER-64 ER-66: sections without an example have their heading’s words', () => {
    const codes = [-32014, -32023, -32044, -32053, -32056, -32084, -32085, -32092];
    expect(codes.map((code) => errorOf(answers.get(code))?.message)).toEqual([
      'Content too large',
      'URI syntax error',
      'Prompt render failed',
      'Invalid credentials',
      'Access denied',
      'Task cancelled',
      'Task timeout',
      'Progress token expired',
    ]);
  });

  it('ER-68 ER-69 ER-70 ER-71 ER-72 ER-73 ER-74: so have completions and experiments', () => {
    const codes = [-32110, -32111, -32112, -32113, 1090, 1091, 1095];
    expect(codes.map((code) => errorOf(answers.get(code))?.message)).toEqual([
      'Completion not found',
      'Invalid completion reference',
      'Invalid completion argument',
      'Completion failed',
      'Elicitation failed',
      'Elicitation timeout',
      'Task not found',
    ]);
  });

  it('ER-2: the first example of the document is given to the byte', async () => {
    world.pipe.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'nonexistent_tool' } });
    expect(JSON.stringify(await world.pipe.answerTo(1))).toBe(
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32002,"message":"Tool not found","data":{"tool":"nonexistent_tool"}}}',
    );
  });

  it('ER-85: different failures have different codes', () => {
    const codes = here.map(([, code]) => errorOf(answers.get(code))?.code);
    expect(new Set(codes).size).toBe(here.length);
  });
});

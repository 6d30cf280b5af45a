import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { foreignMembers } from '../../acceptance/hostile.ts';
import { SLOW } from '../../acceptance/program.ts';
import type { Message, Wire } from '../../acceptance/wire.ts';
import { type Desk, type ErrorCode, OVER_MCP, openDesk } from './provoke.ts';

/** The code table, and the words and statuses that follow from its names. */
const ROWS: [string, ErrorCode, number, string, number, boolean][] = [
  ['CL-17', 'unauthorized', -32001, 'Unauthorized', 401, false],
  ['CL-18', 'forbidden', -32002, 'Forbidden', 403, false],
  ['CL-19', 'rate_limited', -32003, 'Rate Limited', 429, true],
  ['CL-20', 'bad_request', -32100, 'Bad Request', 400, false],
  ['CL-21', 'validation_error', -32101, 'Validation Error', 400, false],
  ['CL-22', 'unprocessable_entity', -32102, 'Unprocessable Entity', 422, false],
  ['CL-23', 'not_found', -32200, 'Not Found', 404, false],
  ['CL-24', 'conflict', -32201, 'Conflict', 409, false],
  ['CL-25', 'internal_error', -32300, 'Internal Error', 500, true],
];

let desk: Desk;
const answers = new Map<ErrorCode, Message>();
const errorOf = (name: ErrorCode): Wire => {
  const answer = answers.get(name);
  return answer?.result?.error ?? answer?.error;
};

beforeAll(async () => {
  desk = await openDesk(['ada', 'bob', 'guest', 'hasty'], ['--per-minute', '30']);
  for (const [, name] of ROWS) {
    answers.set(name, await OVER_MCP[name](desk));
  }
}, SLOW);
afterAll(() => desk.close());

describe.each(ROWS)('%s %s', (id, name, code, title, status, retryable) => {
  it(`${id} CL-9 CL-27: ${name} is ${code}`, () => {
    expect([errorOf(name)?.code, errorOf(name)?.data?.error_code]).toEqual([code, name]);
  });

  it(`${id} CL-10: ${name} has retryable: ${retryable}, a boolean`, () => {
    expect(errorOf(name)?.data?.retryable).toBe(retryable);
  });

  it(`CL-3: ${name} has a code, a message and data, and nothing else`, () => {
    expect(Object.keys(errorOf(name) ?? {}).sort()).toEqual(['code', 'data', 'message']);
  });

  it(`CL-4 CL-6: the message of ${name} is the title of its class, not the occurrence`, () => {
    const error = errorOf(name);
    expect([error?.message, error?.data?.title]).toEqual([title, title]);
    expect(error?.message).not.toContain(error?.data?.detail);
  });

  it(`CL-5: the type of ${name} is its address`, () => {
    expect(errorOf(name)?.data?.type).toBe(`https://closient.com/docs/errors/${name}`);
  });

  it(`CL-7 CL-12: the status of ${name} is ${status}`, () => {
    expect(errorOf(name)?.data?.status).toBe(status);
  });

  it(`CL-8 CL-12: the detail of ${name} is a sentence`, () => {
    expect(errorOf(name)?.data?.detail).toMatch(/\w+ \w+/);
  });

  it(`CL-11: the timestamp of ${name} is now, in whole seconds, with an offset`, () => {
    const timestamp = errorOf(name)?.data?.timestamp;
    expect(timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
    expect(Math.abs(Date.parse(timestamp) - Date.now())).toBeLessThan(60_000);
  });

  it(`CL-36: retry_after stands in ${name} only if it is a rate limit`, () => {
    expect('retry_after' in (errorOf(name)?.data ?? {})).toBe(name === 'rate_limited');
  });

  it(`CL-3: ${name} speaks no other dialect`, () => {
    expect(foreignMembers(answers.get(name))).toEqual([]);
  });
});

describe('a failing tool', () => {
  const tools = ROWS.filter(([, name]) => name !== 'bad_request');

  it.each(tools)('%s CL-3 CL-33: %s is the error of a result, not of the response', (_id, name) => {
    expect(answers.get(name)).not.toHaveProperty('error');
    expect(answers.get(name)?.result).toHaveProperty('error.code');
  });

  it.each(tools)('%s CL-33: %s is a failure for hosts that know nothing of it', (_id, name) => {
    const result = answers.get(name)?.result;
    expect(result?.isError).toBe(true);
    expect(result?.content?.[0]?.type).toBe('text');
    expect(result?.content?.[0]?.text).toContain(result?.error?.data?.detail);
  });

  it('CL-19: retry_after is the wait in whole seconds', () => {
    const wait = errorOf('rate_limited')?.data?.retry_after;
    expect(Number.isInteger(wait)).toBe(true);
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
  });

  it('CL-21: the fields of a validation error are named in an extension member', () => {
    expect(errorOf('validation_error')?.data?.errors).toEqual([
      expect.objectContaining({ field: 'gtin', message: expect.stringMatching(/\S/) }),
    ]);
  });

  it('CL-23: the answer is the document’s example, byte for byte but for the time', () => {
    const error = errorOf('not_found');
    expect(JSON.stringify({ error }, null, 2)).toBe(`{
  "error": {
    "code": -32200,
    "message": "Not Found",
    "data": {
      "type": "https://closient.com/docs/errors/not_found",
      "title": "Not Found",
      "status": 404,
      "detail": "No product found for GTIN 00614141123452",
      "error_code": "not_found",
      "retryable": false,
      "timestamp": "${error?.data?.timestamp}"
    }
  }
}`);
  });

  it('CL-25: nothing of the cause is in the answer, and all of it in the log', () => {
    expect(JSON.stringify(answers.get('internal_error'))).not.toMatch(/no such|sqlite|\.ts|stack/i);
    expect(desk.server.program.errors()).toContain('no such table: claims');
  });
});

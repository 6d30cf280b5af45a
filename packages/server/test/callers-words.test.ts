/** What backends say, and who can act on it. */
import { describe, expect, it } from 'vitest';
import { axios, error, ID, INTERNAL, said, thrownBy } from './thrown.ts';
import { faultIn, textOf } from './wire.ts';

describe('a backend’s 400', () => {
  const CORRECT = 'Correct the arguments, then call again.';
  it.each<readonly [string, Error, string]>([
    [
      'axios',
      axios(400, { message: 'start_date must be in ISO 8601 format' }),
      `start_date must be in ISO 8601 format. ${CORRECT}`,
    ],
    ['axios, a text', axios(400, 'Unknown sort order: upwards'), `Unknown sort order: upwards. ${CORRECT}`],
    ['axios, no words', axios(400, ''), `Request failed with status code 400. ${CORRECT}`],
    [
      'got',
      error('Request failed with status code 400 (Bad Request): GET http://api.example.com/x', {
        name: 'HTTPError',
        code: 'ERR_NON_2XX_3XX_RESPONSE',
        response: { statusCode: 400, headers: {}, body: '{"message":"limit must be below 50"}' },
      }),
      `limit must be below 50. ${CORRECT}`,
    ],
    [
      'Stripe',
      error('Missing required param: amount.', { statusCode: 400, headers: {} }),
      `Missing required param: amount. ${CORRECT}`,
    ],
    [
      'OpenAI',
      error("400 Unsupported value: 'temperature' does not support 3.5.", {
        status: 400,
        headers: new Headers(),
      }),
      `400 Unsupported value: 'temperature' does not support 3.5. ${CORRECT}`,
    ],
    [
      'a status alone',
      error('The colour is not one we sell', { status: 400 }),
      `The colour is not one we sell. ${CORRECT}`,
    ],
  ])('about the arguments reaches the caller: %s', async (_, reason, text) => {
    expect(await said(reason)).toEqual(['invalid_arguments', text]);
  });

  it('is what its words say, where they know better', async () => {
    const long =
      "This model's maximum context length is 8192 tokens. Please reduce the length of the messages.";
    expect(await said(axios(400, { error: { message: long } }))).toEqual([
      'too_large',
      `${long} Send less at once, then call again.`,
    ]);
    expect(
      await said(axios(400, { error: { message: 'API key not valid. Please pass a valid API key.' } })),
    ).toEqual([
      'misconfigured',
      'API key not valid. Please pass a valid API key. The server lacks a setting; tell the user, do not retry.',
    ]);
  });

  it.each([
    ['Order was cancelled', 'conflict'],
    ['Cannot abort run 5: it has finished', 'conflict'],
    ['Cannot cancel order 7: it is already shipped', 'conflict'],
    ['Invalid billing address', 'invalid_arguments'],
    ['Billing period must be a month', 'invalid_arguments'],
    ['Billing address not found', 'not_found'],
  ])('is not taken for something else because of a word in it: %s', async (message, kind) => {
    const [told, text] = await said(axios(400, { message }));
    expect(told).toBe(kind);
    expect(text).toContain(message);
  });

  it('about the request itself is the server’s own mistake', async () => {
    for (const words of [
      'Invalid content-type header',
      'Could not parse body',
      'Unrecognized request URL (GET: /v1/x)',
    ])
      expect(await said(axios(400, { message: words }))).toEqual(['internal', INTERNAL]);
    expect((await said(axios(400, { message: 'headers must be a list' }), { headers: 'x' }))[1]).toBe(
      `headers must be a list. ${CORRECT}`,
    );
  });
});

describe('what a backend says in the body that its client kept', () => {
  it('reaches the caller in place of the status', async () => {
    expect(await said(axios(404, { message: 'Project 4711 does not exist' }))).toEqual([
      'not_found',
      'Project 4711 does not exist. Check the identifier; do not repeat the same call.',
    ]);
    expect((await said(axios(403, { message: 'You need the role editor' })))[1]).toMatch(
      /^You need the role editor\. /,
    );
    expect((await said(axios(404, {})))[1]).toMatch(/^Request failed with status code 404\. /);
    expect((await said(axios(404, '<html><body>gone</body></html>')))[1]).toMatch(
      /^Request failed with status code 404\. /,
    );
  });

  it('keeps its status where it is a list, as Salesforce’s is', async () => {
    const list = [{ message: 'Start date must be before end date', errorCode: 'FIELD_INTEGRITY_EXCEPTION' }];
    const busy = [{ message: 'Server busy', errorCode: 'SERVER_UNAVAILABLE' }];
    const got = (status: number, body: unknown): Error =>
      error(`Response code ${status}`, {
        name: 'HTTPError',
        code: 'ERR_NON_2XX_3XX_RESPONSE',
        response: { statusCode: status, headers: { 'retry-after': '7' }, body: JSON.stringify(body) },
      });
    for (const client of [axios, got]) {
      expect(await said(client(400, list))).toEqual([
        'invalid_arguments',
        'Start date must be before end date. Correct the arguments, then call again.',
      ]);
      expect(await said(client(404, [{ message: 'No such account' }, { message: 'Nor lead' }]))).toEqual([
        'not_found',
        'No such account; Nor lead. Check the identifier; do not repeat the same call.',
      ]);
    }
    const fields = [{ path: ['day'], message: 'lies in the past' }];
    expect(await said(axios(422, fields))).toEqual([
      'unprocessable',
      'Request failed with status code 422: day: lies in the past. The input is well-formed but cannot be accepted; change it, then call again.',
    ]);
    expect(await said(axios(400, fields))).toEqual([
      'invalid_arguments',
      'Request failed with status code 400: day: lies in the past. Correct the arguments, then call again.',
    ]);
    for (const reason of [axios(503, busy, { 'retry-after': '7' }), got(503, busy)])
      expect(faultIn(await thrownBy(reason))).toMatchObject({
        kind: 'unavailable',
        retry: { after_ms: 7000 },
      });
  });

  it('is said behind the words of whoever wrapped it', async () => {
    const cause = axios(404, { message: 'Project 4711 does not exist' });
    const text =
      'Failed to fetch item: Project 4711 does not exist. Check the identifier; do not repeat the same call.';
    const twice = new Error('Request failed', { cause });
    for (const reason of [
      new Error('Failed to fetch item', { cause }),
      new Error('Failed to fetch item.', { cause: twice }),
      new Error('Failed to fetch item: Request failed with status code 404', { cause }),
      new Error('Failed to fetch item: Project 4711 does not exist', { cause }),
    ])
      expect(await said(reason)).toEqual(['not_found', text]);
    const spoken = error('404 The model gpt-9 does not exist', { status: 404, headers: new Headers() });
    expect((await said(new Error('Summarizing failed', { cause: spoken })))[1]).toMatch(
      /^Summarizing failed: 404 The model gpt-9 does not exist\. /,
    );
    const fields = axios(422, { errors: { day: ['lies in the past'] } });
    expect((await said(new Error('Booking failed', { cause: fields })))[1]).toMatch(
      /^Booking failed: day: lies in the past\. /,
    );
  });

  it.each<readonly [Error, string, string]>([
    [
      axios(410, { message: 'Issues are disabled for this repo' }),
      'unsupported',
      'Issues are disabled for this repo. This is not supported here; use something else.',
    ],
    [
      axios(405, { message: 'Pull Request is not mergeable' }),
      'conflict',
      'Pull Request is not mergeable. Look at the current state first; do not repeat the same call.',
    ],
    [
      axios(410, { message: 'The link is gone' }),
      'expired',
      'The link is gone. Start again without the expired value.',
    ],
    [
      axios(422, { errors: ["Name can't be blank", 'Email has already been taken'] }),
      'unprocessable',
      "Name can't be blank; Email has already been taken. The input is well-formed but cannot be accepted; change it, then call again.",
    ],
    [
      axios(400, 'missing query parameter "q"'),
      'invalid_arguments',
      'missing query parameter "q". Correct the arguments, then call again.',
    ],
  ])('is said once, with the advice that fits it: %s', async (reason, kind, text) => {
    expect(await said(reason)).toEqual([kind, text]);
  });

  it('passes where somebody else holds it for the time of a request', async () => {
    const words =
      'This object cannot be accessed right now because another API request or Stripe process is currently accessing it.';
    const body = { error: { type: 'invalid_request_error', code: 'lock_timeout', message: words } };
    const thrown = error(words, { type: 'StripeInvalidRequestError', code: 'lock_timeout', statusCode: 409 });
    for (const reason of [axios(409, body), thrown])
      expect(faultIn(await thrownBy(reason))).toMatchObject({ kind: 'overloaded', retryable: true });
    expect(faultIn(await thrownBy(axios(409, body, { 'retry-after': '7' })))).toMatchObject({
      kind: 'overloaded',
      retry: { when: 'after_wait', after_ms: 7000 },
    });
  });

  it('names the fields', async () => {
    const errors = { start_date: ['must be before end_date'], email: ['is not a valid address'] };
    const answer = await thrownBy(axios(422, { errors }));
    expect(textOf({ message: answer })).toBe(
      'Request failed with status code 422: start_date: must be before end_date; email: is not a valid address. The input is well-formed but cannot be accepted; change it, then call again.',
    );
    expect(faultIn(answer)).toMatchObject({
      kind: 'unprocessable',
      issues: [
        { path: ['start_date'], message: 'must be before end_date' },
        { path: ['email'], message: 'is not a valid address' },
      ],
    });
    const github = {
      message: 'Validation Failed',
      errors: [{ resource: 'Issue', field: 'title', code: 'missing_field' }],
    };
    expect((await said(axios(422, github)))[1]).toMatch(/^Validation Failed: title: missing_field\. /);
  });

  it.each<readonly [string, Error, string, string]>([
    [
      'Nest',
      axios(400, { statusCode: 400, message: ['a must be b', 'c must be d'] }),
      'invalid_arguments',
      'a must be b; c must be d',
    ],
    [
      'Fastify',
      axios(400, { statusCode: 400, error: 'Bad Request', message: 'body/limit must be integer' }),
      'invalid_arguments',
      'body/limit must be integer',
    ],
    [
      'Spring',
      axios(400, { status: 400, error: 'Bad Request', path: '/orders' }),
      'invalid_arguments',
      'Request failed with status code 400',
    ],
    [
      'Google',
      axios(400, {
        error: { code: 400, message: "Invalid value at 'page_size'", status: 'INVALID_ARGUMENT' },
      }),
      'invalid_arguments',
      "Invalid value at 'page_size'",
    ],
    [
      'a problem',
      axios(422, { type: 'about:blank', title: 'No', status: 422, detail: 'The start lies after the end' }),
      'unprocessable',
      'The start lies after the end',
    ],
    [
      'Django',
      axios(400, { start_date: ['This field is required.'] }),
      'invalid_arguments',
      'Request failed with status code 400: start_date: This field is required',
    ],
    [
      'Pydantic',
      axios(422, { detail: [{ loc: ['body', 'limit'], msg: 'too big', type: 'x' }] }),
      'unprocessable',
      'Request failed with status code 422: body.limit: too big',
    ],
    [
      'Kubernetes',
      error('HTTP request failed', {
        statusCode: 404,
        body: { kind: 'Status', message: 'pods "web" not found', code: 404 },
      }),
      'not_found',
      'pods "web" not found',
    ],
    [
      'ofetch',
      error('[GET] "http://billing/x": 409 Conflict', {
        status: 409,
        data: { message: 'The branch is taken' },
      }),
      'conflict',
      'The branch is taken',
    ],
    [
      'ofetch without a body',
      error('[GET] "http://billing/x": 409 Conflict', { status: 409 }),
      'conflict',
      '409 Conflict',
    ],
    [
      'Gemini',
      axios(429, { error: { code: 429, message: 'You exceeded your current quota. Please retry in 20s.' } }),
      'rate_limited',
      'You exceeded your current quota. Please retry in 20s',
    ],
  ])('is found in any form: %s', async (_, reason, kind, text) => {
    const [heard, words] = await said(reason);
    expect(heard).toBe(kind);
    expect(words.startsWith(`${text}. `)).toBe(true);
  });

  it('is read where nobody has read it yet, and not waited for', async () => {
    const answer = (body: string | ReadableStream, type = 'application/json'): Error => {
      const response = new Response(body, { status: 422, headers: { 'content-type': type } });
      return error('Request failed with status code 422 Unprocessable Entity: POST http://x.test/', {
        name: 'HTTPError',
        response,
      });
    };
    const fields = { errors: { start_date: ['must be before end_date'] } };
    const advice = 'The input is well-formed but cannot be accepted; change it, then call again.';
    const ky = answer(JSON.stringify(fields));
    expect((await said(ky))[1]).toMatch(
      /^Request failed with status code 422 Unprocessable Entity: start_date: must be before end_date\. /,
    );
    expect((ky as unknown as { response: Response }).response.bodyUsed).toBe(false);
    expect((await said(answer('Nothing to sell', 'text/plain')))[1]).toBe(`Nothing to sell. ${advice}`);
    const silent = answer(new ReadableStream());
    expect((await said(silent))[1]).toBe(
      `Request failed with status code 422 Unprocessable Entity. ${advice}`,
    );
    const broken = new ReadableStream({ start: (controller) => controller.error(new Error('cut')) });
    expect((await said(answer(broken)))[1]).toMatch(/^Request failed with status code 422 /);
  });

  it('loses its secrets, and stays inside where it is the words of a database', async () => {
    const leak = {
      message: 'No order for ada@example.com',
      errors: { note: ['contains sk_live_4eC39HqLyjWDarjtT1zdp7dc'] },
    };
    const [, text] = await said(axios(422, leak));
    expect(text).toContain('No order for [email:1]');
    expect(text).not.toContain('4eC39');
    const keyed = { errors: { 'postgres://svc:Zq8vT3mK1xW7@10.0.0.5/prod': ['is wrong'] } };
    expect((await said(axios(422, keyed)))[1]).toMatch(/^Request failed with status code 422: is wrong\. /);
    const constraint = { message: 'insert violates foreign key constraint "orders_customer_fk"' };
    expect(await said(axios(409, constraint))).toEqual([
      'conflict',
      `Conflict. Look at the current state first; do not repeat the same call. Reference: ${ID}.`,
    ]);
  });
});

describe('a value that the caller sent', () => {
  const CORRECT = 'Correct the arguments, then call again.';
  const parsing = (text: string): unknown => {
    try {
      return JSON.parse(text);
    } catch (complaint) {
      return complaint;
    }
  };
  const postgres = (message: string, code: string): Error =>
    error(message, { name: 'error', code, severity: 'ERROR', routine: 'x' });

  it.each([
    ['{bad', "Expected property name or '}' in JSON at position 1 (line 1 column 2)"],
    ['{"a": ', 'Unexpected end of JSON input'],
    ['hello', 'Unexpected token \'h\', "hello" is not valid JSON'],
  ])('and that is no JSON is its to correct: %s', async (text, words) => {
    const args = { filter: { where: text } };
    expect(await said(parsing(text), args)).toEqual(['invalid_arguments', `${words}. ${CORRECT}`]);
    const wrapped = new Error(`Invalid filter: ${words}`, { cause: parsing(text) });
    expect(await said(wrapped, args)).toEqual(['invalid_arguments', `Invalid filter: ${words}. ${CORRECT}`]);
    expect((await said(parsing(text), { filter: '{}' }))[0]).toBe('upstream_failed');
  });

  it('is not an empty answer of a backend’s', async () => {
    expect((await said(parsing(''), { filter: '' }))[0]).toBe('upstream_failed');
  });

  it.each([
    ['invalid input syntax for type uuid: "abc"', '22P02', { id: 'abc' }],
    ['invalid input value for enum mood: "blue"', '22P02', { moods: ['blue'] }],
    ['invalid input syntax for type date: "31.31.2024"', '22007', { day: '31.31.2024' }],
    ['date/time field value out of range: "2024-13-01"', '22008', { day: '2024-13-01' }],
    ['value "99999999999" is out of range for type integer', '22003', { n: 99999999999 }],
    ['integer out of range', '22003', { n: 99999999999 }],
    ['value too long for type character varying(2)', '22001', { country: 'Germany' }],
  ])('and that a database does not take is its to correct: %s', async (words, code, args) => {
    expect(await said(postgres(words, code), args)).toEqual(['invalid_arguments', `${words}. ${CORRECT}`]);
    expect(await said(postgres(words, code), { id: 7 })).toEqual(['internal', INTERNAL]);
    const query = error(`Failed query: insert into t. ${words}`, { code, severity: 'ERROR', routine: 'x' });
    expect(await said(query, args)).toEqual(['internal', INTERNAL]);
  });

  it('and that is no recipient is its to correct', async () => {
    const refused = (said: string): Error =>
      error(`Can't send mail - all recipients were rejected: ${said}`, {
        code: 'EENVELOPE',
        responseCode: 550,
      });
    const unknown = refused('550 5.1.1 <bob@example.com>: Recipient address rejected');
    expect(await said(unknown, { to: 'bob@example.com' })).toEqual([
      'unprocessable',
      "Can't send mail - all recipients were rejected: 550 5.1.1 <bob@example.com>: Recipient address rejected. The input is well-formed but cannot be accepted; change it, then call again.",
    ]);
    expect((await said(unknown, { to: 'ada@example.com' }))[0]).toBe('internal');
    expect((await said(refused('550 5.7.1 Relay access denied'), { to: 'bob@example.com' }))[0]).not.toBe(
      'unprocessable',
    );
  });
});

describe('a limit', () => {
  const reset = {
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': String(Math.floor(Date.now() / 1000) + 90),
  };
  it.each([
    [
      'Octokit',
      error('API rate limit exceeded for user ID 1.', {
        status: 403,
        response: { status: 403, headers: reset },
      }),
    ],
    ['axios', axios(403, { message: 'API rate limit exceeded for user ID 1.' }, reset)],
    ['axios, without words', axios(403, '', reset)],
  ])('of GitHub keeps its wait: %s', async (_, reason) => {
    const fault = faultIn(await thrownBy(reason));
    expect(fault).toMatchObject({ kind: 'rate_limited', retry: { when: 'after_wait' } });
    expect((fault['retry'] as { after_ms: number }).after_ms).toBeGreaterThan(60_000);
  });

  it('that only words tell of is one too', async () => {
    const secondary = { message: 'You have exceeded a secondary rate limit.' };
    expect(faultIn(await thrownBy(axios(403, secondary, { 'retry-after': '45' })))).toMatchObject({
      kind: 'rate_limited',
      retry: { after_ms: 45_000 },
    });
  });

  it('that is used up does not pass by waiting', async () => {
    const words = 'You exceeded your current quota, please check your plan and billing details.';
    const used = 'The quota is used up; do not retry, tell the user.';
    const openai = error(`429 ${words}`, { status: 429, code: 'insufficient_quota', headers: new Headers() });
    expect(await said(openai)).toEqual(['quota_exhausted', `429 ${words} ${used}`]);
    const body = { error: { message: words, type: 'insufficient_quota', code: 'insufficient_quota' } };
    expect(await said(axios(429, body))).toEqual(['quota_exhausted', `${words} ${used}`]);
    expect((await said(axios(429, body, { 'retry-after': '20' })))[0]).toBe('rate_limited');
  });

  it('is not a card that is declined', async () => {
    const words = 'Your card has insufficient funds.';
    const advice = 'The input is well-formed but cannot be accepted; change it, then call again.';
    for (const reason of [error(words, { statusCode: 402, type: 'StripeCardError' }), error(words)])
      expect(await said(reason)).toEqual(['unprocessable', `${words} ${advice}`]);
    expect((await said(axios(402, { message: 'Monthly quota exceeded' })))[0]).toBe('quota_exhausted');
  });
});

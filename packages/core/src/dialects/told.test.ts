/** What is kept back from the answers of a closed document does not cross beside them. */
import { describe, expect, it } from 'vitest';
import { language } from '../index.ts';
import { toldIn } from './told.ts';

const PROVIDERS =
  'Stripe says card_declined for cus_9s8df7: relation "customers_pii" missing on [host:1]; pg://[credentials:1]@h/db';

describe.each(['qaqnuz', 'platica'])('%s', (id) => {
  const told = (method: string, params: { [name: string]: unknown }): object =>
    toldIn(method, params, language.dialect(id));

  it.each([
    PROVIDERS,
    'Stripe says card_declined for cus_9s8df7',
    'relation "customers_pii" missing',
    'Request failed with status code 402',
    'duplicate key value violates unique constraint "orders_pk"',
  ])('a log message that tells of a failure says no more than that there is one: %s', (data) => {
    const params = { level: 'error', logger: 'pg', data };
    expect(told('notifications/message', params)).toEqual({ ...params, data: 'Internal error' });
  });

  it('nor does any text in it', () => {
    const data = { error: PROVIDERS, causes: [PROVIDERS, 'The room is taken'], attempts: 2, last: null };
    expect(told('notifications/message', { level: 'critical', data })).toEqual({
      level: 'critical',
      data: {
        error: 'Internal error',
        causes: ['Internal error', 'The room is taken'],
        attempts: 2,
        last: null,
      },
    });
  });

  it.each([
    PROVIDERS,
    'getaddrinfo ENOTFOUND [host:1]',
    'connect ECONNREFUSED [ip:1]:5432',
    'password authentication failed for user "[user:1]" at [host:1]',
  ])('progress keeps its numbers: %s', (message) => {
    const numbers = { progressToken: 't', progress: 1, total: 3 };
    expect(told('notifications/progress', { ...numbers, message })).toEqual(numbers);
  });

  it('a cancellation and a task keep what they are about', () => {
    expect(told('notifications/cancelled', { requestId: 7, reason: PROVIDERS })).toEqual({ requestId: 7 });
    const task = { taskId: 't', status: 'failed' };
    expect(told('notifications/tasks/status', { ...task, statusMessage: 'No row in customers_pii' })).toEqual(
      task,
    );
  });

  it('what the protocol has no member for does not cross', () => {
    const progress = { progressToken: 't', progress: 1, total: 3, message: 'Copied 3 of 7 files' };
    const more = { detail: 'SELECT * FROM customers_pii', customers_pii: 1 };
    expect(told('notifications/progress', { ...progress, ...more })).toEqual(progress);
    const log = { level: 'info', logger: 'import', data: 'Half of it is done' };
    expect(told('notifications/message', { ...log, extra: 'x' })).toEqual(log);
    expect(told('notifications/cancelled', { requestId: 7, ...more })).toEqual({ requestId: 7 });
    expect(told('notifications/resources/updated', { uri: 'a://b', title: 'customers_pii' })).toEqual({
      uri: 'a://b',
    });
    expect(told('notifications/tools/list_changed', more)).toEqual({});
    expect(told('elicitation/create', { message: 'Which one?', requestedSchema: {}, ...more })).toEqual({
      message: 'Which one?',
      requestedSchema: {},
    });
    expect(told('sampling/createMessage', { messages: [], maxTokens: 5, ...more })).toEqual({
      messages: [],
      maxTokens: 5,
    });
    const task = { taskId: 't', status: 'working', ttl: null, pollInterval: 5 };
    expect(told('notifications/tasks/status', { ...task, ...more })).toEqual(task);
  });

  it.each([
    ['Fetching https://api.stripe.example/v1/charges for [email:1]', 'Fetching [host] for [email:1]'],
    ['Asking api.payments.example.com', 'Asking [host]'],
    ['Uploading to s3://orders/2026, then done', 'Uploading to [host], then done'],
    ['Waiting for wss://push.example:8443/x.', 'Waiting for [host].'],
    ['Read report.csv and page://7', 'Read report.csv and page://7'],
  ])('names no host: %s', (message, left) => {
    const params = { progressToken: 't', progress: 1, message };
    expect(told('notifications/progress', params)).toEqual({ ...params, message: left });
  });

  it('a question stays one', () => {
    const requestedSchema = { type: 'object', properties: { a: { type: 'string' } } };
    expect(told('elicitation/create', { message: PROVIDERS, requestedSchema })).toEqual({
      message: 'The server asks for something',
      requestedSchema,
    });
  });

  it('the form that goes with a question says no more', () => {
    const requestedSchema = {
      type: 'object',
      title: PROVIDERS,
      properties: {
        title: { type: 'string', description: PROVIDERS },
        size: { type: 'string', title: 'Your size', enum: ['s', 'l'], enumNames: ['Small', PROVIDERS] },
      },
      required: ['title'],
    };
    expect(told('elicitation/create', { message: 'Which one?', requestedSchema })).toEqual({
      message: 'Which one?',
      requestedSchema: {
        type: 'object',
        title: 'Something',
        properties: {
          title: { type: 'string', description: 'Something' },
          size: { type: 'string', title: 'Your size', enum: ['s', 'l'], enumNames: ['Small', 'Something'] },
        },
        required: ['title'],
      },
    });
  });

  it('what a model is asked says no more, and pictures stay', () => {
    const picture = { type: 'image', data: 'cmVsYXRpb24gInBp', mimeType: 'image/png' };
    const messages = (text: string): object[] => [
      { role: 'user', content: { type: 'text', text } },
      { role: 'user', content: picture },
      { role: 'assistant', content: [{ type: 'text', text: 'Certainly' }] },
    ];
    expect(
      told('sampling/createMessage', {
        messages: messages(PROVIDERS),
        systemPrompt: PROVIDERS,
        maxTokens: 5,
      }),
    ).toEqual({ messages: messages('The server asks for something'), maxTokens: 5 });
  });

  it('names of members, `_meta`, and messages of a server’s own say no more', () => {
    const duplicate = 'duplicate key value violates unique constraint "orders_pk"';
    expect(told('notifications/message', { level: 'info', data: { [duplicate]: 1, rows: 2 } })).toEqual({
      level: 'info',
      data: { rows: 2 },
    });
    const meta = { 'io.modelcontextprotocol/related-task': { taskId: 't' }, progressToken: 1 };
    expect(
      told('notifications/progress', {
        progressToken: 1,
        progress: 1,
        _meta: { ...meta, 'acme/cause': PROVIDERS },
      }),
    ).toEqual({ progressToken: 1, progress: 1, _meta: meta });
    expect(told('notifications/acme/own', { cause: { said: PROVIDERS }, at: 3, _meta: { a: 1 } })).toEqual({
      cause: { said: 'Internal error' },
      at: 3,
      _meta: {},
    });
  });

  it.each([
    ['notifications/message', { level: 'info', data: 'Imported 120 contacts (2 skipped)' }],
    ['notifications/message', { level: 'error', data: 'The room is taken' }],
    ['notifications/progress', { progressToken: 't', progress: 120, message: 'Sent 120 of 500: Orders' }],
    ['elicitation/create', { message: 'Delete the project "Alpha"?', requestedSchema: {} }],
    ['sampling/createMessage', { messages: [], systemPrompt: 'Write a short summary' }],
    ['notifications/acme/own', { data: 'Half of it is done', at: 3 }],
    ['notifications/resources/updated', { uri: 'pg://db7.corp.internal/customers_pii' }],
    [
      'notifications/progress',
      {
        progressToken: 't',
        progress: 1,
        _meta: { 'io.modelcontextprotocol/related-task': { taskId: 'customers_pii' } },
      },
    ],
  ])('leaves what an author says to callers: %s %j', (method, params) => {
    expect(told(method, params)).toBe(params);
  });
});

it('qaqnuz takes rows and hosts out of what stays', () => {
  const params = { level: 'info', data: 'Charged ch_3NabcDEF456ghi at db7.corp.internal' };
  expect(toldIn('notifications/message', params, language.dialect('qaqnuz'))).toEqual({
    level: 'info',
    data: 'Charged [id] at [host]',
  });
});

it('in every other dialect all of it crosses', () => {
  const params = { level: 'error', data: PROVIDERS };
  expect(toldIn('notifications/message', params, language.dialect('onx'))).toBe(params);
});

it('a dialect that throws tells nothing', () => {
  const told = (): never => {
    throw new Error('bug');
  };
  const params = { level: 'error', data: PROVIDERS };
  expect(toldIn('notifications/message', params, { told })).toEqual({ ...params, data: 'Internal error' });
});

it('what is deeper than anybody reads is not told', () => {
  let data: unknown = PROVIDERS;
  for (let i = 0; i < 100_000; i++) data = [data];
  const { data: left } = toldIn('notifications/message', { level: 'info', data }, language.dialect('qaqnuz'));
  expect(JSON.stringify(left)).toMatch(/^\[{1,200}"Internal error"\]{1,200}$/);
});

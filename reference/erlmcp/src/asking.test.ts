import { describe, expect, it } from 'vitest';
import { type LocalClient, localClient } from '../test/app.ts';

/** Calls a tool that asks the client, whose answer this is; gives the question and the outcome. */
async function asked(
  client: LocalClient,
  call: { name: string; arguments: object; task?: object },
  answer: object,
): Promise<{ question: { method: string; params: object }; outcome: unknown }> {
  const running = client.call('tools/call', call);
  const sent = () => client.events.findLast(({ kind, value }) => kind === 'sent' && 'id' in value)?.value;
  while (sent() === undefined) await new Promise((resolve) => setImmediate(resolve));
  const { id, method, params } = sent() as { id: number; method: string; params: object };
  await client.receive({ jsonrpc: '2.0', id, ...answer });
  const { result, error } = await running;
  return { question: { method, params }, outcome: result ?? [error?.code, error?.data] };
}

const SUM = { name: 'summarize_note', arguments: { name: 'a' } };
const LINK = { name: 'link_account', arguments: {} };

async function withNote(settings = {}): Promise<LocalClient> {
  const client = await localClient(settings);
  client.app.store.notes.save({ name: 'a', mimeType: 'text/plain', bytes: Buffer.from('long') }, 'user ada');
  return client;
}

describe('the client’s model', () => {
  it('ER-50 is asked for one sentence', async () => {
    const said = { result: { content: { type: 'text', text: 'short' } } };
    expect(await asked(await withNote(), SUM, said)).toEqual({
      question: {
        method: 'sampling/createMessage',
        params: {
          messages: [
            { role: 'user', content: { type: 'text', text: 'Sum this up in one sentence:\n\nlong' } },
          ],
          maxTokens: 200,
        },
      },
      outcome: { content: [{ type: 'text', text: 'short' }] },
    });
  });

  it.each([
    [{ error: { code: -1, message: 'no' } }, 'user_rejected'],
    [{ error: { code: -32603, message: 'no' } }, 'model_unavailable'],
    [{ result: {} }, 'no_text_in_answer'],
    [{ result: { content: { type: 'text', text: 7 } } }, 'no_text_in_answer'],
    [{ result: { content: [] } }, 'no_text_in_answer'],
    [{ result: [] }, 'no_text_in_answer'],
  ])('ER-50 that says %j has failed: %s', async (answer, reason) => {
    expect((await asked(await withNote(), SUM, answer)).outcome).toEqual([-32046, { reason }]);
  });
});

describe('the person in front of the client', () => {
  it('ER-72 is sent to a page of their own', async () => {
    const { question, outcome } = await asked(await withNote(), LINK, { result: { action: 'accept' } });
    const { elicitationId } = question.params as { elicitationId: string };
    expect(question).toEqual({
      method: 'elicitation/create',
      params: {
        mode: 'url',
        message: 'Open this page to link your account.',
        url: `https://accounts.example.com/link?elicitation=${elicitationId}`,
        elicitationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      },
    });
    expect(outcome).toEqual({ content: [{ type: 'text', text: 'Linked' }] });
  });

  it.each([
    [{ result: { action: 'decline' } }, 'declined'],
    [{ result: { action: 'cancel' } }, 'cancelled'],
    [{ result: { action: 'dance' } }, 'client_failed'],
    [{ result: 'accept' }, 'client_failed'],
    [{ error: { code: -1, message: 'no' } }, 'client_failed'],
  ])('ER-72 who answers %j has not linked anything: %s', async (answer, reason) => {
    expect((await asked(await withNote(), LINK, answer)).outcome).toEqual([1090, { reason }]);
  });
});

describe('a client that is slow, or cannot be asked', () => {
  it.each([
    [SUM, -32046, { reason: 'timeout' }],
    [LINK, 1091, { timeoutMs: 70 }],
  ])('ER-50 ER-73 %j', async (call, code, data) => {
    const client = await withNote({ clientTimeoutMs: 70 });
    const running = client.call('tools/call', call);
    await client.clock.advanceWhenDue(70);
    const { error } = await running;
    expect([error?.code, error?.data]).toEqual([code, data]);
    client.connection.session.clientCapabilities = {};
    const refused = (await client.call('tools/call', call)).error;
    expect(refused?.data).toEqual({ reason: 'not_supported_by_client' });
  });
});

describe('a task', () => {
  it('ER-61 is described, and says why it failed', async () => {
    const { call, clock } = await localClient();
    const start = async (name: string, args: object, task: object = {}) =>
      ((await call('tools/call', { name, arguments: args, task })).result as { task: { taskId: string } })
        .task;
    const task = await start('calculate', { a: 1, b: 0, operation: 'divide' });
    expect(task).toEqual({
      taskId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: 'working',
      ttl: 3_600_000,
      createdAt: '2026-11-15T12:00:00.000Z',
      lastUpdatedAt: '2026-11-15T12:00:00.000Z',
      pollInterval: 1000,
    });
    const { taskId } = task;
    expect((await call('tasks/result', { taskId })).error).toMatchObject({
      code: -32083,
      data: { taskId, reason: 'division_by_zero' },
    });
    const longest = await start('wait', { ms: 600_000 }, { ttl: 86_400_000 });
    expect((await call('tasks/cancel', { taskId: longest.taskId })).result).toMatchObject({
      status: 'cancelled',
    });
    expect((await call('tasks/result', { taskId: longest.taskId })).error?.code).toBe(-32084);
    const slow = await start('wait', { ms: 600_000 }, { ttl: 1 });
    await clock.advanceWhenDue(300_000);
    expect((await call('experimental/tasks/watch', { taskId: slow.taskId })).error).toBeUndefined();
  });
});

describe('a subscription', () => {
  it('ER-29 is one of a hundred, each once', async () => {
    const { call } = await localClient({ rateLimit: 1000 });
    const subscribe = async (n: number) =>
      (await call('resources/subscribe', { uri: `note://n${n}` })).error?.data;
    for (let n = 0; n < 100; n++) expect(await subscribe(n)).toBeUndefined();
    expect(await subscribe(0)).toEqual({ uri: 'note://n0', reason: 'already_subscribed' });
    expect(await subscribe(100)).toEqual({ uri: 'note://n100', reason: 'too_many_subscriptions' });
  });
});

describe('arithmetic', () => {
  it.each([
    [{ a: 7, b: 2 }, '9'],
    [{ a: 7, b: 2, operation: 'subtract' }, '5'],
    [{ a: 7, b: 2, operation: 'multiply' }, '14'],
    [{ a: -7, b: 2, operation: 'divide' }, '-3'],
    [{ a: 7, b: 0, operation: 'multiply' }, '0'],
  ])('%j is %s', async (args, text) => {
    const { call } = await localClient();
    expect((await call('tools/call', { name: 'calculate', arguments: args })).result).toEqual({
      content: [{ type: 'text', text }],
    });
  });
});

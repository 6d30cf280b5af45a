import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { FLAVOURS } from './flavours.ts';

const SERVER = fileURLToPath(new URL('./scripted-stdio.ts', import.meta.url));

describe.each(FLAVOURS)('$name over stdio', ({ stdio, started }) => {
  async function call(misbehaviour: string, tool: string, options: object = {}) {
    const client = stdio([SERVER, misbehaviour], { deadlineMs: 10_000, ...options });
    await client.connect();
    await client.listTools();
    const outcome = await client.call({ name: tool });
    const after = await client.call({ name: 'pid' }, { attemptTimeoutMs: 5000 });
    await client.close();
    return { outcome, alive: after.ok };
  }

  it('notices a process that dies, does not repeat the write, and starts the next one', async () => {
    const { outcome, alive } = await call('dies', 'write');
    expect(outcome).toMatchObject({
      ok: false,
      attempts: 1,
      fault: { kind: 'disconnected', executed: 'maybe' },
    });
    expect(alive).toBe(true);
  });

  it('repeats a read in a new process, and gives up in the end', async () => {
    const { outcome, alive } = await call('dies', 'read');
    expect(outcome).toMatchObject({ ok: false, attempts: 3, fault: { kind: 'disconnected' } });
    expect(alive).toBe(true);
  });

  it('knows that nothing was sent where no process could be started', async () => {
    const client = stdio([SERVER, 'no-handshake'], { deadlineMs: 20_000 });
    await expect(client.connect()).rejects.toMatchObject({ fault: { kind: 'disconnected' } });
    const outcome = await client.call({ name: 'write' });
    expect(outcome).toMatchObject({ ok: false, fault: { kind: 'disconnected', executed: 'no' } });
    await client.close();
  });

  it.each([
    ['no-such-program', 'the command no-such-program was not found (ENOENT)'],
    ['/no/such/program', 'the command /no/such/program was not found (ENOENT)'],
    [SERVER, `the command ${SERVER} may not be executed (EACCES)`],
  ])('names the command that cannot be started, and nothing was sent: %s', async (program, words) => {
    const client = started(program);
    const fault = { kind: 'misconfigured', origin: 'local', executed: 'no' };
    await expect(client.connect()).rejects.toMatchObject({ fault });
    const told = {
      ok: false,
      attempts: 1,
      fault: { ...fault, message: `The server cannot be started: ${words}` },
    };
    expect(await client.call({ name: 'write' })).toMatchObject(told);
    expect(await client.call({ name: 'write' })).toMatchObject(told);
    await client.close();
  });

  it('says that the client is set up wrongly where its transport is a promise', async () => {
    const client = started(process.execPath, { isPromised: true });
    await expect(client.connect()).rejects.toThrow('`transport` cannot be async');
    expect(await client.call({ name: 'write' })).toMatchObject({
      ok: false,
      fault: { kind: 'misconfigured', origin: 'local', executed: 'no' },
    });
    await client.close();
  });

  it('leaves a process that lives but has ended its output', async () => {
    const { outcome, alive } = await call('ends-output', 'write', { deadlineMs: 15_000 });
    expect(outcome).toMatchObject({
      ok: false,
      attempts: 1,
      fault: { kind: 'disconnected', executed: 'maybe' },
    });
    expect(alive).toBe(true);
  });

  it.each(['silent', 'wrong-id'])('ends a call that gets no answer (%s)', async (misbehaviour) => {
    const { outcome, alive } = await call(misbehaviour, 'write', { attemptTimeoutMs: 200 });
    expect(outcome).toMatchObject({ ok: false, attempts: 1, fault: { kind: 'timeout', origin: 'local' } });
    expect(alive).toBe(true);
  });

  it.each([
    ['error-without-words', 'internal', 'The server failed without saying why'],
    ['error-as-text', 'internal', 'Payment pay_7 booked'],
    ['null-result', 'invalid_output', 'The answer has no result'],
  ])('hears of a failure that the transport would drop (%s)', async (misbehaviour, kind, words) => {
    const { outcome } = await call(misbehaviour, 'write');
    expect(outcome).toMatchObject({ ok: false, attempts: 1, fault: { kind, executed: 'maybe' } });
    expect(outcome.ok ? '' : outcome.text).toContain(words);
  });

  it.each(['error-then-answer', 'log-then-answer', 'notification-then-answer'])(
    'waits for the answer, whatever is said without naming a request (%s)',
    async (form) => {
      expect((await call(form, 'write')).outcome).toMatchObject({
        ok: true,
        attempts: 1,
        result: { content: [{ text: 'paid' }] },
      });
    },
  );

  it.each([
    ['error-without-id', true],
    ['notification-then-nothing', false],
  ])('tells what was said without naming a request when no answer comes (%s)', async (form, isTold) => {
    const { outcome } = await call(form, 'write', { attemptTimeoutMs: 300 });
    expect(outcome).toMatchObject({ ok: false, attempts: 1, fault: { kind: 'timeout', executed: 'maybe' } });
    const words = outcome.ok ? '' : outcome.fault.message;
    expect(words.includes('; while the call waited, the server said without naming a request: ')).toBe(
      isTold,
    );
    expect(words.includes('Invalid Request')).toBe(isTold);
  });

  it.each(['member-more', 'no-version', 'bom'])('takes an answer that it would drop (%s)', async (form) => {
    expect((await call(form, 'write')).outcome).toMatchObject({
      ok: true,
      result: { content: [{ text: 'done' }] },
    });
  });

  it('reads past garbage to the answer', async () => {
    const { outcome } = await call('garbage', 'write');
    expect(outcome).toMatchObject({ ok: true, result: { content: [{ text: 'after garbage' }] } });
  });

  it('takes the first of two answers', async () => {
    const { outcome, alive } = await call('twice', 'write');
    expect(outcome).toMatchObject({ ok: true, result: { content: [{ text: 'first' }] } });
    expect(alive).toBe(true);
  });

  it('bounds an error of ten megabytes', async () => {
    const { outcome, alive } = await call('huge', 'write');
    expect(outcome.ok).toBe(false);
    expect(JSON.stringify(outcome).length).toBeLessThan(20_000);
    expect(alive).toBe(true);
  });

  it('gives a fault for a command that does not exist', async () => {
    const client = stdio(['/nowhere/at-all.ts', 'x'], { deadlineMs: 5000 });
    await expect(client.connect()).rejects.toMatchObject({ fault: { kind: 'disconnected' } });
  });

  it('does not connect again after it was closed', async () => {
    const client = stdio([SERVER, 'silent']);
    await client.connect();
    await client.close();
    expect(await client.call({ name: 'pid' })).toMatchObject({
      ok: false,
      fault: { kind: 'disconnected', origin: 'local', executed: 'no' },
    });
  });
});

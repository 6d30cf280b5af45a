import { describe, expect, it } from 'vitest';
import { peek } from '../framing/peek.ts';
import { Questions } from './questions.ts';

const question = (id: number | string, text: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'elicitation/create', params: { message: text } });
const yes = (id: unknown): string => JSON.stringify({ jsonrpc: '2.0', id, result: { action: 'accept' } });

function toClient(questions: Questions, message: string): { message: string; withdrawn: string | undefined } {
  const { message: said, withdrawn } = questions.toClient(Buffer.from(message));
  return { message: said.toString(), withdrawn: withdrawn?.toString() };
}

function toServer(questions: Questions, message: string): string | undefined {
  const body = Buffer.from(message);
  return questions.toServer({ body, peek: peek(body) })?.body.toString();
}

describe('what a server asks a client', () => {
  it('crosses as it came, and so does the answer', () => {
    const questions = new Questions();
    const asked = question(0, 'Really delete draft.txt?');
    expect(toClient(questions, asked)).toEqual({ message: asked, withdrawn: undefined });
    expect(toServer(questions, yes(0))).toBe(yes(0));
    expect(toClient(questions, asked)).toEqual({ message: asked, withdrawn: undefined });
  });

  it('is asked under another id while an older one of the same id is open, and that one is withdrawn', () => {
    const questions = new Questions();
    toClient(questions, question(0, 'Really delete draft.txt?'));
    const { message, withdrawn } = toClient(questions, question(0, 'Really delete ALL-CUSTOMERS?'));
    expect(message).toBe(question('0#1', 'Really delete ALL-CUSTOMERS?'));
    expect(withdrawn).toBe(
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":0,"reason":"The server that asked is gone"}}',
    );
    expect(toServer(questions, yes(0))).toBeUndefined();
    expect(toServer(questions, yes('0#1'))).toBe(yes(0));
  });

  it('stays apart over many lives of a server', () => {
    const questions = new Questions();
    const ids = ['draft', 'a', 'b', 'c'].map((text) => {
      const { message } = toClient(questions, question(0, text));
      return (JSON.parse(message) as { id: unknown }).id;
    });
    expect(new Set(ids).size).toBe(4);
    const last = ids.pop();
    expect(ids.map((id) => toServer(questions, yes(id)))).toEqual([undefined, undefined, undefined]);
    expect(toServer(questions, yes(last))).toBe(yes(0));
  });

  it('tells ids of text from numbers', () => {
    const questions = new Questions();
    toClient(questions, question(0, 'a'));
    expect(toClient(questions, question('0', 'b')).message).toBe(question('0', 'b'));
    expect([toServer(questions, yes('0')), toServer(questions, yes(0))]).toEqual([yes('0'), yes(0)]);
  });

  it('is withdrawn by the server under the id that the client knows', () => {
    const questions = new Questions();
    const cancel = (requestId: unknown): string =>
      JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
    toClient(questions, question(0, 'a'));
    toClient(questions, question(0, 'b'));
    expect(toClient(questions, cancel(0)).message).toBe(cancel('0#1'));
    expect(toServer(questions, yes('0#1'))).toBeUndefined();
    expect(toClient(questions, cancel(7)).message).toBe(cancel(7));
  });

  it('lets answers pass that nobody knows', () => {
    expect(toServer(new Questions(), yes(5))).toBe(yes(5));
  });
});

it('remembers a megabyte of ids', () => {
  const questions = new Questions();
  const long = (i: number): string => `${i}`.padEnd(60_000, 'x');
  for (let i = 0; i < 20; i++) toClient(questions, question(long(i), 'Really?'));
  const again = (i: number): boolean =>
    toClient(questions, question(long(i), 'Really?')).withdrawn !== undefined;
  // Whatever is not remembered is asked as if it were new.
  expect([again(0), again(19)]).toEqual([false, true]);
});

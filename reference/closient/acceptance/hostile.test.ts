import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assaultEndpoint, assaultPipe, foreignMembers, HOSTILE, REFUSED } from '../../acceptance/hostile.ts';
import { exchange } from '../../acceptance/http.ts';
import { SLOW } from '../../acceptance/program.ts';
import { serveStdio } from '../../acceptance/reference.ts';
import type { Pipe } from '../../acceptance/stdio.ts';
import type { Message } from '../../acceptance/wire.ts';
import { expectBadRequest } from './judge.ts';
import { type Desk, openDesk } from './provoke.ts';

let desk: Desk;
let pipe: Pipe;
beforeAll(async () => {
  desk = await openDesk();
  pipe = serveStdio('closient', desk.folder);
  await pipe.initialize();
}, SLOW);
afterAll(async () => {
  await pipe.close();
  await desk.close();
});

const malformed = HOSTILE.filter(({ kind }) => !['fails', 'silent'].includes(kind));
const others = HOSTILE.filter(({ kind }) => ['fails', 'silent'].includes(kind));

describe('malformed requests', () => {
  it.each(malformed)('CL-20: $name on stdio is -32100, and the connection goes on', async (hostile) => {
    const [answer, ...more] = await assaultPipe(pipe, hostile);
    expectBadRequest(answer);
    expect([hostile.id, null]).toContain(answer?.id);
    expect(more).toEqual([]);
  });

  it.each(malformed)('CL-20: $name over HTTP is -32100', async (hostile) => {
    const answer = await assaultEndpoint(desk.server.mcp, hostile);
    expectBadRequest(answer.messages[0]);
    expect([hostile.id, null]).toContain(answer.messages[0]?.id);
  });

  it.each(REFUSED)('CL-20 CL-3: $name is refused with $status, in the document’s words', async (question) => {
    const answer = await exchange(desk.server.mcp, question);
    expect(answer.status).toBe(question.status);
    const [message] = answer.messages;
    expect(message?.id).toBeNull();
    expect(message?.error?.code).toBe(question.status === 403 ? -32002 : -32100);
    expect(message?.error?.data?.error_code).toBe(question.status === 403 ? 'forbidden' : 'bad_request');
    expect(foreignMembers(message)).toEqual([]);
  });

  it('CL-20: a refused method says which one is right', async () => {
    const answer = await exchange(desk.server.mcp, { method: 'GET' });
    expect(String(answer.headers['allow'])).toContain('POST');
  });
});

describe('other hostile inputs', () => {
  it.each(others)(
    'CL-3 CL-26: $name on stdio fails or is let pass, and the connection goes on',
    async (hostile) => {
      const answers = await assaultPipe(pipe, hostile);
      expect(answers.length).toBe(hostile.kind === 'silent' ? 0 : 1);
      expect(answers.map(({ result, error }) => typeof (result?.error ?? error)?.code)).toEqual(
        answers.map(() => 'number'),
      );
      expect(foreignMembers(answers)).toEqual([]);
    },
  );

  it('CL-3: one id for two calls at once gives two answers', async () => {
    const before = pipe.received.length;
    const params = { name: 'resolve_gtin', arguments: { gtin: '00614141123452' } };
    pipe.send({ jsonrpc: '2.0', id: 'twin', method: 'tools/call', params });
    pipe.send({ jsonrpc: '2.0', id: 'twin', method: 'tools/call', params });
    const twins = (): Message[] => pipe.received.slice(before).filter(({ id }) => id === 'twin');
    await pipe.find(() => twins().length === 2);
    expect(twins().map(({ result, error }) => typeof (result?.error ?? error)?.code)).toEqual([
      'number',
      'number',
    ]);
  });

  it('CL-20: none of it makes the server grow', async () => {
    const huge = HOSTILE.find(({ kind }) => kind === 'too_large');
    if (!huge) {
      throw new Error('There must be a huge one');
    }
    const before = pipe.program.memory();
    for (let times = 0; times < 8; times += 1) {
      await assaultPipe(pipe, huge);
    }
    expect(pipe.program.memory() - before).toBeLessThan(120 * 1024 * 1024);
  });
});

/** What a task asks, and how far it is, comes to whoever waits for it, at whichever worker, once. */
import { randomUUID } from 'node:crypto';
import { CreateMessageRequestSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { faultOf, type Message, post } from '../support/http.ts';
import { ask, call, initialize } from '../support/messages.ts';
import { told } from '../support/prometheus.ts';
import {
  ANN,
  BOB,
  fresh,
  OPS,
  startTaskHouse,
  type TaskHouse,
  until,
  type Visitor,
} from '../support/tasks.ts';
import { stdio } from '../support/world.ts';

let house: TaskHouse;
/** Clients of Ann's that can be asked, at worker 1 and at worker 2. */
const asked: Asked[] = [];
/** Sessions of hers that could be asked, and have no stream open to hear it. */
const deaf: string[] = [];

/** A server that tells how far it is to whoever asks it for the result, under the token of that request. */
const TELLING = stdio({
  capabilities: { tools: {}, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } },
  on: {
    'tasks/result': [
      ...[1, 2, 3].map((progress) => ({
        events: [{ method: 'notifications/progress', params: { progressToken: '$TOKEN', progress } }],
      })),
      { answer: { result: { content: [{ type: 'text', text: 'told' }] } } },
    ],
  },
});

beforeAll(async () => {
  house = await startTaskHouse(2, { upstreams: { telling: TELLING } });
  asked.push(await askable(1), await askable(2));
  const capabilities = { elicitation: { form: {} }, sampling: {} };
  deaf.push(await house.open(ANN, 1, capabilities), await house.open(ANN, 2, capabilities));
});
afterAll(() => house.stop());

/** A client that can be asked, and what it was asked. */
interface Asked extends Visitor {
  /** The questions that came, as often as they came. */
  readonly questions: string[];
  /** Those that were withdrawn. */
  readonly withdrawn: string[];
  /** What it answers, by question; until then it thinks. */
  readonly answers: Map<string, string>;
}

// biome-ignore lint/suspicious/noExplicitAny: requests of two schemas, looked into by their literal paths
type Request = any;

async function askable(worker: number): Promise<Asked> {
  const [questions, withdrawn]: [string[], string[]] = [[], []];
  const answers = new Map<string, string>();
  const word = async (question: string, { signal }: { signal: AbortSignal }): Promise<string> => {
    questions.push(question);
    signal.addEventListener('abort', () => withdrawn.push(question));
    await until(() => answers.has(question), `an answer to ${question}`);
    return String(answers.get(question));
  };
  const visitor = await house.visit(ANN, worker, {
    capabilities: { elicitation: { form: {} }, sampling: {} },
    prepare: (client) => {
      client.setRequestHandler(ElicitRequestSchema, async ({ params }: Request, extra: Request) => ({
        action: 'accept',
        content: { word: await word(params.message, extra) },
      }));
      client.setRequestHandler(CreateMessageRequestSchema, async ({ params }: Request, extra: Request) => {
        const text = await word(params.messages[0].content.text, extra);
        return { role: 'assistant', model: 'm', content: { type: 'text', text } };
      });
    },
  });
  return { ...visitor, questions, withdrawn, answers };
}

/** A question of a task: what it is called, how it is put, and what its server hears when it is answered with `blue`. */
const QUESTIONS = [
  ['elicitation', (name: string): string => `A word for ${name}?`, 'accept blue'],
  ['sampling', (name: string): string => `A line for ${name}?`, 'blue'],
] as const;

const of = (list: readonly string[], question: string): number =>
  list.filter((one) => one === question).length;

/** A task of a session that nobody listens in. */
async function begin(worker: number, wish: object, session = deaf[worker - 1]): Promise<string> {
  const more = { task: { ttl: 600_000 }, _meta: { progressToken: 'of the call' } };
  const params = { name: 'work', arguments: wish, ...more };
  const { message } = await house.ask('tools/call', params, { key: ANN, session });
  return String(message['result']?.task.taskId);
}

it.each(QUESTIONS)(
  '%s: whoever waits at another worker is asked, once, and answers',
  async (asks, put, said) => {
    const [first, second] = asked as [Asked, Asked];
    for (const [here, waiting] of [
      [1, second],
      [2, first],
    ] as const) {
      const name = fresh(asks);
      const question = put(name);
      const taskId = await begin(here, { name, asks });
      await until(() => house.notes(name).includes('asks'), 'it asks');
      expect((await waiting.tasks.getTask(taskId)).status).toBe('input_required');
      waiting.answers.set(question, 'blue');
      const waited = waiting.result(taskId);
      await until(() => house.notes(name).includes(`heard ${said}`), 'it hears the answer');
      house.go(name);
      expect(await waited).toBe(`${name}: ${said}`);
      expect(of(waiting.questions, question)).toBe(1);
      expect(house.notes(name)).toEqual(['begun', 'asks', `heard ${said}`, 'done']);
    }
  },
);

it('all who wait are asked, once each; the first answer counts, and the others are told', async () => {
  const [first, second] = asked as [Asked, Asked];
  const name = fresh('many');
  const question = `A word for ${name}?`;
  const taskId = await begin(1, { name, asks: 'elicitation' });
  const waited = [second.result(taskId), second.result(taskId)];
  await until(() => of(second.questions, question) > 0, 'the one at worker 2 is asked');
  waited.push(first.result(taskId)); // comes later, and nobody has answered yet
  await until(() => of(first.questions, question) > 0, 'the one at worker 1 is asked');
  first.answers.set(question, 'red');
  await until(() => house.notes(name).includes('heard accept red'), 'it hears the first answer');
  await until(() => of(second.withdrawn, question) > 0, 'the question is withdrawn from the other');
  second.answers.set(question, 'late');
  house.go(name);
  expect(await Promise.all(waited)).toEqual(Array(3).fill(`${name}: accept red`));
  expect([of(first.questions, question), of(first.withdrawn, question)]).toEqual([1, 0]);
  expect([of(second.questions, question), of(second.withdrawn, question)]).toEqual([1, 1]);
  expect(house.notes(name)).toEqual(['begun', 'asks', 'heard accept red', 'done']);
});

it('who cannot be asked is told so, and the question waits for who can', async () => {
  const name = fresh('mute');
  const taskId = await begin(1, { name, asks: 'elicitation' });
  await until(() => house.notes(name).includes('asks'), 'it asks');
  const mute = await house.open(ANN, 2, { sampling: {} });
  for (const session of [mute, undefined, undefined]) {
    const { message } = await house.ask('tasks/result', { taskId }, { key: ANN, session });
    expect(faultOf(message)).toMatchObject({ kind: 'unsupported', retryable: false });
    expect(faultOf(message)['advice']).toContain('session');
  }
  const { message } = await house.ask('tasks/result', { taskId }, { key: BOB });
  expect(faultOf(message)['kind']).toBe('not_found');
  expect(house.notes(name)).toEqual(['begun', 'asks']);
  const [, able] = asked as [Asked, Asked];
  able.answers.set(`A word for ${name}?`, 'blue');
  house.go(name);
  expect(await able.result(taskId)).toBe(`${name}: accept blue`);
});

it('who has not said that it can be asked is not, in the session that began the task neither', async () => {
  const session = await house.open(ANN, 1, {});
  const name = fresh('mute');
  const taskId = await begin(1, { name, asks: 'elicitation' }, session);
  await until(() => house.notes(name).includes('asks'), 'it asks');
  const { message } = await house.ask('tasks/result', { taskId }, { key: ANN, session });
  expect(faultOf(message)).toMatchObject({ kind: 'unsupported', retryable: false });
  const [, able] = asked as [Asked, Asked];
  able.answers.set(`A word for ${name}?`, 'blue');
  house.go(name);
  expect(await able.result(taskId)).toBe(`${name}: accept blue`);
});

/** Waits until so many wait. */
async function waiting(count: number): Promise<void> {
  const active = async (): Promise<number> => {
    const samples = await told(house.gateway, 'mayday_calls_active', OPS);
    return samples.reduce((sum, { value }) => sum + Number(value), 0);
  };
  await until(async () => (await active()) >= count, `${count} wait`);
}

const steps = (messages: readonly Message[]): unknown[] =>
  messages.flatMap(({ method, params }) =>
    method === 'notifications/progress' ? [[params.progressToken, params.progress]] : [],
  );
const STEPS = [1, 2, 3].map((progress) => ['of the call', progress]);

it.each([
  ['the session that began it', 1],
  ['another session, at the other worker', 2],
] as const)('how far a task is comes to who waits: %s', async (_who, worker) => {
  const name = fresh('steps');
  const taskId = await begin(1, { name, steps: 3 });
  const waited = house.ask('tasks/result', { taskId }, { key: ANN, session: deaf[worker - 1] });
  await waiting(1);
  house.go(name);
  expect(steps((await waited).messages)).toEqual(STEPS);
});

it.each([1, 2])('and to all who wait, of a task at worker %d that tells it outright', async (worker) => {
  const name = fresh('outright');
  const taskId = await begin(worker, { name, steps: 3, outright: true });
  const waited = [...deaf, undefined].map((session) =>
    house.ask('tasks/result', { taskId }, { key: ANN, session }),
  );
  await waiting(3);
  house.go(name, 'tell');
  house.go(name);
  for (const { messages } of await Promise.all(waited)) expect(steps(messages)).toEqual(STEPS);
});

it('who waits with a token of its own hears how far the task is, at either worker, once', async () => {
  const url = `${house.gateway.url}/telling/mcp`;
  const sessions: Record<string, string> = {};
  for (let opened = 0; Object.keys(sessions).length < 2 && opened < 9; opened++) {
    const { headers } = await post(url, initialize(), { key: ANN });
    const id = String(headers['mcp-session-id']);
    sessions[id.slice(-2)] = id;
  }
  const times = { createdAt: '2026-11-17T00:00:00Z', lastUpdatedAt: '2026-11-17T00:00:00Z' };
  const task = { taskId: randomUUID(), status: 'working', ttl: 600_000, ...times };
  const request = call('echo', { script: [{ answer: { result: { task } } }] });
  const begun = { ...request, params: { ...request['params'], task: { ttl: 600_000 } } };
  const { message } = await post(url, begun, { key: ANN, session: sessions['w1'] });
  const { taskId } = message['result'].task;
  for (const session of Object.values(sessions)) {
    const wait = ask('tasks/result', { taskId, _meta: { progressToken: `mine-${session}` } }, 'waits');
    const { messages } = await post(url, wait, { key: ANN, session });
    expect(steps(messages)).toEqual([1, 2, 3].map((progress) => [`mine-${session}`, progress]));
    expect(messages.at(-1)).toMatchObject({ id: 'waits', result: { content: [{ text: 'told' }] } });
  }
});

it('who has begun it hears how far it is over its own stream', async () => {
  const [mine] = asked as [Asked, Asked];
  const name = fresh('steps');
  const heard: number[] = [];
  const onprogress = ({ progress }: { progress: number }): void => void heard.push(progress);
  const taskId = await mine.begin({ name, steps: 3, outright: true }, { onprogress });
  const waited = mine.result(taskId);
  house.go(name, 'tell');
  await until(() => heard.length >= 3, 'three steps');
  house.go(name);
  expect(await waited).toBe(`${name}: done`);
  expect(heard).toEqual([1, 2, 3]);
});

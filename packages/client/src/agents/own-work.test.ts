/** Tools of one's own, in every framework: what they throw or hand on says nothing about their own work. */
import { FaultError, fault, makeFault, toDocument } from '@mayday/core';
import { expect, it } from 'vitest';
import { resilientTools as aiTools } from './ai-sdk.ts';
import { resilientTools as langChainTools } from './langchain.ts';
import { resilientTools as mastraTools } from './mastra.ts';
import { resilientServer } from './openai-agents.ts';

const options = { upstream: { random: () => 0 }, deadlineMs: 2000 };
type Work = () => Promise<unknown>;

const FRAMEWORKS: { readonly [name: string]: (work: Work) => Promise<unknown> } = {
  'AI SDK': (work) =>
    (aiTools({ pay: { execute: work } } as never, options) as Tools)['pay']?.execute({}, {}) as never,
  Mastra: (work) =>
    (mastraTools({ pay: { execute: work } }, options) as unknown as Tools)['pay']?.execute({}, {}) as never,
  LangChain: (work) => {
    const tool = { name: 'pay', _call: work, invoke: async () => undefined };
    const [own] = langChainTools([tool], options) as unknown as { _call: Work }[];
    return (own as { _call: Work })._call();
  },
  'OpenAI Agents': (work) => {
    class Till {
      callTool(): Promise<unknown> {
        return work();
      }
    }
    return (resilientServer(new Till() as never, options) as Till).callTool();
  },
};

interface Tools {
  readonly [name: string]: { execute(...args: unknown[]): Promise<unknown> };
}

const thrown = (make: () => unknown) => (): never => {
  throw make();
};

const AFTERWARDS: { readonly [name: string]: () => unknown } = {
  'a kind': thrown(() => fault.unavailable('The mail service is down')),
  'a fault of another call': thrown(
    () => new FaultError(makeFault({ kind: 'rate_limited', executed: 'no', retry: { afterMs: 0 } })),
  ),
  'a refused connection': thrown(() => Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })),
  'a protocol error': thrown(() =>
    Object.assign(new Error('Unavailable'), {
      name: 'McpError',
      code: -32024,
      data: { reason: 'busy', notProcessed: true },
    }),
  ),
};

const RETURNED: { readonly [name: string]: () => unknown } = {
  "another server's result": () => ({
    isError: true,
    content: [{ type: 'text', text: 'busy' }],
    _meta: { 'dev.mayday/fault': toDocument(makeFault({ kind: 'unavailable', executed: 'no' })) },
  }),
};

const cases = (forms: object, names: readonly string[]): [string, string][] =>
  names.flatMap((framework) => Object.keys(forms).map((form): [string, string] => [framework, form]));

/** How often the work was done, and what its caller is told. */
async function told(framework: string, after: () => unknown): Promise<[number, FaultError]> {
  let booked = 0;
  const work = async (): Promise<unknown> => {
    booked += 1;
    return after();
  };
  const reason = await FRAMEWORKS[framework]?.(work).catch((error: unknown) => error);
  return [booked, reason as FaultError];
}

it.each(cases(AFTERWARDS, Object.keys(FRAMEWORKS)))(
  '%s: %s after the work is `maybe`',
  async (framework, form) => {
    const [booked, error] = await told(framework, AFTERWARDS[form] as () => unknown);
    expect(error.fault).toMatchObject({ executed: 'maybe' });
    expect(booked).toBe(1);
  },
);

it.each(cases(RETURNED, ['AI SDK', 'Mastra']))(
  '%s: %s after the work is `maybe`',
  async (framework, form) => {
    const [booked, error] = await told(framework, RETURNED[form] as () => unknown);
    expect(error.fault).toMatchObject({ executed: 'maybe' });
    expect(booked).toBe(1);
  },
);

it.each(Object.keys(FRAMEWORKS))('%s: the author’s own word counts', async (framework) => {
  let closed = true;
  const [booked] = await told(framework, () => {
    if (!closed) return { content: [] };
    closed = false;
    throw fault.unavailable('Closed', { executed: 'no' });
  });
  expect(booked).toBe(2);
});

import { expect, it } from 'vitest';
import { type Give, givingClient, NotGiven } from './giving-client.ts';
import type { HttpAnswer, HttpRequest } from './http-client.ts';
import { transportFault } from './transport-fault.ts';

const HEADERS = ['accept', '*/*', 'X-Key', 'of the caller', 'x-other', '1'];

/** Sends one request in Ann's name; what became of it. */
function sent(give: Give) {
  const requests: HttpRequest[] = [];
  const errors: [Error, boolean][] = [];
  const client = givingClient(
    {
      send(request) {
        requests.push(request);
        return () => undefined;
      },
      close: async () => undefined,
    },
    give,
  );
  const answer = { onError: (...told: [Error, boolean]) => errors.push(told) } as unknown as HttpAnswer;
  const request = {
    method: 'GET',
    path: '/',
    headers: HEADERS,
    callerName: 'ann',
    headersTimeoutMs: 0,
  } as const;
  const letGo = client.send(request, answer);
  return { requests, errors, letGo, settled: () => new Promise((resolve) => setImmediate(resolve)) };
}

it('puts what is given in place of what was there, at once where it is known', () => {
  const { requests } = sent((name) => ({ headers: { 'x-key': `of ${name}` } }));
  expect(requests[0]?.headers).toEqual(['accept', '*/*', 'x-other', '1', 'x-key', 'of ann']);
  const without = sent(() => ({ headers: { 'x-key': '' } }));
  expect(without.requests[0]?.headers).toEqual(['accept', '*/*', 'x-other', '1']);
});

it('sends nothing that is refused, and nothing that was let go while it waited', async () => {
  const fault = { kind: 'unauthenticated', executed: 'no', message: 'none' } as const;
  const refused = sent(async () => ({ refused: fault }));
  const gone = sent(async () => ({ headers: {} }));
  gone.letGo();
  await refused.settled();
  expect([refused.requests, gone.requests, gone.errors]).toEqual([[], [], []]);
  const [error, wasSent] = refused.errors[0] ?? [];
  expect([error instanceof NotGiven, wasSent, transportFault(error)]).toEqual([true, false, fault]);
});

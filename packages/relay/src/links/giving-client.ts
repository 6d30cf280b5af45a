/** A client that gives every request what belongs to its caller, looked up when the request goes out. */
import type { FaultInit } from '@mayday/core';
import type { HttpAnswer, HttpClient, HttpRequest } from './http-client.ts';

/** What goes along with a request in the name of its caller, or why it cannot be made. */
export type Given =
  /** In place of what the request has under these names, in lower case; an empty value removes it. */
  { readonly headers: { readonly [name: string]: string } } | { readonly refused: FaultInit };

/** Finds it, by the name of the caller where it has one. Never throws or rejects. */
export type Give = (callerName: string | undefined) => Given | Promise<Given>;

/** A request that was not made, because what it needs was not given. */
export class NotGiven extends Error {
  override readonly name: string = 'NotGiven';
  readonly fault: FaultInit;

  constructor(fault: FaultInit) {
    super(fault.message ?? fault.kind);
    this.fault = fault;
  }
}

/** The same client; requests wait until it is known what they are given. */
export function givingClient(client: HttpClient, give: Give): HttpClient {
  return {
    send(request, answer) {
      const given = give(request.callerName);
      return given instanceof Promise
        ? sendLater(client, request, answer, given)
        : sendGiven(client, request, answer, given);
    },
    close: () => client.close(),
  };
}

function sendLater(
  client: HttpClient,
  request: HttpRequest,
  answer: HttpAnswer,
  giving: Promise<Given>,
): () => void {
  let isLetGo = false;
  let letGo = (): void => {
    isLetGo = true;
  };
  void giving.then((given) => {
    if (!isLetGo) letGo = sendGiven(client, request, answer, given);
  });
  return () => letGo();
}

function sendGiven(client: HttpClient, request: HttpRequest, answer: HttpAnswer, given: Given): () => void {
  if ('headers' in given)
    return client.send({ ...request, headers: withGiven(request.headers, given.headers) }, answer);
  let isLetGo = false;
  // Told after whoever asked has got hold of the request.
  queueMicrotask(() => {
    if (!isLetGo) answer.onError(new NotGiven(given.refused), false);
  });
  return () => {
    isLetGo = true;
  };
}

function withGiven(headers: readonly string[], given: { readonly [name: string]: string }): string[] {
  const all: string[] = [];
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] ?? '';
    if (!Object.hasOwn(given, name.toLowerCase())) all.push(name, headers[i + 1] ?? '');
  }
  for (const [name, value] of Object.entries(given)) if (value !== '') all.push(name, value);
  return all;
}

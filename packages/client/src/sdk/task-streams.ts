/** v1's streams of a task's messages: what is no error of the SDK's becomes the text of one there, and loses its fault. */
import { faultOf } from '@mayday/core';
import { errorOf, type Raising } from './carry-fault.ts';

type Stream = (...args: unknown[]) => AsyncGenerator<StreamMessage>;

interface StreamMessage {
  readonly type: string;
  readonly error?: unknown;
}

type Asking = { request(...args: unknown[]): Promise<unknown> };

/** Gives the errors of a client's streams the faults that its requests were rejected with. */
export function keepFaultsInStreams(client: object, raising: Raising): void {
  const { requestStream } = client as { readonly requestStream?: Stream };
  if (typeof requestStream !== 'function') return;
  Object.assign(client, {
    async *requestStream(...args: unknown[]): AsyncGenerator<StreamMessage> {
      let rejected: unknown;
      const request = async (...asked: unknown[]): Promise<unknown> => {
        try {
          return await (client as Asking).request(...asked);
        } catch (thrown) {
          rejected = thrown;
          throw thrown;
        }
      };
      const noting = new Proxy(client, {
        get: (target, name) => (name === 'request' ? request : Reflect.get(target, name, target)),
      });
      for await (const message of requestStream.apply(noting, args))
        yield message.type === 'error' ? await withFault(message, rejected, raising) : message;
    },
  });
}

/** The error stays one of the SDK's. One that is about something else than the rejection stays as it is. */
async function withFault(
  message: StreamMessage,
  rejected: unknown,
  raising: Raising,
): Promise<StreamMessage> {
  const fault = faultOf(rejected);
  const { error } = message;
  const isIt = error instanceof Error && error.message.endsWith(String(rejected));
  if (fault === undefined || error === rejected || !isIt) return message;
  return { ...message, error: await errorOf({ ok: false, fault, thrown: error }, raising) };
}

/** What a wrapped client throws: a fault that is still the SDK's own error, for those who look for that. */
import { type Fault, FaultError, faultOf, toDocument } from '@mayday/core';
import type { Failed } from '@mayday/policy';
import {
  errorMessageIn,
  isObject,
  isStandIn,
  responseIn,
  type SeenResponse,
  withoutMarks,
} from '../http/reply.ts';

/** Codes by which an SDK tells what it raises itself. */
interface LocalCodes {
  readonly timeout: string | number;
  readonly disconnected: string | number;
}

/** How an SDK raises errors itself. */
export interface Raising {
  readonly codes: LocalCodes;
  /** The error for a failing response; `undefined` where the SDK throws what the server said. */
  httpError(response: SeenResponse, saidError: boolean): Promise<Error | undefined>;
}

/**
 * The error to throw for a failed call. It is a `FaultError`; where the SDK threw something, or would have without
 * our `fetch`, it is of that class too, with its `code` and `data`, and the original is its `cause`.
 */
export async function errorOf(outcome: Failed<unknown>, raising: Raising): Promise<FaultError> {
  const { fault } = outcome;
  const thrown = await thrownBySdk(outcome.thrown, raising);
  const error = new FaultError(fault, { cause: thrown });
  if (thrown !== undefined) hide(error, 'cause', thrown);
  if (thrown instanceof Error && faultOf(thrown) === undefined) return dressed(error, fault, thrown);
  const code = codeOf(fault, raising.codes);
  return code === undefined ? error : Object.assign(error, { code });
}

/** Our `fetch` hands a failing response on as an answer; the SDK would have thrown it. */
async function thrownBySdk(thrown: unknown, { httpError }: Raising): Promise<unknown> {
  const response = responseIn(thrown);
  if (response === undefined) return thrown;
  return (await httpError(response, !isStandIn(thrown))) ?? thrown;
}

/** The data of an error as the server meant it: without our marks, and with its own text where ours stands in for it. */
function dataOf(data: unknown): unknown {
  const text = isObject(data) ? data['text'] : undefined;
  const response = typeof text === 'string' ? responseIn(errorMessageIn(text)) : undefined;
  return response === undefined ? withoutMarks(data) : { ...(data as object), text: response.text };
}

/** Members that are the fault's own, or a new error's. */
const OWN: readonly PropertyKey[] = ['stack', 'message', 'cause', 'name'];

function dressed(error: FaultError, fault: Fault, thrown: Error): FaultError {
  for (const key of Reflect.ownKeys(thrown)) {
    const descriptor = Object.getOwnPropertyDescriptor(thrown, key);
    if (OWN.includes(key) || descriptor === undefined) continue;
    const isData = key === 'data' && 'value' in descriptor;
    Object.defineProperty(
      error,
      key,
      isData ? { ...descriptor, value: dataOf(descriptor.value) } : descriptor,
    );
  }
  Object.setPrototypeOf(error, Object.getPrototypeOf(thrown));
  hide(error, 'name', thrown.name);
  hide(error, 'fault', fault);
  hide(error, 'toJSON', () => toDocument(fault));
  return error;
}

/** Not enumerable: a spread or a logger that lists members does not come across it. */
function hide(error: object, name: string, value: unknown): void {
  Object.defineProperty(error, name, { value, configurable: true, writable: true });
}

function codeOf({ kind, origin }: Fault, codes: LocalCodes): string | number | undefined {
  if (origin !== 'local' && origin !== 'transport') return undefined;
  if (kind === 'timeout') return codes.timeout;
  return kind === 'disconnected' ? codes.disconnected : undefined;
}

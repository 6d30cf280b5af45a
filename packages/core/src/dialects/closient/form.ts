import type { Fault, Json, JsonObject } from '../../fault.ts';
import { ERROR_KEY, STATELESS_REVISION } from '../../protocol.ts';
import type { Form, FormContext, JsonRpcWire } from '../dialect.ts';
import {
  type ErrorObject,
  errorOf,
  isOutside,
  isUnknownMethod,
  untoldIssues,
  withError,
  withRest,
} from '../forming.ts';
import { write } from './write.ts';

/** Outside of tools the problem document goes out at the top. An unknown method is JSON-RPC's own, whose code it keeps. */
export const form: Form = (written, fault, context) => {
  if (isUnknownMethod(fault)) return withError(written, { code: -32601, message: fault.message });
  const { details = {}, ...plain } = fault;
  const isNative = fault.native?.dialect === 'closient';
  const bare = isNative ? fault : plain;
  const rest = isNative || context.ours || Object.keys(details).length === 0 ? {} : { details };
  if (isOutside(context)) {
    const error = errorFor(bare, context);
    return withError(written, errorOf(error.code, error.message, withRest(error.data, rest)));
  }
  return inResult(written, errorFor(bare, context), rest);
};

/** In a result the rest stands beside the document, in the meta. */
function inResult(written: JsonRpcWire, error: ErrorObject, rest: JsonObject): JsonRpcWire {
  const result: { [key: string]: Json } = { ...written.result, error: error as unknown as JsonObject };
  if (Object.keys(rest).length > 0) result['_meta'] = { [ERROR_KEY]: rest };
  return { ...written, result };
}

/**
 * A request that is wrong as such is a bad one: fields are what validation is about, so what is wrong with them is said
 * in words. The document names the status that it comes with (RFC 9457), also where its kind has another one.
 */
function errorFor(fault: Fault, { ofRequest, now, status }: FormContext): ErrorObject {
  const isBad =
    ofRequest && (fault.kind === 'invalid_arguments' || fault.kind === 'expired' || status === 400);
  const words = [fault.message, ...untoldIssues(fault.message, fault.issues)].join('; ');
  const said: Fault = isBad ? { ...fault, kind: 'invalid_request', message: words, issues: [] } : fault;
  const { wire } = write(said, { now, revision: STATELESS_REVISION, structuredContent: false });
  const error = (wire as JsonRpcWire).result?.['error'] as unknown as ErrorObject;
  return status === undefined ? error : { ...error, data: { ...(error.data as JsonObject), status } };
}

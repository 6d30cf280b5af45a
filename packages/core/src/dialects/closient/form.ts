import type { Fault, JsonObject } from '../../fault.ts';
import { STATELESS_REVISION } from '../../protocol.ts';
import type { Form, FormContext, JsonRpcWire } from '../dialect.ts';
import { type ErrorObject, isOutside, issueLine, isUnknownMethod, withError } from '../forming.ts';
import { write } from './write.ts';

/** Outside of tools the problem document goes out at the top. An unknown method is JSON-RPC's own, whose code it keeps. */
export const form: Form = (written, fault, context) => {
  if (isUnknownMethod(fault)) return withError(written, { code: -32601, message: fault.message });
  return isOutside(context) ? withError(written, errorFor(fault, context)) : written;
};

/**
 * A request that is wrong as such is a bad one: fields are what validation is about, so what is wrong with them is said
 * in words. The document names the status that it comes with (RFC 9457), also where its kind has another one.
 */
function errorFor(fault: Fault, { ofRequest, now, status }: FormContext): ErrorObject {
  const isBad = ofRequest && fault.kind === 'invalid_arguments';
  const words = [fault.message, ...fault.issues.map(issueLine)].join('; ');
  const said: Fault = isBad ? { ...fault, kind: 'invalid_request', message: words, issues: [] } : fault;
  const { wire } = write(said, { now, revision: STATELESS_REVISION, structuredContent: false });
  const error = (wire as JsonRpcWire).result?.['error'] as unknown as ErrorObject;
  return status === undefined ? error : { ...error, data: { ...(error.data as JsonObject), status } };
}

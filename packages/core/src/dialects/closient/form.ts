import type { Fault } from '../../fault.ts';
import { STATELESS_REVISION } from '../../protocol.ts';
import type { Form, FormContext, JsonRpcWire } from '../dialect.ts';
import { type ErrorObject, isOutside, issueLine, withError } from '../forming.ts';
import { write } from './write.ts';

/** Outside of tools the problem document goes out at the top. */
export const form: Form = (written, fault, context) =>
  isOutside(context) ? withError(written, errorFor(fault, context)) : written;

/**
 * A request that is wrong as such is a bad one: fields are what validation is about, so what is wrong with them is said
 * in words.
 */
function errorFor(fault: Fault, { ofRequest, now }: FormContext): ErrorObject {
  const isBad = ofRequest && fault.kind === 'invalid_arguments';
  const words = [fault.message, ...fault.issues.map(issueLine)].join('; ');
  const said: Fault = isBad ? { ...fault, kind: 'invalid_request', message: words, issues: [] } : fault;
  const { wire } = write(said, { now, revision: STATELESS_REVISION, structuredContent: false });
  return (wire as JsonRpcWire).result?.['error'] as unknown as ErrorObject;
}

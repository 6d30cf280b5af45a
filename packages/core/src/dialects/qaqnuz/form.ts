import type { Fault } from '../../fault.ts';
import { textContent } from '../answers.ts';
import type { Form, FormContext, JsonRpcWire } from '../dialect.ts';
import { type ErrorObject, isOutside, issueLine, isUnknownTool, withError } from '../forming.ts';
import { protocolForm } from '../mcp/write.ts';
import { sanitize } from './sanitize.ts';
import { TEXTS } from './sentences.ts';

/** Outside of tools the document has nothing of its own: it is the specification's code, and a sanitised sentence. */
export const form: Form = (written, fault, context) =>
  isOutside(context) ? withError(written, errorFor(fault, context)) : inOneText(written, fault, context);

function errorFor(fault: Fault, { ofRequest }: FormContext): ErrorObject {
  // What stands before every call and says no has no code of its own: the request was not one to serve.
  const isRefused = ofRequest && fault.reaction === 'permission';
  const code = isRefused ? -32600 : protocolForm(fault, '2026-07-28').code;
  return { code, message: sanitize(fault.message, fault.kind) };
}

/** Every issue in it, and of a tool that is not there no more than that it is out of reach. */
function inOneText(written: JsonRpcWire, fault: Fault, context: FormContext): JsonRpcWire {
  if (!context.ours) return written;
  const issues = fault.issues.length === 0 ? '' : `: ${fault.issues.map(issueLine).join('; ')}`;
  const text = isUnknownTool(fault, context)
    ? TEXTS.unreachable
    : sanitize(`${fault.message}${issues}`, fault.kind);
  return { ...written, result: { ...written.result, content: textContent(text) } };
}

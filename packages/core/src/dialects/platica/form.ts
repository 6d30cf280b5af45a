import type { Fault } from '../../fault.ts';
import type { Form } from '../dialect.ts';
import { isOutside, isUnknownTool, withError } from '../forming.ts';

/** Four codes for what cannot even be executed: an unhandled exception and an unknown tool are among it. */
export const form: Form = (written, fault, context) => {
  const unknownTool = isUnknownTool(fault, context);
  if (!isOutside(context) && !context.masked && !unknownTool) return written;
  return withError(written, { code: codeOf(fault, unknownTool), message: fault.message });
};

function codeOf({ kind, reaction }: Fault, unknownTool: boolean): number {
  if (kind === 'unauthenticated') return -32001;
  if (kind === 'unsupported') return -32000;
  return unknownTool || reaction === 'validation' || kind === 'not_found' ? -32602 : -32603;
}

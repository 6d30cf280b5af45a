import { documentOf } from '../../document.ts';
import type { Fault } from '../../fault.ts';
import { placementFor } from '../../placement.ts';
import { FAULT_KEY } from '../../protocol.ts';
import { errorResponse, resultResponse } from '../answers.ts';
import type { WriteContext, Written } from '../dialect.ts';
import { protocolForm, toolResult } from '../mcp/write.ts';

/** The specification's form, with the whole document where the specification leaves room. */
export function write(fault: Fault, context: WriteContext): Written {
  const document = documentOf(fault);
  if (placementFor(fault, context) === 'tool') {
    return resultResponse(context, {
      ...toolResult(fault, context.revision),
      _meta: { [FAULT_KEY]: document },
    });
  }
  const { code, data } = protocolForm(fault, context.revision);
  return errorResponse(context, code, fault.message, { ...data, ...document });
}

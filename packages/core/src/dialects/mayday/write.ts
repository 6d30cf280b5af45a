import { toDocument } from '../../document.ts';
import type { Fault } from '../../fault.ts';
import { placementFor } from '../../placement.ts';
import { errorResponse, resultResponse, type WriteContext, type Written } from '../dialect.ts';
import { protocolForm, toolResult, withoutNullId } from '../mcp/write.ts';
import { META_KEY } from './read.ts';

/** The specification's form, with the whole document where the specification leaves room. */
export function write(fault: Fault, context: WriteContext): Written {
  const safe = withoutNullId(context);
  const document = toDocument(fault);
  if (placementFor(fault, context) === 'tool') {
    return resultResponse(safe, { ...toolResult(fault, context.revision), _meta: { [META_KEY]: document } });
  }
  const { code, data } = protocolForm(fault, context.revision);
  return errorResponse(safe, code, fault.message, { ...data, ...document });
}

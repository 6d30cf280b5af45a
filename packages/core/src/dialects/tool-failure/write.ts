import type { Fault, Json } from '../../fault.ts';
import { placementFor } from '../../placement.ts';
import { TOOL_FAILURE_KEY } from '../../protocol.ts';
import { randomId } from '../../random-id.ts';
import { adviceFor } from '../../render/for-model.ts';
import { resultResponse } from '../answers.ts';
import type { WriteContext, Written } from '../dialect.ts';
import { mcp20260728 } from '../mcp/index.ts';
import { toolResult } from '../mcp/write.ts';
import { pickRow } from '../rows.ts';
import { CLASS_OF_REACTION, codes } from './codes.ts';

/** A tool result with the classification in `_meta`. Protocol errors have no place for one. */
export function write(fault: Fault, context: WriteContext): Written {
  if (placementFor(fault, context) === 'protocol') return mcp20260728.write(fault, context);
  const failure: { [key: string]: Json } = {
    class: CLASS_OF_REACTION[fault.reaction],
    code: (pickRow(codes, fault, 'tool-failure')?.code ?? fault.kind) as string,
  };
  if (fault.retryable) failure['retryable'] = true;
  if (fault.retryable && fault.retry.afterMs !== undefined)
    failure['retryNotBefore'] = context.now + fault.retry.afterMs;
  failure['correlationId'] = fault.correlationId ?? context.correlationId ?? randomId();
  failure['agentGuidance'] = adviceFor(fault);
  return resultResponse(context, {
    ...toolResult(fault, context.revision),
    _meta: { [TOOL_FAILURE_KEY]: failure },
  });
}

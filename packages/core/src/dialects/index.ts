/** All dialects, and what it takes to write one of your own. */
import { closient } from './closient/index.ts';
import type { Dialect } from './dialect.ts';
import { erlmcp } from './erlmcp/index.ts';
import { mayday } from './mayday/index.ts';
import { mcp, mcp20251125, mcp20260728, mcpDraft } from './mcp/index.ts';
import { onx } from './onx/index.ts';
import { platica } from './platica/index.ts';
import { problem } from './problem/index.ts';
import { qaqnuz } from './qaqnuz/index.ts';
import { toolFailure } from './tool-failure/index.ts';

export { look } from '../wire/look.ts';
export type { Placement, Wire } from '../wire/wire.ts';
export { errorResponse, resultResponse, textContent } from './answers.ts';
export {
  type CodeRow,
  type Dialect,
  type DialectId,
  type Evidence,
  type Foreign,
  type Form,
  type FormContext,
  failureMarks,
  type Heard,
  type HttpWire,
  isOfHttp,
  type JsonRpcWire,
  type KnownDialectId,
  type ReadContext,
  statusOfCode,
  type WriteContext,
  type Written,
  type WrittenWire,
} from './dialect.ts';
export { byCode, pickRow } from './rows.ts';

/** Every dialect, under every name it has. */
export const DIALECTS: readonly Dialect[] = [
  closient,
  onx,
  erlmcp,
  qaqnuz,
  platica,
  mcp,
  mcp20260728,
  mcp20251125,
  mcpDraft,
  problem,
  toolFailure,
  mayday,
];

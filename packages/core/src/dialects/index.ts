/** All dialects. */
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

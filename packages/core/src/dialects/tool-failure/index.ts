/** The draft extension that classifies tool failures in `_meta`. */
import type { Dialect } from '../dialect.ts';
import { mcp20260728 } from '../mcp/index.ts';
import { codes } from './codes.ts';
import { read } from './read.ts';
import { recognise } from './recognise.ts';
import { write } from './write.ts';

/** The dialect. */
export const toolFailure: Dialect = {
  id: 'tool-failure',
  title: 'ToolFailure extension, draft',
  codes,
  recognise,
  // What has no classification is plain MCP.
  read: (wire, context) => read(wire, context) ?? mcp20260728.read(wire, context),
  write,
};

/** The draft extension that classifies tool failures in `_meta`. */
import { TOOL_FAILURE_KEY } from '../../protocol.ts';
import type { Dialect } from '../dialect.ts';
import { mcp20260728 } from '../mcp/index.ts';
import { codes } from './codes.ts';
import { failureIn, read } from './read.ts';
import { recognise } from './recognise.ts';
import { write } from './write.ts';

/** The dialect. */
export const toolFailure: Dialect = {
  id: 'tool-failure',
  title: 'tool failure extension (draft)',
  shape: 'tool result with isError',
  tell: `_meta["${TOOL_FAILURE_KEY}"]`,
  codes,
  recognise,
  // What has no classification is plain MCP.
  read: (wire, context) => read(wire, context) ?? mcp20260728.read(wire, context),
  write,
  extendsProtocol: true,
  classifies: true,
  places: ['protocol', 'tool'],
  unknownId: 'absent',
  fails: (wire) => failureIn(wire) !== undefined,
  failureMarks: ['toolFailure'],
};

/** Frames of a trace as frameworks put them into JSON: `{"file": "/srv/x.php", "line": 33, "function": "handle"}`. */
import type { Entry, Node } from './nodes.ts';

const FILE = /^(?:file|file_?name|abs_?path|source_?file)$/i;
const LINE = /^(?:line|line_?no|line_?number)$/i;
/** What holds frames, or stands beside the first of them. A linter says files and lines too, and needs them read. */
const TRACE = /^(?:traces?|stack|stack_?trace|frames|back_?trace|traceback|exceptions?|.{0,24} trace)$/i;
const HIGHEST = 3;

/** May a member of this name be the file of a frame? */
export function isFrameFile(key: string): boolean {
  return FILE.test(key);
}

/** May a member of this name be the line of a frame? */
export function isFrameLine(key: string): boolean {
  return LINE.test(key);
}

/** The entry that names the file of a frame, if a container is one. */
export function frameFile(node: Node): Entry | undefined {
  const file = node.entries.find(({ key, leaf }) => typeof leaf === 'string' && FILE.test(String(key)));
  const isFrame = file !== undefined && node.entries.some(({ key }) => LINE.test(String(key)));
  return isFrame && isOfTrace(node) ? file : undefined;
}

function isOfTrace(node: Node): boolean {
  if (node.entries.some(({ key }) => TRACE.test(String(key)))) {
    return true;
  }
  let at: Node | undefined = node;
  for (let height = 0; at && height < HIGHEST; height++) {
    if (TRACE.test(String(at.key))) {
      return true;
    }
    at = at.parent;
  }
  return false;
}

/** Lists of tools as callers see them. What is not exchanged stays as the bytes that came. */
import {
  decode,
  elementsOf,
  encode,
  isMembers,
  locate,
  resultOf,
  skipSpace,
  splice,
  valuesOf,
} from '@mayday/relay';
import { isSound } from '../call/sound-list.ts';
import type { Shape } from './shape.ts';

/** A message with its list of tools in this shape; every other message as it is. `undefined`: one that hides something. */
export function shapeList(message: Buffer, shape: Shape): Buffer | undefined {
  if (!isSound(message, ['tools'])) return undefined;
  const tools = resultOf(decode(message))?.['tools'];
  const list = locate(message, skipSpace(message, 0), 'result', 'tools');
  if (!Array.isArray(tools) || list === undefined) return message;
  let isSame = true;
  const kept: Buffer[] = [];
  for (const [i, { start, end }] of elementsOf(message, list.start).entries()) {
    const tool = message.subarray(start, end);
    const shaped = shapeTool(tool, tools[i], shape);
    if (shaped !== undefined) kept.push(shaped);
    isSame &&= shaped === tool;
  }
  return isSame ? message : splice(message, [list], Buffer.from(`[${kept.map(String).join(',')}]`));
}

/** A tool as callers see it; `undefined` where they do not. One without a name can be called by nobody. */
function shapeTool(bytes: Buffer, tool: unknown, shape: Shape): Buffer | undefined {
  const own = isMembers(tool) ? tool['name'] : undefined;
  const name = typeof own === 'string' ? shape.shown(own) : undefined;
  if (typeof own !== 'string' || name === undefined) return undefined;
  const named = name === own ? bytes : splice(bytes, valuesOf(bytes, 0, 'name'), encode(name));
  const description = shape.description(own);
  return description === undefined ? named : withDescription(named, encode(description));
}

function withDescription(tool: Buffer, description: Buffer): Buffer {
  const said = valuesOf(tool, 0, 'description');
  if (said.length > 0) return splice(tool, said, description);
  return splice(tool, [{ start: 1, end: 1 }], Buffer.concat([KEY, description, COMMA]));
}

const KEY = Buffer.from('"description":');
const COMMA = Buffer.from(',');

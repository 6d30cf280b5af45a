/** Long lists in JSON, a part at a time: nobody waits for the whole of one. */
import { encodeExact } from '@mayday/relay';

/** So many elements at a time. */
const SLICE = 250;

/** The same bytes as at once; between two parts of a list that is long, others have their turn. */
export async function encodedInTurns(body: object): Promise<Buffer> {
  const members = Object.entries(body).filter(([, value]) => value !== undefined);
  const isLong = ([, value]: (typeof members)[number]): boolean =>
    Array.isArray(value) && value.length > SLICE;
  if (!members.some(isLong)) return encodeExact(body);
  const parts: Buffer[] = [];
  for (const member of members) {
    const [name, value] = member;
    parts.push(Buffer.from(`${parts.length === 0 ? '{' : ','}${JSON.stringify(name)}:`));
    if (isLong(member)) parts.push(...(await elements(value)));
    else parts.push(encodeExact(value));
  }
  return Buffer.concat([...parts, Buffer.from('}')]);
}

async function elements(list: readonly unknown[]): Promise<readonly Buffer[]> {
  const parts: Buffer[] = [];
  for (let i = 0; i < list.length; i += SLICE) {
    const inside = encodeExact(list.slice(i, i + SLICE)).subarray(1, -1);
    parts.push(Buffer.from(i === 0 ? '[' : ','), inside);
    await new Promise(setImmediate);
  }
  return [...parts, Buffer.from(']')];
}

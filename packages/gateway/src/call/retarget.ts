/** The same call of something else: under another name, and perhaps with other arguments. */
import {
  decode,
  encode,
  encodeHeader,
  isMembers,
  locate,
  type Members,
  peek,
  type Range,
  splice,
  valuesOf,
  type WireCall,
} from '@mayday/relay';

/** What is exchanged in a call: where in `params` it stands, and the bytes that stand there then. */
interface Exchange {
  readonly path: readonly [string, ...string[]];
  readonly bytes: Buffer;
}

/** The call under the name by which its server knows what is called; everything else in it stays to the letter. */
export function renamed(call: WireCall, name: string, path: Exchange['path'] = ['name']): WireCall {
  return exchanged(call, name, [{ path, bytes: encode(name) }]);
}

/** The call of a tool that was named in the arguments of another: with the arguments that were meant for it. */
export function retargeted(call: WireCall, name: string, args: Buffer): WireCall {
  const into: readonly Exchange[] = [
    { path: ['name'], bytes: encode(name) },
    { path: ['arguments'], bytes: args },
  ];
  return exchanged(call, name, into);
}

function exchanged(call: WireCall, target: string, exchanges: readonly Exchange[]): WireCall {
  const places = exchanges.flatMap(({ path, bytes }) =>
    rangesOf(call, path).map((range) => ({ range, bytes })),
  );
  // From the back, so that what is in front stays where it is.
  places.sort((a, b) => b.range.start - a.range.start);
  const body = places.reduce((message, { range, bytes }) => splice(message, [range], bytes), call.body);
  const seen = peek(body);
  const inside = (): Members | undefined => {
    const params = seen.paramsStart < 0 ? undefined : decode(body.subarray(seen.paramsStart, seen.paramsEnd));
    return isMembers(params) ? params : undefined;
  };
  return { ...call, ...headersFor(call, target), body, peek: seen, params: once(inside), target };
}

function rangesOf({ body, peek: seen }: WireCall, path: Exchange['path']): readonly Range[] {
  const outer = path.slice(0, -1);
  const holder = outer.length === 0 ? seen.paramsStart : locate(body, seen.paramsStart, ...outer)?.start;
  return valuesOf(body, holder ?? -1, path.at(-1) ?? '');
}

const NAME_HEADER = 'mcp-name';

/** What the headers repeat of the message is what it says now. */
function headersFor(call: WireCall, name: string): Pick<WireCall, 'headers' | 'rawHeaders'> {
  const { headers, rawHeaders } = call;
  if (headers[NAME_HEADER] === undefined) return { headers, rawHeaders };
  const value = encodeHeader(name);
  const raw = rawHeaders.map((one, i) =>
    i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === NAME_HEADER ? value : one,
  );
  return { headers: { ...headers, [NAME_HEADER]: value }, rawHeaders: raw };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

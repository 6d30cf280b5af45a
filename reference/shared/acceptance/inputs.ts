/** What no well-behaved client sends, and what becomes of it. */

/** What a server makes of a message: its own code for that, a failed tool where it has none, or an answer to a ping. */
export type Meaning = 'parse' | 'request' | 'params' | 'too_large' | 'tool' | 'method' | 'fine';

/** The id that an answer carries, and what it says. */
export type Expected = readonly [id: string | null, meaning: Meaning];

/** One input: a line, or several at once; over HTTP each is a body of its own. */
export interface Input {
  readonly name: string;
  readonly lines: readonly (string | Buffer)[];
  readonly stdio: readonly Expected[];
  /** The same as on stdio, unless said otherwise. */
  readonly http?: readonly Expected[];
  /** Where erlmcp differs: it takes batches, and has a conversation of its own. */
  readonly erlmcp?: { readonly stdio: readonly Expected[]; readonly http: readonly Expected[] };
  /** Costs so much that it is sent once. */
  readonly isHeavy?: true;
}

const deep = '['.repeat(100_000) + ']'.repeat(100_000);
const megabytes = (count: number): string => 'x'.repeat(count * 1024 * 1024);
const rpc = (id: string, rest: object): string => JSON.stringify({ jsonrpc: '2.0', id, ...rest });
const ping = (id: string): string => rpc(id, { method: 'ping' });
const NO_REQUEST: readonly Expected[] = [[null, 'request']];
const NO_JSON: readonly Expected[] = [[null, 'parse']];
const [HEAD, TAIL] = [Buffer.from('{"jsonrpc":"2.0","id":1,"method":"pi'), Buffer.from('"}')];

/** Every input, by what is wrong with it. */
export const INPUTS: readonly Input[] = [
  {
    name: 'huge',
    lines: [rpc('huge', { method: 'ping', params: { padding: megabytes(17) } })],
    stdio: [['huge', 'too_large']],
    http: [[null, 'too_large']],
    erlmcp: { stdio: [['huge', 'too_large']], http: [['huge', 'too_large']] },
    isHeavy: true,
  },
  {
    name: 'deep',
    lines: [
      `{"jsonrpc":"2.0","id":"deep","method":"tools/call","params":{"name":"nope","arguments":{"a":${deep}}}}`,
    ],
    stdio: [['deep', 'tool']],
    isHeavy: true,
  },
  {
    name: 'deep where nobody looks',
    lines: [`{"jsonrpc":"2.0","id":"meta","method":"ping","params":{"_meta":{"a":${deep}}}}`],
    stdio: [['meta', 'fine']],
    isHeavy: true,
  },
  { name: 'a truncated message', lines: ['{"jsonrpc":"2.0","id":1,"method":"pi'], stdio: NO_JSON },
  {
    name: 'half a message, then the other half',
    lines: ['{"jsonrpc":"2.0","id":1,', '"method":"ping"}'],
    stdio: [...NO_JSON, ...NO_JSON],
  },
  {
    name: 'text for params',
    lines: [rpc('type', { method: 'tools/call', params: 'x' })],
    stdio: [['type', 'params']],
  },
  { name: 'a number for a message', lines: ['42'], stdio: NO_REQUEST },
  {
    name: 'a batch',
    lines: [`[${ping('b1')},7,{"jsonrpc":"2.0","id":"b3"}]`],
    stdio: NO_REQUEST,
    erlmcp: {
      stdio: [['b1', 'fine'], ...NO_REQUEST, ['b3', 'request']],
      http: [['b1', 'fine'], ...NO_REQUEST, ['b3', 'request']],
    },
  },
  { name: 'an empty batch', lines: ['[]'], stdio: NO_REQUEST },
  {
    name: 'bytes that are no UTF-8',
    lines: [Buffer.concat([HEAD, Buffer.from([0xff, 0xfe]), TAIL])],
    stdio: NO_JSON,
  },
  { name: 'a byte order mark', lines: [`\uFEFF${ping('bom')}`], stdio: [['bom', 'fine']] },
  { name: 'NaN', lines: ['{"jsonrpc":"2.0","id":NaN,"method":"ping"}'], stdio: NO_JSON },
  { name: 'an empty line', lines: [''], stdio: [], http: NO_JSON },
  {
    name: 'an unknown method',
    lines: [rpc('unknown', { method: 'nope/nothing' })],
    stdio: [['unknown', 'method']],
  },
  {
    name: 'a method named like a member of every object',
    lines: [rpc('member', { method: '__proto__' })],
    stdio: [['member', 'method']],
  },
  {
    name: 'a method of half a megabyte',
    lines: [rpc('long', { method: 'm'.repeat(500_000) })],
    stdio: [['long', 'method']],
    isHeavy: true,
  },
  { name: 'null for an id', lines: ['{"jsonrpc":"2.0","id":null,"method":"ping"}'], stdio: NO_REQUEST },
  { name: 'an object for an id', lines: ['{"jsonrpc":"2.0","id":{},"method":"ping"}'], stdio: NO_REQUEST },
  {
    name: 'an id beyond all numbers',
    lines: ['{"jsonrpc":"2.0","id":1e999,"method":"ping"}'],
    stdio: NO_REQUEST,
  },
  {
    name: 'an id that no number here can hold',
    lines: ['{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}'],
    stdio: NO_REQUEST,
  },
  {
    name: 'a member twice',
    lines: ['{"jsonrpc":"2.0","id":"first","id":"second","method":"ping"}'],
    stdio: [['second', 'fine']],
  },
  {
    name: '`__proto__` in arguments',
    lines: [
      '{"jsonrpc":"2.0","id":"own","method":"tools/call","params":{"name":"__proto__","arguments":{"__proto__":{"x":1}}}}',
    ],
    stdio: [['own', 'tool']],
  },
  {
    name: '`__proto__` in the message itself',
    lines: ['{"jsonrpc":"2.0","id":"outer","method":"ping","__proto__":{"id":7}}'],
    stdio: [['outer', 'fine']],
    http: [['outer', 'request']],
    erlmcp: { stdio: [['outer', 'fine']], http: [['outer', 'fine']] },
  },
  {
    name: 'half a character and a NUL',
    lines: [
      '{"jsonrpc":"2.0","id":"nul","method":"tools/call","params":{"name":"\\ud800\\u0000","arguments":{}}}',
    ],
    stdio: [['nul', 'tool']],
  },
  { name: 'a result that nobody asked for', lines: [rpc('unasked', { result: {} })], stdio: [] },
  {
    name: 'an error that nobody asked for',
    lines: [rpc('unasked', { error: { code: -1, message: 'no' } })],
    stdio: [],
  },
  { name: 'a notification nobody knows', lines: ['{"jsonrpc":"2.0","method":"nope"}'], stdio: [] },
  {
    name: 'the end of a request that never was',
    lines: ['{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"never"}}'],
    stdio: [],
  },
];

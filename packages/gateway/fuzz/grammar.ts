/** Messages as callers send them, most of them nearly right. */
import { mutated } from './mutate.ts';
import type { Random } from './random.ts';
import { anyValue, longText, mostly, nested, slowText } from './values.ts';

/** Where a message goes: an own endpoint of one upstream, or the joined one. */
export interface Endpoint {
  readonly path: string;
  /** Tools by the name they have there. */
  readonly tools: readonly string[];
  /** The upstream answers as asked, however odd the request. */
  readonly calm: boolean;
}

const METHODS = [
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'logging/setLevel',
  'ping',
  'resources/subscribe',
  'resources/unsubscribe',
  'server/discover',
  'tasks/list',
  'tasks/get',
  'constructor',
  '__proto__',
  'no/such',
];
const NOTES = [
  'notifications/cancelled',
  'notifications/progress',
  'notifications/initialized',
  'notifications/roots/list_changed',
  'notifications/nope',
];
const IDS = ['1', '0', '-7', '"a"', '"1"', '""', '"\\ud800"', '9007199254740991', '"__proto__"', '1.5'];
const ODD_IDS = ['null', '{"toString":1}', '[]', 'true', '1e999', '{}', '[[1]]', 'NaN', '9007199254740993'];
const ENVELOPE =
  '"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"f","version":"1"}';

/** The body of one message. */
export function anyBody(random: Random, endpoint: Endpoint, modern: boolean): Buffer {
  const text = anyMessage(random, endpoint, modern);
  const bytes = Buffer.from(text);
  const roll = random.int(100);
  if (roll < 14) return mutated(random, bytes);
  if (roll < 15) return Buffer.concat([Buffer.from('\ufeff'), bytes]);
  if (roll < 16) return Buffer.from(text, random.pick(['utf16le', 'latin1', 'base64']));
  return bytes;
}

function anyMessage(random: Random, endpoint: Endpoint, modern: boolean): string {
  const roll = random.int(100);
  if (roll < 72) return toolCall(random, endpoint, modern);
  if (roll < 84) return request(random, random.pick(METHODS), otherParams(random, modern));
  if (roll < 88) return note(random);
  if (roll < 92) return response(random);
  if (roll < 94)
    return `[${Array.from({ length: random.int(3) }, () => toolCall(random, endpoint, modern)).join(',')}]`;
  if (roll < 95) return request(random, 'initialize', initialize(random));
  return anyValue(random, 5);
}

function toolCall(random: Random, endpoint: Endpoint, modern: boolean): string {
  const name = mostly(random, `"${random.pick(endpoint.tools)}"`, 0.96);
  const members = [
    `"name":${name}`,
    `"arguments":${toolArguments(random)}`,
    `"_meta":${meta(random, modern)}`,
  ];
  if (random.chance(0.05))
    members.push(`"${random.pick(['name', 'n\\u0061me', '_meta', 'arguments'])}":${anyValue(random)}`);
  if (random.chance(0.2)) members.reverse();
  return request(random, 'tools/call', random.chance(0.97) ? `{${members.join(',')}}` : anyValue(random));
}

function toolArguments(random: Random): string {
  const roll = random.int(1000);
  const plan = `"plan":${random.int(0x7fffffff)}`;
  if (roll < 800) return `{${plan},"text":"t"}`;
  if (roll < 900) return `{"text":${anyValue(random)},${plan}}`;
  if (roll < 980) return anyValue(random, 4);
  if (roll < 990) return `{${plan},"text":${slowText(random)}}`;
  if (roll < 997) return `{${plan},"text":${longText(random)}}`;
  return `{${plan},"text":${nested(random)}}`;
}

function meta(random: Random, modern: boolean): string {
  const members = modern ? [ENVELOPE] : [];
  if (random.chance(0.5)) members.push(`"progressToken":${mostly(random, random.pick(IDS), 0.9)}`);
  if (random.chance(0.05))
    members.push(`"dev.mayday/idempotency-key":${mostly(random, `"k${random.int(50)}"`, 0.7)}`);
  if (random.chance(0.05)) members.push(`"dev.mayday/attempt":${anyValue(random, 1)}`);
  if (random.chance(0.03)) members.push(`"clientInfo":{"name":"wild_fuzz"}`);
  if (random.chance(0.002)) members.push(`"deep":${nested(random)}`);
  return random.chance(0.97) ? `{${members.join(',')}}` : anyValue(random);
}

function request(random: Random, method: string, params: string): string {
  const id = random.chance(0.95) ? random.pick(IDS) : random.pick(ODD_IDS);
  const members = [
    `"jsonrpc":${mostly(random, '"2.0"', 0.99)}`,
    `"id":${id}`,
    `"method":${mostly(random, `"${method}"`, 0.98)}`,
    `"params":${params}`,
  ];
  if (random.chance(0.1)) members.reverse();
  return `{${members.join(',')}}`;
}

function otherParams(random: Random, modern: boolean): string {
  const members = [`"_meta":${meta(random, modern)}`];
  if (random.chance(0.3)) members.push(`"uri":${mostly(random, `"test://${random.int(1e9)}"`, 0.8)}`);
  if (random.chance(0.3)) members.push(`"cursor":${mostly(random, '"1"', 0.5)}`);
  if (random.chance(0.3)) members.push(`"name":${mostly(random, '"hello"', 0.6)}`);
  if (random.chance(0.1)) members.push(`"plan":${random.int(0x7fffffff)}`);
  return random.chance(0.93) ? `{${members.join(',')}}` : anyValue(random);
}

function initialize(random: Random): string {
  const version = mostly(random, random.pick(['"2025-11-25"', '"2025-06-18"', '"1999-01-01"']), 0.9);
  return `{"protocolVersion":${version},"capabilities":${mostly(random, '{"sampling":{}}', 0.8)},"clientInfo":{"name":"f","version":"1"}}`;
}

function note(random: Random): string {
  const target = random.pick([...IDS, ...ODD_IDS]);
  const params = `{"requestId":${target},"progressToken":${target},"progress":${anyValue(random, 0)},"reason":"r"}`;
  return `{"jsonrpc":"2.0","method":"${random.pick(NOTES)}","params":${mostly(random, params, 0.85)}}`;
}

function response(random: Random): string {
  const id = random.pick([...IDS, ...ODD_IDS, '"s:1"', '"wild:\\"ask-1\\""']);
  const rest = random.chance(0.6)
    ? `"result":${anyValue(random)}`
    : `"error":${mostly(random, '{"code":1,"message":"no"}', 0.5)}`;
  return `{"jsonrpc":"2.0","id":${id},${rest}}`;
}

/** Calls that no server has got: guards stand around a function of one's own, and hold whatever the call is called. */
import { STATELESS_REVISION } from '@mayday/core/protocol';
import { nearest } from '../boundary/nearest.ts';
import { type Call, metaOf } from '../call.ts';
import type { Message } from '../shapes.ts';
import { isFollowing } from './methods.ts';

const ALONE: unique symbol = Symbol('alone');

/** Is there no server, and so no protocol that says which calls a guard is about? */
export function isAlone(call: Call): boolean {
  return (call as { readonly [ALONE]?: boolean })[ALONE] === true;
}

/** Does it only follow on work that was asked for before? Nobody's function does. */
export function followsOn(call: Call): boolean {
  return isFollowing(call.method) && !isAlone(call);
}

/** The call, with what is not known of it filled in. Who calls is noted in what was given, too. */
export function wholeCall(given: Partial<Call>): Call {
  const { name, tool, auth, message, header, meta } = checked(given);
  const made = messageOf(given);
  let principal = given.principal ?? auth?.clientId;
  let scopes = given.scopes ?? auth?.scopes ?? [];
  return {
    ...given,
    [ALONE]: true,
    id: given.id ?? 0,
    method: made.method as string,
    name: name ?? undefined,
    arguments: given.arguments,
    message: message ?? made,
    revision: given.revision ?? STATELESS_REVISION,
    auth: auth ?? undefined,
    // Whoever makes the call knows that there is what it names.
    tool: 'tool' in given ? (tool ?? undefined) : { enabled: true },
    header: (one) => header?.call(given, one),
    meta: (key) => (meta === undefined ? metaOf(message ?? made, key) : meta.call(given, key)),
    get principal() {
      return principal;
    },
    set principal(one) {
      principal = one;
      Reflect.set(given, 'principal', one);
    },
    get scopes() {
      return scopes;
    },
    set scopes(some) {
      scopes = some;
      Reflect.set(given, 'scopes', some);
    },
  } as Call;
}

function messageOf({ id = 0, method, name, arguments: given }: Partial<Call>): Message {
  return { jsonrpc: '2.0', id, method: method ?? 'tools/call', params: { name, arguments: given } };
}

const MEMBERS: readonly string[] = [
  'id',
  'method',
  'name',
  'arguments',
  'message',
  'revision',
  'auth',
  'principal',
  'scopes',
  'tool',
  'header',
  'meta',
];

const WANTED: { readonly [member: string]: readonly [type: string, wanted: string] } = {
  method: ['string', 'a text'],
  name: ['string', 'a text'],
  tool: ['object', 'an object'],
  auth: ['object', 'an object'],
  message: ['object', 'an object'],
  header: ['function', 'a function'],
  meta: ['function', 'a function'],
};

function checked(given: Partial<Call>): Partial<Call> {
  const wanted = 'an object that says what is known of the call, such as { name: "pay" }';
  expectKind(typeof given === 'object' && given !== null && !Array.isArray(given), 'call', wanted, given);
  expectNoSlip(given);
  const members = given as { readonly [member: string]: unknown };
  for (const [member, [type, what]] of Object.entries(WANTED)) {
    const value = members[member] ?? undefined;
    expectKind(value === undefined || typeof value === type, `call.${member}`, what, value);
  }
  return given;
}

/** Guards of one's own may read members of their own; but not one that almost has the name of ours. */
function expectNoSlip(given: Partial<Call>): void {
  for (const name of Object.keys(given)) {
    const meant = MEMBERS.includes(name) ? undefined : nearest(name, MEMBERS);
    if (meant !== undefined && given[meant as keyof Call] === undefined)
      throw new TypeError(`\`call\` has no member \`${name}\`: did you mean \`${meant}\`?`);
  }
}

/** Never the value: headers and arguments are in it. */
export function expectKind(holds: boolean, what: string, wanted: string, got: unknown): void {
  if (!holds) throw new TypeError(`Expected \`${what}\` to be ${wanted}, got ${kindOf(got)}`);
}

function kindOf(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** Requests of the protocol, and which of them guards are asked about. */

/** What the protocol needs by itself: the handshake, lists, and what takes something back. */
const BESIDE: readonly string[] = [
  ...['initialize', 'ping', 'server/discover', 'logging/setLevel', 'resources/unsubscribe'],
  ...['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'],
];

/** What follows on something that was asked for before, for as long as that takes. */
const FOLLOWING: readonly string[] = [
  'subscriptions/listen',
  ...['tasks/get', 'tasks/list', 'tasks/result', 'tasks/cancel', 'tasks/update'],
];

const WORK: readonly string[] = [
  ...['tools/call', 'prompts/get', 'resources/read', 'resources/subscribe', 'completion/complete'],
];

/** All requests of the protocol. */
export const METHODS: readonly string[] = [...BESIDE, ...FOLLOWING, ...WORK];

/** Does it reach what the server's author wrote? Methods of one's own do: only what is known not to is left out. */
export function reachesAuthor(method: string): boolean {
  return method === 'tools/call' || !BESIDE.includes(method);
}

/** Is it a question about work, or a stream, and no work of its own? It comes often, or takes as long as the connection. */
export function isFollowing(method: string): boolean {
  return FOLLOWING.includes(method);
}

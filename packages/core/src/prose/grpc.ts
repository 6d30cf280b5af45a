/** What gRPC calls a failure, where its name alone would be taken for a word: INTERNAL, UNKNOWN, ABORTED. */
import type { Look } from './looks.ts';

/** The forms of the clients: Node.js, Go, Python and C#, Rust, Java, and the header. */
const NAMED =
  /(?:^|[\s:(])\d{1,2} (?<node>[A-Z_]{5,20})(?=:|$)|\bcode = (?<go>[A-Z][A-Za-z]{4,20})(?= desc = )|\bStatusCode\W{1,3}(?<python>[A-Za-z_]{5,20})\b|\bstatus: (?<rust>[A-Z][A-Za-z]{4,20}), message: |\bStatus(?:Runtime)?Exception: (?<java>[A-Z_]{5,20})\b|\bgrpc\b[^\n]{0,30}? (?<other>[A-Z_]{5,20})\b/;

const LOOKS: { readonly [name: string]: Look } = {
  // As a status of 500: the backend's own failure.
  internal: { kind: 'upstream_failed', weight: 76 },
  // An exception that nobody has classified.
  unknown: { kind: 'upstream_failed', weight: 66, never: true },
  // Somebody else was faster.
  aborted: { kind: 'conflict', weight: 86 },
  dataloss: { kind: 'internal', weight: 80 },
};

/** The failure that gRPC names; nothing where the word is no name of gRPC's, or says as much by itself. */
export function lookAtGrpc(text: string): Look | undefined {
  const { groups = {} } = NAMED.exec(text) ?? {};
  const name = Object.values(groups).find((one) => one !== undefined);
  return name === undefined ? undefined : LOOKS[name.replace(/_/g, '').toLowerCase()];
}

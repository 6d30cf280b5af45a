/** The statuses of gRPC, as its own library and Connect throw them. */
import { own, ownInteger, type Unknown } from './json.ts';
import type { Kind } from './kinds.ts';
import { messageOf, nameOf } from './wire/names.ts';

/** By their numbers; what says nothing more than that something failed has none. */
// biome-ignore format: a table
const KINDS_BY_STATUS: readonly (readonly [name: string, kind: Kind | undefined])[] = [
  ['OK', undefined], ['CANCELLED', 'cancelled'], ['UNKNOWN', undefined], ['INVALID_ARGUMENT', 'invalid_arguments'],
  ['DEADLINE_EXCEEDED', 'timeout'], ['NOT_FOUND', 'not_found'], ['ALREADY_EXISTS', 'conflict'], ['PERMISSION_DENIED', 'forbidden'],
  ['RESOURCE_EXHAUSTED', 'rate_limited'], ['FAILED_PRECONDITION', 'conflict'], ['ABORTED', 'overloaded'], ['OUT_OF_RANGE', 'invalid_arguments'],
  ['UNIMPLEMENTED', 'unsupported'], ['INTERNAL', 'upstream_failed'], ['UNAVAILABLE', 'unavailable'], ['DATA_LOSS', 'upstream_failed'],
  ['UNAUTHENTICATED', 'unauthenticated'],
];

/** A status of gRPC behind an exception. */
export interface GrpcStatus {
  readonly name: string;
  readonly kind: Kind;
}

/** The status that an exception carries; a number alone is anybody's. */
export function grpcStatusOf(thrown: Unknown): GrpcStatus | undefined {
  const code = ownInteger(thrown, 'code');
  const [name, kind] = (code === undefined ? undefined : KINDS_BY_STATUS[code]) ?? [];
  if (name === undefined || kind === undefined) return undefined;
  const isGrpc = `${messageOf(thrown)}:`.startsWith(`${code} ${name}:`);
  const isConnect = nameOf(thrown) === 'ConnectError' && own(thrown, 'rawMessage') !== undefined;
  return isGrpc || isConnect ? { name, kind } : undefined;
}

/** What the reference servers have in common. */
export { argumentsGuard } from './arguments-guard.ts';
export { bearerToken } from './bearer.ts';
export { type Allowance, type Counts, openCounts } from './counts.ts';
export { openDatabase, transaction } from './database.ts';
export {
  countFrom,
  type FlagSpec,
  type Flags,
  parseFlags,
  portFrom,
  refuse,
  runCommand,
  urlFrom,
} from './flags.ts';
export { MAX_BODY_BYTES } from './http-handler.ts';
export { isJsonObject, objectIn } from './json-object.ts';
export { type Facts, membersOver, setOver } from './kept-sessions.ts';
export { type Limit, limited, type Meanwhile } from './limited.ts';
export { lines } from './lines.ts';
export { type Listening, listen, listenOn } from './listen.ts';
export { reporter, stderrLogger } from './log.ts';
export { type Neighbours, openNeighbours } from './neighbours.ts';
export type { Presence } from './presence.ts';
export { type Answered, pageBelow, reach, wasUnsent } from './reach.ts';
export { type Service, serve, untilStopped } from './serve.ts';
export { createTurns } from './turns.ts';

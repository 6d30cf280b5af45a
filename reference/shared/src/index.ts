/** What the reference servers have in common. */
export { argumentsGuard } from './arguments-guard.ts';
export { bearerToken } from './bearer.ts';
export { openDatabase, transaction } from './database.ts';
export { type FlagSpec, type Flags, parseFlags } from './flags.ts';
export { MAX_BODY_BYTES } from './http-handler.ts';
export { type Listening, listen } from './listen.ts';
export { reporter, stderrLogger } from './log.ts';
export { type Service, serve } from './serve.ts';

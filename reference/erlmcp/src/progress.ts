/** Progress tokens of one session: which are in use, and how far their requests have come. */
import type { Json } from '@mayday/core';
import type { Clock } from '@mayday/policy';
import { raise } from './errors.ts';

/** A progress token, as a client makes it. */
type ProgressToken = string | number;

/** How far a request has come. */
interface Progress {
  progress: number;
  total: number;
  done: boolean;
}

/** The tokens of a session. */
export interface ProgressTokens {
  /** Takes a token into use; a token that is none, or is in use, is refused. */
  begin(token: unknown): ProgressToken;
  advance(token: ProgressToken, progress: number, total: number): void;
  end(token: ProgressToken): void;
  /** How far it has come. Known until a while after its request has ended. */
  get(token: unknown): Progress;
}

/** Beyond this many, the oldest is forgotten. */
const MAX_KEPT = 1000;

/** Tokens that stay known for `ttlMs` after their request has ended. */
export function createProgressTokens(clock: Clock, ttlMs: number): ProgressTokens {
  const kept = new Map<ProgressToken, Progress & { endedAt?: number }>();
  return {
    begin(token) {
      if (!isToken(token) || kept.get(token)?.done === false)
        throw raise('invalid_progress_token', { progressToken: shown(token) });
      kept.delete(token);
      kept.set(token, { progress: 0, total: 0, done: false });
      if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value as ProgressToken);
      return token;
    },
    advance(token, progress, total) {
      const record = kept.get(token);
      if (record !== undefined) Object.assign(record, { progress, total });
    },
    end(token) {
      const record = kept.get(token);
      if (record !== undefined) Object.assign(record, { done: true, endedAt: clock.now() });
    },
    get(token) {
      const record = isToken(token) ? kept.get(token) : undefined;
      if (record === undefined) throw raise('invalid_progress_token', { progressToken: shown(token) });
      const { progress, total, done, endedAt } = record;
      if (endedAt !== undefined && clock.now() - endedAt >= ttlMs)
        throw raise('progress_token_expired', { progressToken: shown(token) });
      return { progress, total, done };
    },
  };
}

function isToken(token: unknown): token is ProgressToken {
  return typeof token === 'string' || Number.isSafeInteger(token);
}

const LONGEST = 200;

/** A token comes back as it was sent, unless it is of a size that nobody wants to read. */
function shown(token: unknown): Json {
  if (typeof token === 'string') return token.slice(0, LONGEST);
  const json = JSON.stringify(token) ?? 'null';
  return json.length > LONGEST ? typeof token : (token as Json);
}

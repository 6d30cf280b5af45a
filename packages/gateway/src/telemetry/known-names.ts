/** Names that may be told: callers can ask for anything, and what they ask for is told only where it exists. */
import { redact } from '@mayday/core/redact';

/** Names of one upstream's tools or prompts that are known to exist. */
export interface KnownNames {
  /** The name as it may be told; `undefined` where it is not known, or one too many. */
  find(name: string): string | undefined;
  /** It exists. */
  learn(name: string): void;
}

const MAX_NAMES = 500;
const MAX_LENGTH = 128;

/** Remembers names. */
export function createKnownNames(): KnownNames {
  const known = new Map<string, string>();
  return {
    find: (name) => known.get(name),
    learn(name) {
      if (known.has(name) || known.size >= MAX_NAMES || name.length > MAX_LENGTH) return;
      known.set(name, redact(name).value);
    },
  };
}

/** What stands for a name that is not told. */
export const OTHER = '_OTHER';

/** The methods of all revisions; others are anybody's words. */
const METHODS: ReadonlySet<string> = new Set([
  'completion/complete',
  'elicitation/create',
  'initialize',
  'logging/setLevel',
  'notifications/cancelled',
  'notifications/initialized',
  'notifications/message',
  'notifications/progress',
  'notifications/prompts/list_changed',
  'notifications/resources/list_changed',
  'notifications/resources/updated',
  'notifications/roots/list_changed',
  'notifications/tools/list_changed',
  'ping',
  'prompts/get',
  'prompts/list',
  'resources/list',
  'resources/read',
  'resources/subscribe',
  'resources/templates/list',
  'resources/unsubscribe',
  'roots/list',
  'sampling/createMessage',
  'server/discover',
  'subscriptions/listen',
  'tasks/cancel',
  'tasks/get',
  'tasks/list',
  'tasks/result',
  'tasks/update',
  'tools/call',
  'tools/list',
]);

/** A method as it may be told. */
export function methodName(method: string): string {
  return METHODS.has(method) ? method : OTHER;
}

const REVISIONS: ReadonlySet<string> = new Set([
  '2024-11-05',
  '2025-03-26',
  '2025-06-18',
  '2025-11-25',
  '2026-07-28',
]);

/** The revision that a caller names, where there is such a one. */
export function revisionName(said: unknown, otherwise: string): string {
  return typeof said === 'string' && REVISIONS.has(said) ? said : otherwise;
}

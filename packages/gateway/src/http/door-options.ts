/** What a door is told: what stands behind it, and who hears of whoever comes. */
import type { Endpoint, RequestHead } from '@mayday/relay';
import type { AdminDoor } from '../admin/over-http.ts';
import type { ConsoleDoor } from '../console/serve.ts';
import type { KnownCaller } from '../identity/keys.ts';
import type { TurnedAwayVisit } from '../log-words.ts';
import type { Setup } from '../setup.ts';
import type { SseConversations } from '../sse/conversations.ts';
import type { Telemetry } from '../telemetry/hooks.ts';
import type { Hop } from '../workers/hop.ts';
import type { About } from './about.ts';
import type { Holdings } from './holdings.ts';
import type { Hearing } from './strangers.ts';

/** What the door opens to. */
export interface DoorOptions {
  readonly setup: () => Setup;
  readonly isClosing: () => boolean;
  /** What operators are told. */
  readonly about: About;
  /** Knows who reads the metrics; absent where nothing is measured. */
  readonly telemetry?: Pick<Telemetry, 'metricsFor'> | undefined;
  /** Where other workers answer behind the same port; absent where this process is alone. */
  readonly hop?: Hop | undefined;
  /** What callers hold. All doors of a process share it. */
  readonly holdings: Holdings;
  /** Room for what is said by those who are not let in. All doors of a process share it. */
  readonly hearing: Hearing;
  /** Conversations of callers who only speak the transport of 2024-11-05. All doors of a process share them. */
  readonly conversations: SseConversations;
  /** Answers operators; absent where that is done at another door. */
  readonly admin?: AdminDoor | undefined;
  /** Serves the pages that operators look at; absent where that is done at another door. */
  readonly console?: ConsoleDoor | undefined;
  /** Nobody calls here: it has what is for operators, and nothing else. */
  readonly isOperatorsOnly?: boolean | undefined;
  readonly onBug: (error: unknown) => void;
  /** Somebody is not let in. */
  readonly onRefused: (visit: TurnedAwayVisit) => void;
  /** Serves this upstream at `/mcp`, in place of all of them joined. */
  readonly root: string | undefined;
  /** The endpoint that holds a session, where a reload has replaced the one that serves now. */
  readonly holderOf: (
    current: Endpoint,
    upstream: string,
    request: RequestHead,
    caller: KnownCaller,
  ) => Endpoint;
}

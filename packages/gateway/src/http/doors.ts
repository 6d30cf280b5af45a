/** The doors of a gateway: one for everybody, or one for callers and one for operators; and one for other workers. */
import { PAGES } from '@mayday/console';
import { openAdmin } from '../admin/open-admin.ts';
import { type ConsoleDoor, createConsoleDoor } from '../console/serve.ts';
import type { FaultLog } from '../faults/fault-log.ts';
import type { KnownCaller } from '../identity/keys.ts';
import type { Settings } from '../settings/settings.ts';
import { createSseConversations } from '../sse/conversations.ts';
import type { State } from '../state/state.ts';
import { statusOf } from '../status.ts';
import type { Telemetry } from '../telemetry/hooks.ts';
import { aboutAll } from '../workers/about-all.ts';
import type { AnswerFellowsOptions } from '../workers/answer-fellows.ts';
import type { Crew } from '../workers/crew.ts';
import { createHops, type Hops } from '../workers/hop.ts';
import { tagged } from '../workers/session-tag.ts';
import type { About } from './about.ts';
import { createDoor, type Door } from './door.ts';
import type { DoorOptions } from './door-options.ts';
import { createHoldings } from './holdings.ts';
import { createHearing } from './strangers.ts';

/** The doors, together. */
export interface Doors extends Pick<Door, 'staying' | 'turnOut'> {
  readonly callers: Door;
  /** Where operators have a port of their own. */
  readonly operators: Door | undefined;
  /** Where other workers pass requests on, and what they are told; absent where this process is alone. */
  readonly workers: ForWorkers | undefined;
  /** Everything is answered: ends the streams over which that was said. */
  close(): void;
}

/** What other workers find here. */
interface ForWorkers extends Pick<AnswerFellowsOptions, 'upstreamOf'> {
  readonly door: Door;
  readonly about: About;
  readonly hops: Hops;
}

/** What stands behind them. */
interface DoorsOptions
  extends Omit<
    DoorOptions,
    'about' | 'admin' | 'console' | 'isOperatorsOnly' | 'hop' | 'holdings' | 'hearing' | 'conversations'
  > {
  readonly state: State;
  readonly journal: FaultLog;
  readonly telemetry: Telemetry | undefined;
  readonly startedAt: number;
  /** The settings as the file has them, of which a worker has its part. */
  readonly settings: () => Settings;
  /** Other workers behind the same port; absent where this process is alone. */
  readonly crew: Crew | undefined;
}

/** Opens the doors that the settings ask for which the gateway was started with. */
export function openDoors(settings: Settings, options: DoorsOptions): Doors {
  const { state, startedAt, journal, crew, settings: whole, ...shared } = options;
  const { setup, telemetry, isClosing, onBug } = shared;
  const own: About = {
    health: state.health,
    async status() {
      const { store } = await state.health();
      return {
        ...statusOf(setup(), { settings: whole(), faults: journal, startedAt, store }),
        ...telemetry?.status(),
      };
    },
    metrics: async () => (await telemetry?.metrics()) ?? '',
    faults: async (_, { limit, fits }) => journal.list(limit, fits),
  };
  const about = crew === undefined ? own : aboutAll(own, crew);
  const hops = crew && createHops(crew);
  const conversations = createSseConversations(crew && ((id) => tagged(id, crew.worker)));
  const held = { holdings: createHoldings(), hearing: createHearing() };
  const common: DoorOptions = { ...shared, ...held, about, conversations, hop: hops?.outer };
  const admin = openAdmin(settings, {
    store: state.store,
    language: setup().dialects.language,
    settings: whole,
    status: about.status,
    keysChanged: () => state.issued?.changed(),
    isClosing,
    onBug,
  });
  const isApart = settings.admin !== false && settings.admin.listen.port !== undefined;
  const forOperators = { admin, console: consoleOf(settings) };
  const callers = createDoor({ ...common, ...(isApart ? {} : forOperators) });
  const operators = isApart ? createDoor({ ...common, ...forOperators, isOperatorsOnly: true }) : undefined;
  const inner = hops && createDoor({ ...common, admin, about: own, hop: hops.inner });
  const all = [callers, operators, inner].filter((door) => door !== undefined);
  return {
    callers,
    operators,
    workers: hops &&
      inner && { door: inner, about: own, hops, upstreamOf: (name) => setup().upstreams.get(name) },
    staying: (): readonly KnownCaller[] => all.flatMap((door) => door.staying()),
    turnOut() {
      for (const door of all) door.turnOut();
    },
    close: () => conversations.close(),
  };
}

/** The pages, unless they or what they ask are turned off. */
function consoleOf({ admin }: Settings): ConsoleDoor | undefined {
  return admin === false || !admin.console ? undefined : createConsoleDoor(PAGES);
}

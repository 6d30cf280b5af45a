/** What outlives the process, or is shared with other gateways: opened when a gateway starts, ended with it. */
import { createMemoryIdempotency, createMemoryPlaces, createMemoryRateStore } from '@mayday/policy';
import type { Health, Store } from '@mayday/store';
import type { Consents } from '../access/rules.ts';
import { type CredentialDesk, createCredentialDesk } from '../credentials/desk.ts';
import { isGivenCredentials } from '../credentials/giving.ts';
import { createFaultJournal, type FaultJournal } from '../faults/fault-journal.ts';
import { type IssuedKeys, openIssuedKeys } from '../identity/issued-keys.ts';
import type { LimitKeeper } from '../limits/keeper.ts';
import type { Settings } from '../settings/settings.ts';
import type { Crew } from '../workers/crew.ts';
import { type KeptAnswers, sharedAnswers } from './shared-answers.ts';

/** Where a gateway keeps its state. */
export interface State {
  /** Answers to calls with an idempotency key. */
  readonly answers: KeptAnswers;
  /** Where limits are counted. */
  readonly keeper: LimitKeeper;
  /** Keys that are made while the gateway runs; absent where there is no store. */
  readonly issued: IssuedKeys | undefined;
  /** Credentials of callers toward servers; absent where there is no store. */
  readonly credentials: CredentialDesk | undefined;
  /** Where people consent to calls; absent where there is no store. */
  readonly consents: Consents | undefined;
  /** All of it, for those who operate the gateway; absent where there is none. */
  readonly store: Store | undefined;
  /** Failures, for all gateways on one store; absent where there is none. */
  readonly faults: FaultJournal | undefined;
  /** Never throws. The store is asked once a second at most. */
  health(): Promise<StateHealth>;
  /** Waits for what is still being written, then ends what was opened. */
  close(): Promise<void>;
}

/** How state is kept right now. */
interface StateHealth {
  /** Can callers be sent to this gateway? */
  readonly isReady: boolean;
  /** Absent where there is none. */
  readonly store?: StoreHealth | undefined;
}

/** How a store is. */
export interface StoreHealth extends Health {
  readonly engine: Store['engine'];
}

/** Nobody learns more by asking more often, and whoever asks may be anybody. */
const HEALTH_MS = 1000;

/** Calls whose connections were cut have reported back by then, and a store that works has taken what is left. */
const SETTLE_MS = 2000;

/** How state is opened. */
interface OpenStateOptions {
  readonly note: (line: string) => void;
  /** Hears what is wrong with the store, and tells it once a minute. */
  readonly onBug: (error: unknown) => void;
  /** Where workers keep what they have to share, though nothing is to outlive them. */
  readonly sharedFile?: string | undefined;
  /** Other workers behind the same port; absent where this process is alone. */
  readonly crew?: Crew | undefined;
}

/**
 * Opens the state that the settings ask for, or takes a store that was opened by somebody else, who also ends it. Rejects
 * with a `StoreError` that says why a store cannot be used. The package is loaded here, and only where there is a store.
 */
export async function openState(
  { store: { url, onDown, secret }, faults: kept, upstreams }: Settings,
  given: Store | undefined,
  { note, onBug, sharedFile, crew }: OpenStateOptions,
): Promise<State> {
  if (given === undefined && url === undefined)
    return sharedFile === undefined ? inMemory() : amongWorkers(sharedFile);
  // What holds while it is down is decided here, where it can be told.
  const store =
    given ?? (await (await import('@mayday/store')).openStore({ url: url ?? '', secret, ...boundsOf(kept) }));
  const close = async (): Promise<void> => (given === undefined ? store.close() : undefined);
  try {
    const issued = await openIssuedKeys(store.keys, crew);
    if ([...upstreams.values()].some(isGivenCredentials)) await store.credentials.check();
    const health = healthOf(store, onDown, { note, onBug });
    const answers = await sharedAnswers(store, async () => (await health()).store?.ok === true);
    const tellUncounted = seldom(() => note('store: it does not answer; calls are let through uncounted'));
    const faults = createFaultJournal(store.faults, note);
    const watching = watched(store, health);
    return {
      answers,
      keeper: {
        rates: store.rates,
        places: store.places,
        isOpen: () => onDown === 'open' && tellUncounted(),
      },
      issued,
      credentials: createCredentialDesk(store.credentials),
      consents: store,
      store,
      faults,
      health,
      async close() {
        clearInterval(watching);
        await Promise.all([answers.close(SETTLE_MS), faults.close(SETTLE_MS)]).finally(close);
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** By tool, every resource is counted apart; beyond this many, or a tenth of them for one caller, new ones of a caller are counted together. */
const MAX_COUNTED = 100_000;

function inMemory(): State {
  return {
    answers: createMemoryIdempotency(),
    keeper: {
      rates: createMemoryRateStore({ maxKeys: MAX_COUNTED }),
      places: createMemoryPlaces(),
      isOpen: () => false,
    },
    issued: undefined,
    credentials: undefined,
    consents: undefined,
    store: undefined,
    faults: undefined,
    health: async () => ({ isReady: true }),
    close: async () => undefined,
  };
}

/** As in memory, but counted and answered once for all workers of this machine. It ends with them. */
async function amongWorkers(file: string): Promise<State> {
  const store = await (await import('@mayday/store')).openStore({ url: `file:${file}` });
  const answers = await sharedAnswers(store, async () => true);
  return {
    ...inMemory(),
    answers,
    keeper: { rates: store.rates, places: store.places, isOpen: () => false },
    close: () => answers.close(SETTLE_MS).finally(() => store.close()),
  };
}

/** The bounds of the journal, as a store takes them. */
function boundsOf(kept: Pick<Settings['faults'], 'maxAgeMs' | 'maxEntries'>): {
  readonly faultAgeMs: number;
  readonly maxFaults: number;
} {
  return { faultAgeMs: kept.maxAgeMs, maxFaults: kept.maxEntries };
}

/** How often the same is said while it lasts. */
const SELDOM_MS = 60_000;

/** Does it once a minute at most. */
function seldom(say: () => void): () => true {
  let saidAt = Number.NEGATIVE_INFINITY;
  return () => {
    const now = performance.now();
    if (now - saidAt >= SELDOM_MS) {
      saidAt = now;
      say();
    }
    return true;
  };
}

/** Looked at now, and all the time where it can lose what was written: nobody finds that out later. A file cannot. */
function watched({ engine }: Store, health: State['health']): NodeJS.Timeout | undefined {
  void health();
  return engine === 'redis' ? setInterval(() => void health(), HEALTH_MS).unref() : undefined;
}

/** Never throws. Tells the operator what is wrong, that it is over, and once what will do harm some day. */
function healthOf(
  store: Store,
  onDown: 'open' | 'closed',
  { note, onBug }: Pick<OpenStateOptions, 'note' | 'onBug'>,
): State['health'] {
  const told = new Set<string>();
  let wasWell = true;
  const tell = ({ ok, problem = 'It cannot be used' }: Health): void => {
    if (!ok) onBug(Object.assign(new Error(problem), { name: 'StoreError' }));
    else if (!wasWell) note('store: it answers again');
    wasWell = ok;
  };
  let askedAt = Number.NEGATIVE_INFINITY;
  let health: Promise<StateHealth> | undefined;
  return () => {
    const now = performance.now();
    if (health !== undefined && now - askedAt < HEALTH_MS) return health;
    askedAt = now;
    health = store.health().then((said) => {
      tell(said);
      for (const warning of said.warnings) if (!told.has(warning)) note(`store: ${warning}`);
      for (const warning of said.warnings) told.add(warning);
      return { isReady: said.ok || onDown === 'open', store: { engine: store.engine, ...said } };
    });
    return health;
  };
}

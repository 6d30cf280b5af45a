/** The gateway: one door, many servers, one kind of failure. */
import { randomBytes } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import { type Language, language } from '@mayday/core';
import { countIds, type Endpoint, type RequestHead } from '@mayday/relay';
import type { Store } from '@mayday/store';
import { createHidings } from './call/hiding.ts';
import { warmUp } from './call/warm-up.ts';
import { watchReading } from './call/watch-reading.ts';
import { createFaultLog, type FaultLog } from './faults/fault-log.ts';
import { type Doors, openDoors } from './http/doors.ts';
import { JOINED } from './http/joined-name.ts';
import { openListeners } from './http/listeners.ts';
import { watchCertificate } from './http/watch-certificate.ts';
import type { IssuedKeys } from './identity/issued-keys.ts';
import { ANYBODY, type KnownCaller } from './identity/keys.ts';
import type { LogFacts } from './log-lines.ts';
import { type Log, operatorsLog, refusalLines } from './log-words.ts';
import { ROOT_PATH } from './messages/message-request.ts';
import { createOnBug } from './on-bug.ts';
import { settingsChanged } from './settings/changes.ts';
import { settingsReloaded } from './settings/check-reload.ts';
import type { Settings } from './settings/settings.ts';
import { createSetup, type Setup, type SetupContext } from './setup.ts';
import { sha256Bytes } from './sha256.ts';
import { openState, type State } from './state/state.ts';
import { openLineDoor } from './stdio/line-door.ts';
import { endLast, observed, type StartTelemetry, telemetryFor, toldAlso } from './telemetry/load.ts';
import { tellAtStart } from './tell-at-start.ts';
import { createTaskRunners } from './upstreams/task-runners.ts';
import { createTransports } from './upstreams/transports.ts';
import type { Crew } from './workers/crew.ts';
import { createFellows } from './workers/fellows.ts';
import { withShares } from './workers/session-shares.ts';
import { tellFaults } from './workers/tell-faults.ts';

/** How to run a gateway. */
export interface GatewayOptions {
  /** One line for the operator. It is redacted. `facts` is what it says, apart, for logs that programs read. */
  readonly onLog?: ((line: string, facts?: LogFacts) => void) | undefined;
  /** Serve this upstream or virtual server at `/mcp`, in place of all upstreams joined. */
  readonly root?: string | undefined;
  /** The dialects there are; all that come with `@mayday/core`. `language.with(…)` has yours as well. */
  readonly language?: Language | undefined;
  /** A store that is open, in place of the one in the settings. Whoever opened it ends it, after the gateway. */
  readonly store?: Store | undefined;
  /** The environment, of which telemetry takes the variables of OpenTelemetry; that of the process, if absent. */
  readonly env?: { readonly [name: string]: string | undefined } | undefined;
  /** This process is one of several workers behind one port, see `takeSeat`; alone, if absent. */
  readonly crew?: Crew | undefined;
}

/** What runs, however it is reached. */
interface Running {
  readonly faults: FaultLog;
  readonly upstreams: readonly string[];
  /** Servers that are made of tools of upstreams. */
  readonly virtual: readonly string[];
  /** Takes new settings. Calls in flight finish with the old ones. Throws, and takes none, as `settingsReloaded` says. */
  reload(settings: Settings): void;
  /** Answers what is in flight, then stops everything it has started. Called again, it waits no longer than it is told then. */
  close(graceMs?: number): Promise<void>;
}

/** A running gateway. */
export interface Gateway extends Running {
  readonly url: string;
  /** Where the admin API is, if it has a port of its own. */
  readonly adminUrl: string | undefined;
}

/** How to run a gateway for the one caller that has started it. */
export interface StdioGatewayOptions extends GatewayOptions {
  /** Messages, one a line; standard input. */
  readonly input: Readable;
  /** Answers, one a line, and nothing else; standard output. */
  readonly output: Writable;
}

/** A gateway for one caller. */
export interface StdioGateway extends Running {
  /** Everything that was asked is answered and no more can come, or nobody reads the answers. */
  readonly ended: Promise<void>;
}

/** How long the sessions of a replaced endpoint may go on. */
const DRAIN_MS = 10 * 60_000;

/** Calls in flight finish with the old settings: those of no upstream take longer than this. */
function drainMs({ upstreams }: Settings): number {
  return Math.max(
    DRAIN_MS,
    ...[...upstreams.values()].map(({ timeoutMs, maxTimeMs }) => timeoutMs + maxTimeMs),
  );
}

/** What `start.ts` promises over HTTP. */
export async function startGateway(settings: Settings, options: GatewayOptions = {}): Promise<Gateway> {
  const { doors, onBug, log, tellAtStart, ...running } = await createGateway(settings, options, 'tcp');
  const { crew } = options;
  if (crew === undefined || crew.worker === 1) tellAtStart(); // once is enough
  warmUp();
  const listener = await openListeners(settings, doors, { onBug, crew }).catch(async (error: unknown) => {
    await running.close(0);
    throw error;
  });
  const certificate = watchCertificate(settings.listen, { renew: listener.renew, log });
  return {
    ...running,
    get upstreams() {
      return running.upstreams();
    },
    get virtual() {
      return running.virtual();
    },
    url: listener.url,
    adminUrl: listener.adminUrl,
    close: onceAndSooner(async (graceMs) => {
      log(`stopping: calls under way have ${graceMs / 1000} s`);
      certificate.close();
      const stopped = running.close(graceMs);
      await Promise.all([stopped, listener.close(LAST_ANSWERS_MS, stopped)]);
      log('stopped');
    }, running.close),
  };
}

/** What `start.ts` promises over standard streams. */
export async function startStdioGateway(
  settings: Settings,
  options: StdioGatewayOptions,
): Promise<StdioGateway> {
  const {
    doors: { callers: door },
    onBug,
    log: _log,
    tellAtStart: _tell,
    ...running
  } = await createGateway(settings, options, 'pipe');
  const { bodyBytes, depth } = settings.limits;
  let isWarm = false;
  const lines = openLineDoor({
    input: options.input,
    output: options.output,
    maxLineBytes: bodyBytes,
    maxDepth: depth,
    lineOf: (message) => door.lineOf(message, ROOT_PATH),
    mayRepeat: (message) => door.mayRepeat(message, ROOT_PATH),
    admit: (request, reply) => {
      // While the server starts or thinks: nobody waits for it then.
      if (!isWarm) setImmediate(warmUp);
      isWarm = true;
      return door.admitKnown(request, reply, ANYBODY);
    },
    turnAway: door.turnAway,
    onBug,
  });
  return {
    ...running,
    get upstreams() {
      return running.upstreams();
    },
    get virtual() {
      return running.virtual();
    },
    ended: lines.ended,
    close: onceAndSooner(async (graceMs) => {
      const started = performance.now();
      // While the door is open: the session is ended by a request, too.
      await lines.leave(graceMs);
      await running.close(Math.max(0, graceMs - (performance.now() - started)));
      await lines.close();
    }, running.close),
  };
}

/** Closes once; whoever asks again makes that come sooner. */
function onceAndSooner(
  close: (graceMs: number) => Promise<void>,
  sooner: (graceMs: number) => Promise<void>,
): Running['close'] {
  let closing: Promise<void> | undefined;
  return (graceMs = 5000) => {
    if (closing === undefined) closing = close(graceMs);
    else sooner(graceMs).catch(() => undefined); // the first one tells
    return closing;
  };
}

/** How long the last answers may take to be read. */
const LAST_ANSWERS_MS = 2000;

interface Core extends Omit<Running, 'upstreams' | 'virtual' | 'close'> {
  readonly doors: Doors;
  readonly log: (line: string) => void;
  readonly onBug: (error: unknown) => void;
  readonly upstreams: () => readonly string[];
  readonly virtual: () => readonly string[];
  /** Tells the operator of a store that keeps nobody out, and of issuers that are not there. */
  readonly tellAtStart: () => void;
  close(graceMs: number): Promise<void>;
}

/** Everything but the way in. */
async function createGateway(
  settings: Settings,
  options: GatewayOptions,
  transport: 'tcp' | 'pipe',
): Promise<Core> {
  const log = operatorsLog(options.onLog);
  const { crew } = options;
  const onBug = createOnBug(log);
  const state = await openState(settings, options.store, {
    note: log,
    onBug,
    sharedFile: crew?.sharedFile,
    crew,
  });
  try {
    const start = await telemetryFor(settings, options.env ?? process.env, log, crew);
    return createCore(settings, options, { state, log, onBug, start, transport });
  } catch (error) {
    await state.close();
    throw error;
  }
}

interface CoreContext {
  readonly state: State;
  readonly log: Log;
  readonly onBug: (error: unknown) => void;
  readonly start: StartTelemetry | undefined;
  readonly transport: 'tcp' | 'pipe';
}

function createCore(settings: Settings, options: GatewayOptions, context: CoreContext): Core {
  const { state, log, onBug, start, transport } = context;
  const { crew } = options;
  const mine = (whole: Settings): Settings => (crew === undefined ? whole : withShares(whole, crew.count));
  const telemetry = start?.(() => observed(setup, state), transport);
  const journal = logOf(settings, state, () => setup.settings.faults.groups);
  const shared = outliving(settings, options, { ...context, telemetry, journal });
  const retiring = createRetiring();
  let whole = settings;
  let setup = createSetup(mine(whole), shared);
  let isClosing = false;

  const doors = openDoors(settings, {
    setup: () => setup,
    settings: () => whole,
    isClosing: () => isClosing,
    journal,
    state,
    telemetry,
    startedAt: crew?.startedAt ?? Date.now(),
    onBug,
    onRefused: toldAlso(refusalLines(log), telemetry),
    root: options.root,
    crew,
    holderOf: retiring.holderOf,
  });

  const watching = watchCallers(state.issued, doors);
  const telling = crew && tellFaults(journal, crew);
  const hurry = (graceMs: number): Promise<void> => closeAll(toClose(setup, retiring), graceMs);

  return {
    doors,
    tellAtStart: () => tellAtStart(setup, settings, state.issued, log),
    log,
    onBug,
    faults: journal,
    upstreams: () => [...setup.upstreams.keys()],
    virtual: () => [...setup.virtual.keys()],
    reload(next) {
      const before = setup;
      const taken = settingsReloaded(settings, next);
      setup = createSetup(mine(taken), shared, before);
      whole = taken;
      journal.resize(setup.settings.faults.keep);
      doors.turnOut();
      letGo(before, setup, retiring);
      tellReloaded({ started: settings, before, next }, setup, log);
    },
    close: onceAndSooner(async (graceMs) => {
      isClosing = true;
      clearInterval(watching);
      const all = [doors.workers?.hops, shared.tasks.forFellows, ...toClose(setup, retiring)];
      const then = [
        () => doors.close(),
        () => shared.tasks.close(),
        () => endLast(telemetry, state),
        () => telling?.close(),
      ];
      await closeAll(all, graceMs, then);
    }, hurry),
  };
}

/** What stays when the settings are replaced. */
function outliving(
  settings: Settings,
  { language: known = language, env = process.env, crew }: GatewayOptions,
  { state, log, onBug, transport, ...rest }: CoreContext & Pick<SetupContext, 'telemetry' | 'journal'>,
): SetupContext {
  const { answers, consents, keeper, issued, credentials } = state;
  const isForOne = transport === 'pipe';
  return {
    language: watchReading(known, onBug),
    journal: rest.journal,
    isForOne,
    answers,
    access: { rules: undefined, consents, isForOne, crew },
    ...sharedByServers(settings, crew, log),
    keeper,
    issued,
    credentials,
    telemetry: rest.telemetry,
    env,
    log,
    onBug,
  };
}

/** What all endpoints of servers have in common, and what is found out while they are spoken to: it outlives the settings. */
function sharedByServers(
  settings: Settings,
  crew: GatewayOptions['crew'],
  log: Log,
): Pick<SetupContext, 'transports' | 'newId' | 'sealSecret' | 'tasks' | 'given'> {
  const fellows = crew && createFellows(crew);
  const tasks = createTaskRunners(fellows, (upstream, text) => log(`upstream=${upstream} ${text}`));
  return {
    transports: createTransports(crew),
    newId: countIds(crew),
    sealSecret: sealSecretOf(settings, crew),
    tasks,
    given: createHidings(),
  };
}

/** Gateways with one secret of a store take each other's sessions; without it, they end with the gateway. */
function sealSecretOf({ store }: Settings, crew: GatewayOptions['crew']): Buffer {
  if (store.secret !== undefined) return sha256Bytes(`mayday seals of sessions\0${store.secret}`);
  return crew?.secret ?? randomBytes(32);
}

/** For what needs a restart, what the gateway was started with still holds. */
function tellReloaded(
  { started, before, next }: { readonly started: Settings; readonly before: Setup; readonly next: Settings },
  { settings, upstreams }: Setup,
  log: Log,
): void {
  const { restart } = settingsChanged(started, next);
  if (restart.length > 0) log(`a restart is needed for ${restart.join(', ')}`);
  const { now } = settingsChanged(before.settings, settings);
  const rest =
    restart.length > 0 ? 'nothing else to apply' : 'nothing to apply, the file is in force as it is';
  const what = now.length === 0 ? rest : `changed: ${now.join(', ')}`;
  log(`reloaded: ${[...upstreams.keys()].join(', ')}; ${what}`);
}

/** Whoever is answered over a stream has that stream until everything is answered; `then`, all else ends, one after the other. */
async function closeAll(
  all: readonly (Pick<Endpoint, 'close'> | undefined)[],
  graceMs: number,
  then: readonly (() => unknown)[] = [],
): Promise<void> {
  const closed: Promise<unknown> = Promise.all(all.map((one) => one?.close(graceMs)));
  await then.reduce<Promise<unknown>>((before, end) => before.finally(() => end()), closed);
}

/** What fails is kept here, and goes on to the journal, where there is one, by the rules of that moment. */
function logOf({ faults }: Settings, state: State, rules: () => Settings['faults']['groups']): FaultLog {
  return createFaultLog(faults.keep, (record) => state.faults?.add(record, rules()));
}

function toClose(
  { upstreams, virtual, joined }: Setup,
  retiring: Retiring,
): readonly (Pick<Endpoint, 'close'> | undefined)[] {
  const own = [...upstreams.values(), ...virtual.values()].map(({ endpoint }) => endpoint);
  const starts = [...upstreams.values()].map((upstream) => upstream.starts);
  return [...own, ...starts, joined, ...retiring.all()];
}

/** How soon the first key closes the door, and a stream ends whose key was revoked or whose token is over. */
const WATCH_MS = 1000;

/** Whoever stays is looked at again; one at a time, and a store that is down has nothing to say. */
function watchCallers(issued: IssuedKeys | undefined, doors: Doors): NodeJS.Timeout {
  let isLooking = false;
  const look = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    try {
      const staying = doors.staying();
      if (staying.some(isOver) || (await issued?.recheck(staying)) === true) doors.turnOut();
    } catch {
      // Callers are told when they come.
    } finally {
      isLooking = false;
    }
  };
  return setInterval(() => void look(), WATCH_MS).unref();
}

/** Has the token expired that it came with? */
function isOver({ token }: KnownCaller): boolean {
  return token !== undefined && Date.now() >= token.expiresAt;
}

/** Ends what the new setup no longer has, when it is done. */
function letGo(before: Setup, after: Setup, retiring: Retiring): void {
  for (const [name, endpoint] of replaced(before, after)) {
    if (isServed(name, after)) retiring.retire(name, endpoint, drainMs(before.settings));
    else retiring.finish(endpoint, drainMs(before.settings));
  }
}

/** Endpoints that the new setup no longer has. */
function replaced(before: Setup, after: Setup): readonly (readonly [string, Endpoint])[] {
  const gone: (readonly [string, Endpoint])[] = [];
  for (const [name, { endpoint }] of [...before.upstreams, ...before.virtual]) {
    const now = after.upstreams.get(name) ?? after.virtual.get(name);
    if (now?.endpoint !== endpoint) gone.push([name, endpoint]);
  }
  if (before.joined !== undefined && before.joined !== after.joined) gone.push([JOINED, before.joined]);
  return gone;
}

/** Does anything answer where this endpoint did? */
function isServed(name: string, { upstreams, virtual, joined }: Setup): boolean {
  return name === JOINED ? joined !== undefined : upstreams.has(name) || virtual.has(name);
}

interface Retiring {
  /** Something else has taken its place. */
  retire(name: string, endpoint: Endpoint, graceMs: number): void;
  /** Nobody can reach it any more: it ends when it has answered. */
  finish(endpoint: Endpoint, graceMs: number): void;
  holderOf(current: Endpoint, name: string, request: RequestHead, caller: KnownCaller): Endpoint;
  all(): readonly Endpoint[];
}

/** A session stays with the process that holds it, also where a reload has put something without sessions. */
function createRetiring(): Retiring {
  const retiring = new Map<Endpoint, string | undefined>();
  const keep = (endpoint: Endpoint, name: string | undefined, ended: Promise<void>): void => {
    retiring.set(endpoint, name);
    void ended.finally(() => retiring.delete(endpoint));
  };
  return {
    retire: (name, endpoint, graceMs) => keep(endpoint, name, endpoint.retire(graceMs)),
    finish: (endpoint, graceMs) => keep(endpoint, undefined, endpoint.finish(graceMs)),
    holderOf(current, name, request, caller) {
      const id = request.headers['mcp-session-id'];
      if (typeof id !== 'string' || retiring.size === 0) return current;
      for (const [endpoint, of] of retiring) if (of === name && endpoint.holds(id, caller)) return endpoint;
      return current;
    },
    all: () => [...retiring.keys()],
  };
}

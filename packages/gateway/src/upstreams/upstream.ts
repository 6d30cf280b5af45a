import type { Language } from '@mayday/core';
import { redact } from '@mayday/core/redact';
import {
  type CircuitsByCaller,
  createBudgetByCaller,
  createCircuitsByCaller,
  type Listener,
  systemClock,
  systemRandom,
} from '@mayday/policy';
import type {
  Endpoint,
  Hear,
  Link,
  LinkEvents,
  Path,
  ReplyHeaders,
  Revision,
  StartProcess,
  Visit,
  WirePolicy,
} from '@mayday/relay';
import type { Access } from '../access/rules.ts';
import type { DialectChoice } from '../call/dialects.ts';
import { failedTasks } from '../call/failed-tasks.ts';
import { goOn, isKeyed } from '../call/go-on.ts';
import { createHealth, type Health } from '../call/health.ts';
import { heed } from '../call/heed-changes.ts';
import { hideGiven, hiderOf } from '../call/hide-given.ts';
import { createSentSecrets, type SentSecrets } from '../call/hide-sent.ts';
import type { Hide, Hidings } from '../call/hiding.ts';
import { RefusedAttempts } from '../call/made-again.ts';
import { mend } from '../call/mend.ts';
import { hearOf, innerPath, type UpstreamPolicies } from '../call/path.ts';
import { saySilent, sayWhere } from '../call/say-where.ts';
import { taskSecretsOf } from '../call/task-secrets.ts';
import { tellingAlone } from '../call/tell-alone.ts';
import { createToolHints, type ToolHints } from '../call/tool-hints.ts';
import { toolQuestions } from '../call/tool-questions.ts';
import type { CredentialDesk } from '../credentials/desk.ts';
import { createGiving, type Giving } from '../credentials/giving.ts';
import { needCredential } from '../credentials/policies.ts';
import type { Limits } from '../limits/limits.ts';
import { type Environment, reachingWith, reachOf } from '../settings/reach.ts';
import type { UpstreamSettings } from '../settings/settings.ts';
import { lazyDiscovery } from '../shape/lazy-discovery.ts';
import { nameTools } from '../shape/name-tools.ts';
import { createShape, type Shape } from '../shape/shape.ts';
import type { KeptAnswers } from '../state/shared-answers.ts';
import type { CallHooks } from '../telemetry/hooks.ts';
import { type FollowedApi, followApi } from './api-of.ts';
import { askAboutTools } from './ask-about-tools.ts';
import { askAgain } from './ask-again.ts';
import { circuitLines } from './circuit-lines.ts';
import {
  type Connect,
  type ConnectContext,
  connector,
  type LinkLimits,
  overKept,
  type Tally,
} from './connect.ts';
import { Lateness } from './lateness.ts';
import { type Heeding, heedingIn, hiddenWords, type Making, makeEndpoint } from './make-endpoint.ts';
import { OwnStart } from './own-start.ts';
import type { AllTaskRunners, TaskRunners } from './task-runners.ts';
import type { TransportChoice } from './transport-choice.ts';
import type { Transports } from './transports.ts';

/** What all upstreams share. */
export interface UpstreamContext {
  /** Around every call, see `call/path.ts`. */
  readonly outer: readonly WirePolicy[];
  /** In which its failures are read. */
  readonly language: Language;
  /** Does the document of an upstream's dialect have it that nothing is served before a handshake? No, if absent. */
  readonly initializeFirst?: ((upstream: string) => boolean) | undefined;
  /** What callers are answered in; nothing is kept back beside the answers, if absent. */
  readonly dialects?: DialectChoice | undefined;
  readonly messageBytes: number;
  readonly depth: number;
  /** Answers to calls with an idempotency key. */
  readonly answers: KeptAnswers;
  /** Who may use what; everybody everything, if absent. */
  readonly access?: Access | undefined;
  /** What servers were given by settings, those from before included. */
  readonly given: Hidings;
  /** Credentials of callers; absent where there is no store. */
  readonly credentials?: CredentialDesk | undefined;
  /** How much may be asked of them; anything, if absent. */
  readonly limits?: Limits | undefined;
  /** Who watches calls; nobody, if absent. */
  readonly watch?: CallHooks | undefined;
  /** How servers behind URLs are spoken to. */
  readonly transports: Transports;
  /** Gives ids that a server is asked under by nobody else, wherever here. */
  readonly newId: () => number;
  /** Known to no caller, see `ProxyEndpointOptions`. */
  readonly sealSecret: Buffer;
  /** The tasks of processes. */
  readonly tasks: AllTaskRunners;
  /** The environment, which may name proxies. */
  readonly env?: Environment | undefined;
  /** How processes are started; as children of this one, if absent. */
  readonly start?: StartProcess | undefined;
  /** Says that a method of HTTP is not served, in the dialect of whoever tried it. */
  readonly notServed: (upstream: string, visit: Visit, headers: ReplyHeaders) => void;
  /** A note for the operator, redacted. */
  readonly note: (upstream: string, text: string) => void;
  readonly onBug: (error: unknown) => void;
}

/** One server behind the gateway. */
export interface Upstream {
  readonly name: string;
  readonly settings: UpstreamSettings;
  /** Which server it is, and how it is spoken to: a conversation with the same goes on after a reload. */
  readonly server: string;
  readonly circuits: CircuitsByCaller;
  readonly health: Health;
  /** Finds out whether it can be started, where each session has a process of its own. */
  readonly starts: OwnStart | undefined;
  /** What is known about its tools. */
  readonly hints: ToolHints;
  /** Attempts that it has refused, of callers that make them again. */
  readonly refusedAttempts: RefusedAttempts;
  /** Which of its tools callers see, and as what. */
  readonly shape: Shape;
  /** What its server did not do in time when others waited for it. For conversations of `before` too. */
  readonly late: Lateness;
  /** Its processes that run, those of `before` included. */
  readonly processes: Readonly<Tally>;
  /** What its document says, where it is an API. */
  readonly api: FollowedApi | undefined;
  /** Of its conversations, those of `before` included. */
  readonly limits: LinkLimits;
  /** What its calls were sent with as a secret, those of `before` included. */
  readonly sent: SentSecrets;
  /** Around what is asked of it. */
  readonly inner: readonly WirePolicy[];
  readonly hear: Hear;
  readonly endpoint: Endpoint;
  /** The tasks of its processes. */
  readonly tasks: TaskRunners;
  /** Words about it without secrets, and without what its server was given. */
  clean(text: string): string;
  /** A conversation was opened again: what was listed in it counts no more. */
  forgetTools(): void;
  /** Opens a conversation of its own. */
  connect(use: 'session' | 'shared', events: LinkEvents, revision: Revision, callerName?: string): Link;
}

/**
 * Builds an upstream. Nothing is started or fetched before it is needed, except an API's document. The sessions of
 * the one `before` it go on here.
 */
export function createUpstream(
  settings: UpstreamSettings,
  context: UpstreamContext,
  before?: Upstream,
): Upstream {
  const { name } = settings;
  const server = serverOf(settings, context);
  const hide = hiderFor(settings, context);
  const clean = (text: string): string => redact(hide?.(text) ?? text).value;
  const note = (text: string): void => context.note(name, clean(text));
  const starts = startsOf(settings, () => connecting, hide);
  const circuits = circuitsOf(settings, circuitLines(note), starts);
  const learned = learnedOf(settings, context, before?.server === server ? before : undefined);
  const { hints } = learned;
  const health = createHealth();
  const linkLimits = limitsFor(before, context);
  const processes: Tally = before?.processes ?? { count: 0 };
  const api = apiFor(settings, before?.server === server ? before.api : undefined, { note, hints });
  const giving = createGiving(settings, { desk: context.credentials, note });
  const { reach, reachApi } = reaching(settings, context);
  const known = { ...learned, circuits, health };
  const policies = { settings, ...known, starts, note, hide, ...stateOf(context) };
  const hear = hearOf(settings, context.language, hide, hints);
  const inner = innerOf({ ...policies, hear }, giving, reach?.proxy);
  const choice = choiceFor(settings, server, context);
  const tasks = context.tasks.of(name);
  const conversing = {
    ...commonOf(context),
    limits: linkLimits,
    hide,
    note,
    processes,
    onEnded: () => (settings.type === 'command' ? hints.forget() : hints.lapse()),
    api,
    choice,
    reach,
    reachApi,
    giving,
    tasks,
  };
  const connecting = connector(settings, conversing);
  const keeping = settings.type === 'url' ? overKept(settings, conversing) : connecting;
  const connect = heedingIn(connecting, { ...learned, hide });
  const shape = createShape(settings.tools);
  const path = pathOf(settings, { ...learned, inner, hear, shape, hide }, context);
  const making = { ...known, ...conversing, path, connect, keeping, server, shape };
  const endpoint = makeEndpoint(settings, making, context, before);
  return {
    name,
    settings,
    server,
    ...known,
    starts,
    shape,
    late: before?.server === server ? before.late : new Lateness(),
    processes,
    api,
    limits: linkLimits,
    inner,
    hear,
    endpoint,
    tasks,
    connect,
    clean,
    forgetTools: () => hints.lapse(),
  };
}

/** Conversations with the same server go on, and what they say about its tools and of its refusals, and were sent, counts here. */
function learnedOf(
  { name, type }: UpstreamSettings,
  { access }: UpstreamContext,
  before: Upstream | undefined,
): Pick<Upstream, 'hints' | 'refusedAttempts' | 'sent'> {
  const { hints = createToolHints(), refusedAttempts = new RefusedAttempts() } = before ?? {};
  const ofTasks = taskSecretsOf(access, name);
  const sent = before?.sent ?? createSentSecrets({ getsHeaders: type === 'url', ofTasks });
  return { hints, refusedAttempts, sent };
}

/** Around everything that is asked at its own endpoint. */
function pathOf(
  settings: UpstreamSettings,
  {
    inner,
    hear,
    shape,
    hints,
    hide,
    sent,
  }: Pick<Upstream, 'inner' | 'hear' | 'shape' | 'hints' | 'sent'> & Pick<Making, 'hide'>,
  context: UpstreamContext,
): Path {
  return {
    outer: context.outer,
    inner: [...naming(settings, { shape, hints }, context), ...inner],
    hear,
    // What comes in a call or over a conversation is hidden there; streams of a URL that stand for themselves are not.
    mend: heedingMend({ hints, sent, hide: settings.type === 'url' ? hide : undefined }),
    mendFor: tellingAlone(settings.name, context, hints),
    goesOn: isKeyed,
  };
}

/** How it is reached, where it is over HTTP. */
function reaching(
  settings: UpstreamSettings,
  { env = {} }: UpstreamContext,
): Pick<ConnectContext, 'reach' | 'reachApi'> {
  if (settings.type === 'url') return { reach: reachOf(settings, env) };
  return {
    reach: undefined,
    reachApi: settings.type === 'openapi' ? reachingWith(settings, env) : undefined,
  };
}

/**
 * Takes out whatever the server was given: by the settings, and in the name of callers, of whichever. Conversations go on
 * with what the settings said when they were opened, so what was given once counts, too.
 */
function hiderFor(settings: UpstreamSettings, { given, credentials }: UpstreamContext): Hide | undefined {
  const own = hiderOf(settings, given.of(settings.name));
  const callers = credentials?.hiderOf(settings.name);
  return own && callers ? (words, instead) => callers(own(words, instead), instead) : (own ?? callers);
}

/** Around everything else at its own endpoint: below there are only names of its own. */
function naming(
  { name, tools, timeoutMs }: UpstreamSettings,
  { shape, hints }: Pick<Upstream, 'shape' | 'hints'>,
  { access }: UpstreamContext,
): readonly WirePolicy[] {
  const names = nameTools(shape, { upstream: name, hints, access });
  return tools.discovery === 'lazy' ? [lazyDiscovery(timeoutMs), names] : [names];
}

/** Around what is asked of it; what it was given is hidden before anything else sees it. */
function innerOf(
  policies: Omit<UpstreamPolicies, 'ask' | 'budget'> & Pick<Upstream, 'settings' | 'sent' | 'hear'>,
  giving: Giving | undefined,
  proxy: URL | undefined,
): readonly WirePolicy[] {
  const { hints, settings, hide, sent, hear } = policies;
  const needs = giving && [needCredential(giving)];
  const ask = toolQuestions(hints, systemClock);
  return [
    ...(settings.type === 'url' ? [saySilent(settings)] : []),
    ...innerPath({ ...policies, ask, needs, budget: createBudgetByCaller() }),
    askAboutTools(hints, settings, ask, policies.dialects?.language),
    ...(settings.type === 'url' ? [askAgain(hints, settings, ask)] : []),
    goOn(settings),
    sent.hide,
    failedTasks(hear),
    ...(hide === undefined ? [] : [hideGiven(hide)]),
    ...(settings.type === 'url' ? [sayWhere(settings, proxy)] : []),
  ];
}

function stateOf({
  answers,
  access,
  limits,
  watch,
  dialects,
}: UpstreamContext): Pick<UpstreamContext, 'answers' | 'access' | 'limits' | 'watch' | 'dialects'> {
  return { answers, access, limits, watch, dialects };
}

/** What conversations with all upstreams have in common. */
function commonOf({
  language,
  depth,
  newId,
  start,
}: UpstreamContext): Pick<ConnectContext, 'language' | 'depth' | 'newId' | 'start'> {
  return { language, depth, newId, start };
}

/** What was read of a document holds as long as the API is the same. */
function apiFor(
  settings: UpstreamSettings,
  before: FollowedApi | undefined,
  { note, hints }: { readonly note: (text: string) => void; readonly hints: ToolHints },
): FollowedApi | undefined {
  if (settings.type !== 'openapi' || settings.unset !== undefined) return undefined;
  const onTools = (tools: unknown): void => {
    hints.forget();
    hints.learnForAll(tools);
  };
  return before ?? followApi(settings, { note, onTools });
}

/** Conversations that are open take the limits of now. */
function limitsFor(before: Upstream | undefined, { messageBytes }: UpstreamContext): LinkLimits {
  const limits: LinkLimits = before?.limits ?? { messageBytes };
  limits.messageBytes = messageBytes;
  return limits;
}

/** Looks at what a server says beside its answers, and takes secrets out of it. */
function heedingMend({ hints, hide, sent }: Heeding): (message: Buffer) => Buffer {
  return (message) => {
    heed(hints, message);
    return mend(sent.hideTold(hiddenWords(message, hide)));
  };
}

/** All that decides what a conversation is. The rest stands around it. */
function serverOf(settings: UpstreamSettings, { messageBytes, depth }: UpstreamContext): string {
  if (settings.unset !== undefined) return JSON.stringify({ unset: settings.unset });
  if (settings.type === 'url') {
    const { url, headers, transport, proxy, ca, callerCredentials } = settings;
    return JSON.stringify([url, headers, transport, proxy, ca, callerCredentials]);
  }
  if (settings.type === 'command') {
    const { command, args, env, cwd } = settings;
    return JSON.stringify([command, args, env, cwd]);
  }
  const { openapi, baseUrl, headers, query, origins, idempotencyHeader, operations, from } = settings;
  const { proxy, ca, callerCredentials } = settings;
  const where = [openapi, baseUrl, headers, query, origins, idempotencyHeader, callerCredentials, proxy, ca];
  return JSON.stringify([...where, operations, from, messageBytes, depth]);
}

/** Said outright, or to be found out. */
function choiceFor(
  settings: UpstreamSettings,
  server: string,
  { transports }: UpstreamContext,
): TransportChoice {
  const { transport } = settings.type === 'url' ? settings : { transport: 'auto' as const };
  return transport === 'auto' ? transports.of(server) : { transport, found: () => undefined };
}

/** What is started for one session alone may end over what that says: nobody else is held back by it. */
function startsOf(
  settings: UpstreamSettings,
  connecting: () => Connect,
  hide: Hide | undefined,
): OwnStart | undefined {
  if (settings.type !== 'command' || settings.unset !== undefined) return undefined;
  const connect = (): Link => connecting()('session', { onMessage: () => undefined }, '2025-11-25');
  return new OwnStart({ connect, limitMs: settings.openTimeoutMs, hide });
}

/** Of fewer calls within some seconds, no share says anything. */
const CALLS_OF_A_SERVER = 20;
const CALLS_OF_A_TOOL = 10;

/**
 * Only silence and broken pipes speak against a server; a tool that does not work has a circuit of its own. What one
 * caller meets is held against nobody else's calls.
 */
function circuitsOf(
  { name, breaker }: UpstreamSettings,
  emit: Listener,
  starts: OwnStart | undefined,
): CircuitsByCaller {
  // What is usual is fewer calls than somebody may want to see fail: half of those would hold the rest back before.
  const from = (usual: number) =>
    breaker && {
      consecutive: breaker.failures,
      minimumCalls: Math.max(usual, breaker.failures),
      openMs: breaker.openMs,
    };
  return createCircuitsByCaller({
    name,
    breaker: from(CALLS_OF_A_SERVER),
    targetBreaker: from(CALLS_OF_A_TOOL),
    clock: systemClock,
    random: systemRandom,
    emit,
    tryStart: starts && (() => starts.try()),
  });
}

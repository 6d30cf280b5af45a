/** The endpoint of an upstream: what stands between callers and conversations with its server. */
import { isDeepStrictEqual } from 'node:util';
import {
  type Endpoint,
  encode,
  type HttpClientOptions,
  type Link,
  LinkEndpoint,
  type LinkEvents,
  nameOf,
  type Path,
  ProxyEndpoint,
  type WireCall,
  type WirePolicy,
} from '@mayday/relay';
import { strayTrimmer } from '../access/trim-lists.ts';
import { failingHeaders } from '../call/failing-headers.ts';
import { heed } from '../call/heed-changes.ts';
import { hidden, hideGiven, inBytes } from '../call/hide-given.ts';
import type { SentSecrets } from '../call/hide-sent.ts';
import type { Hide } from '../call/hiding.ts';
import { failingInstead } from '../call/sound-list.ts';
import { strayMender } from '../call/stray.ts';
import type { ToolHints } from '../call/tool-hints.ts';
import type { Giving } from '../credentials/giving.ts';
import type { UpstreamSettings, UrlSettings } from '../settings/settings.ts';
import type { Shape } from '../shape/shape.ts';
import { shapeList } from '../shape/shape-list.ts';
import { AutoEndpoint } from './auto-endpoint.ts';
import { type Connect, reachFor } from './connect.ts';
import { keepCredentials } from './keep-credentials.ts';
import type { TaskRunners } from './task-runners.ts';
import { tasksElsewhere } from './tasks-elsewhere.ts';
import { findTransport, seeOpenings, type Transport, type TransportChoice } from './transport-choice.ts';
import type { Upstream, UpstreamContext } from './upstream.ts';

/** What an endpoint is made of. */
export interface Making {
  readonly path: Path;
  readonly connect: Connect;
  /** The same for conversations that are kept here in place of the server. */
  readonly keeping: Connect;
  readonly tasks: TaskRunners;
  readonly server: string;
  readonly shape: Shape;
  readonly hide: Hide | undefined;
  readonly sent: SentSecrets;
  /** What the server gets of each caller's own; nothing, if absent. */
  readonly giving: Giving | undefined;
  readonly hints: ToolHints;
  readonly choice: TransportChoice;
  readonly reach: HttpClientOptions | undefined;
  readonly note: (text: string) => void;
}

/** Makes it. The sessions of the one `before` it go on there. */
export function makeEndpoint(
  settings: UpstreamSettings,
  making: Making,
  context: UpstreamContext,
  before: Upstream | undefined,
): Endpoint {
  return settings.type === 'url' && settings.unset === undefined
    ? atUrl(settings, making, context, before)
    : overLinks(settings, making, context, before);
}

function atUrl(
  settings: UrlSettings,
  making: Making,
  context: UpstreamContext,
  before: Upstream | undefined,
): Endpoint {
  const { transport } = settings;
  if (transport === 'http') return proxyTo(settings, making, context, before);
  const keeps = keeping(settings, making);
  if (transport === 'sse') return overLinks(settings, keeps, context, before);
  const { choice } = making;
  const again = new WeakSet<readonly string[]>();
  const find = ({ headers, by }: WireCall): Promise<Transport | undefined> => {
    const { authorization } = headers;
    const own = typeof authorization !== 'string' || by.isKnown ? {} : { authorization };
    return findTransport({
      url: settings.url,
      reach: reachFor(making, 'session', nameOf(by)),
      headers: { ...own, ...settings.headers },
    });
  };
  const seen = { choice, again, find, onBug: context.onBug };
  const overHttp = seeOpenings({ ...seen, tried: () => 'http', onOpened: () => choice.found('http') });
  const overKept = seeOpenings({ ...seen, tried: () => choice.transport ?? 'sse' });
  return new AutoEndpoint({
    choice,
    again,
    proxy: proxyTo(settings, watched(making, overHttp), context, before),
    kept: overLinks(settings, watched(keeps, overKept), context, before),
  });
}

function watched(making: Making, see: WirePolicy): Making {
  const { path } = making;
  return { ...making, path: { ...path, inner: [...path.inner, see] } };
}

/** At its own endpoint the credential of a caller goes along, where it is for the server. */
function keeping(settings: UrlSettings, making: Making): Making {
  const { path } = making;
  return {
    ...making,
    connect: heedingIn(making.keeping, making),
    path: { ...path, inner: [...path.inner, keepCredentials(settings.tokenAudience)] },
  };
}

/** Sessions go on where they are looked for: of a URL they are in another place than all others. */
function linksOf(before: Upstream | undefined, type: UpstreamSettings['type']): LinkEndpoint | undefined {
  if (before === undefined || (before.settings.type === 'url') !== (type === 'url')) return undefined;
  const { endpoint } = before;
  if (endpoint instanceof AutoEndpoint) return endpoint.kept;
  return endpoint instanceof LinkEndpoint ? endpoint : undefined;
}

function proxyOf(endpoint: Endpoint | undefined): ProxyEndpoint | undefined {
  if (endpoint instanceof AutoEndpoint) return endpoint.proxy;
  return endpoint instanceof ProxyEndpoint ? endpoint : undefined;
}

function overLinks(
  settings: UpstreamSettings,
  { path, connect, tasks, server, note: onNote }: Making,
  context: UpstreamContext,
  before: Upstream | undefined,
): LinkEndpoint {
  const hasOtherTools = before !== undefined && !isDeepStrictEqual(before.settings.tools, settings.tools);
  return new LinkEndpoint({
    upstream: settings.name,
    connect: (use, events, revision, listener) =>
      connect(use, events, revision, listener && nameOf(listener().by)),
    ask: (link) => tasks.over(link, path.hear),
    path,
    sessions: settings.sessions,
    before: linksOf(before, settings.type),
    renew: renewing(server, before, hasOtherTools),
    hasOtherLists: hasOtherTools,
    maxDepth: context.depth,
    initializeFirst: context.initializeFirst?.(settings.name),
    speaks: ['2026-07-28'], // a process has no headers to check, and its SDK looks at its first message only
    onNote,
    onBug: context.onBug,
  });
}

function proxyTo(
  settings: UrlSettings,
  { path: around, shape, reach, hide, sent, giving, tasks, note: onNote }: Making,
  context: UpstreamContext,
  before: Upstream | undefined,
): ProxyEndpoint {
  // Under each name that its server has, there may be conversations with it.
  const runners = (): readonly TaskRunners[] => [
    tasks,
    ...(context.access?.namesOf?.(settings.name) ?? []).map((name) => context.tasks.of(name)),
  ];
  const path = { ...around, inner: [...around.inner, tasksElsewhere(runners, around.hear)] };
  const mendStray = strayMender(around, [sent.hide, ...(hide === undefined ? [] : [hideGiven(hide)])]);
  const trimStray = strayTrimmer(context.access, settings.name);
  return new ProxyEndpoint({
    upstream: settings.name,
    url: settings.url,
    path,
    newId: context.newId,
    sealSecret: context.sealSecret,
    before: proxyOf(before?.endpoint),
    headers: settings.headers,
    reach: reachFor({ reach, giving }, 'shared', undefined),
    tokenAudience: settings.tokenAudience,
    timeoutMs: settings.timeoutMs,
    openTimeoutMs: settings.openTimeoutMs,
    maxMessageBytes: context.messageBytes,
    maxDepth: context.depth,
    mendStray: async (call, message) => {
      const trimmed = trimStray(call, sent.hideTold(await mendStray(call, message)));
      return shape.isPlain ? trimmed : (shapeList(trimmed, shape) ?? failingInstead(trimmed));
    },
    failingHeaders: (status, headers) => hidden(failingHeaders(status, headers), hide),
    maySay: hide && ((id) => hide(id) === id),
    notServed: (visit, headers) => context.notServed(settings.name, visit, headers),
    onNote,
    onBug: context.onBug,
  });
}

/** A message without what the server was given. */
export function hiddenWords(message: Buffer, hide: Hide | undefined): Buffer {
  return hide === undefined ? message : inBytes(message, hide);
}

/** What is known of whatever a server says beside its answers. */
export type Heeding = Pick<Making, 'hints' | 'hide' | 'sent'>;

/** What a server says to nobody in particular may be that its tools are others. */
export function heedingIn(connecting: Connect, { hints, hide, sent }: Heeding): Connect {
  return (use, events, revision, callerName) => {
    const onMessage = (message: Buffer): unknown => {
      heed(hints, message);
      return events.onMessage(sent.hideTold(hiddenWords(message, hide)));
    };
    const link = connecting(use, { ...events, onMessage }, revision, callerName);
    hearers.set(link, events.onMessage);
    return link;
  };
}

/** Whom a conversation speaks to, for what the gateway itself has to tell there. */
const hearers = new WeakMap<Link, LinkEvents['onMessage']>();

const TOOLS_CHANGED: Buffer = encode({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });

/** With the same server conversations go on; their clients are told where the tools that they see are others. */
function renewing(
  server: string,
  before: Upstream | undefined,
  hasOtherTools: boolean,
): (link: Link) => 'goes on' | 'ends' {
  return (link) => {
    if (hasOtherTools) hearers.get(link)?.(TOOLS_CHANGED);
    return before?.server === server ? 'goes on' : 'ends';
  };
}

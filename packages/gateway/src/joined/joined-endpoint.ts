/** The endpoint that joins all upstreams. */
import type { Language } from '@mayday/core';
import {
  createHear,
  encode,
  LinkEndpoint,
  type LinkEndpointOptions,
  nameOf,
  type Outgoing,
  OWN_OPENING,
  peek,
  type WirePolicy,
} from '@mayday/relay';
import { hideUnknown } from '../access/authorize.ts';
import type { Access } from '../access/rules.ts';
import { tellingWithin } from '../access/tell-within.ts';
import { closedAs, closingFor } from '../call/close-beside.ts';
import type { DialectChoice } from '../call/dialects.ts';
import { isKeyed } from '../call/go-on.ts';
import { mend } from '../call/mend.ts';
import type { Settings, VirtualSettings } from '../settings/settings.ts';
import { lazyDiscovery } from '../shape/lazy-discovery.ts';
import { meantAmong } from '../shape/meant.ts';
import { createJoinedView, createVirtualView, type View } from '../shape/view.ts';
import { OPENING_MS } from '../upstreams/connect.ts';
import type { Upstream } from '../upstreams/upstream.ts';
import { askJoined } from './ask-joined.ts';
import { type JoinedContext, ruledBy } from './context.ts';
import { JoinedLink, type JoinedLinkOptions } from './joined-link.ts';
import { createListChanges } from './list-changes.ts';
import { OwnWords } from './own-words.ts';
import { Part } from './part.ts';
import { withTaskNames } from './task-names.ts';

/** What the joined endpoint shares with the others. */
export interface JoinedEndpointOptions {
  readonly upstreams: ReadonlyMap<string, Upstream>;
  readonly settings: Pick<Settings, 'joined' | 'sessions' | 'limits'>;
  /** The virtual server that it is; all that the upstreams have, if absent. */
  readonly virtual?: VirtualSettings | undefined;
  /** The joined endpoint that this one replaces: its sessions go on here. */
  readonly before?: JoinedEndpoint | undefined;
  /** Around every call. */
  readonly outer: readonly WirePolicy[];
  /** Around what is asked of all upstreams. */
  readonly recording: readonly WirePolicy[];
  readonly language: Language;
  /** A note for the operator about an upstream. */
  readonly note: (upstream: string, text: string) => void;
  /** Who may use what. */
  readonly access: Access;
  /** Nothing is served before a handshake. */
  readonly initializeFirst: boolean;
  /** What callers are answered in. */
  readonly dialects: DialectChoice;
  /** Is there one client alone, who has started the gateway? */
  readonly isForOne: boolean;
  /** Are the lists other than they were, whoever the upstreams are? */
  readonly hasOtherLists: boolean;
  readonly onBug: (error: unknown) => void;
}

/** The name under which it stands in calls and faults. */
export const JOINED = 'gateway';

/**
 * Many who have started the gateway take its first list for all there is, and would wait longer for each server alone. Some
 * give up after 10 s in all.
 */
const ONE_WAITS_MS = 8000;

/** Several upstreams at one address, and what they are seen as there. */
export type JoinedEndpoint = LinkEndpoint<JoinedLink> & { readonly view: View };

type Connect = LinkEndpointOptions<JoinedLink>['connect'];

/** Joins upstreams under prefixed names, or serves a selection of their tools. */
export function createJoinedEndpoint(options: JoinedEndpointOptions): JoinedEndpoint {
  const { upstreams, settings, virtual, before } = options;
  const { partTimeoutMs, startTimeoutMs = options.isForOne ? ONE_WAITS_MS : partTimeoutMs } = settings.joined;
  const { separator, discovery } = virtual ?? settings.joined;
  const view =
    virtual === undefined
      ? createJoinedView(upstreams, separator, before?.view)
      : createVirtualView(upstreams, virtual, before?.view);
  const meant = meantAmong(upstreams.keys());
  const context: JoinedContext = {
    view,
    meant,
    instructions: virtual?.instructions,
    path: virtual === undefined ? '/mcp' : `/${virtual.name}/mcp`,
    partTimeoutMs,
    startTimeoutMs,
    isForOne: options.isForOne,
    recording: options.recording,
    note: once(options.note),
    ...ruledBy(options.access),
  };

  const endpoint = new LinkEndpoint<JoinedLink>({
    upstream: JOINED,
    connect: connectorOf(upstreams, separator, context, options),
    ask: (link) => askJoined(link, context),
    path: {
      outer: options.outer,
      // Above what hides: a tool that is named in arguments is hidden like every other.
      inner: [
        ...(discovery === 'lazy' ? [lazyDiscovery(OPENING_MS, meant)] : []),
        hideUnknown(options.access),
      ],
      hear: createHear({ language: options.language }),
      mend,
      mendFor: (visit) => closingFor(visit, JOINED, options.dialects),
      goesOn: isKeyed,
    },
    sessions: settings.sessions,
    before,
    renew: (link) => {
      link.follow(upstreams, separator, options.hasOtherLists);
      return 'goes on';
    },
    maxDepth: settings.limits.depth,
    speaks: ['2026-07-28'],
    initializeFirst: options.initializeFirst,
    onBug: options.onBug,
  });
  return Object.assign(endpoint, { view });
}

/** How conversations with all of them are opened. */
function connectorOf(
  upstreams: ReadonlyMap<string, Upstream>,
  separator: string,
  context: JoinedContext,
  { dialects, access }: Pick<JoinedEndpointOptions, 'dialects' | 'access'>,
): Connect {
  const { view } = context;
  return (use, events, revision, listener) => {
    const callerName = listener && nameOf(listener().by);
    // A process that many share is opened by its link; every other server expects to be opened by somebody.
    const isUnopened = use === 'shared' && revision === '2025-11-25';
    const onMessage = createListChanges(events.onMessage);
    const isHeard = (message: Buffer): boolean => !view.hasToolsOnly || isOfTools(message);
    /** An upstream that was missing from the lists has come. */
    const changed = (): void => CHANGED.filter(isHeard).forEach(onMessage);
    const join: JoinedLinkOptions['join'] = (upstream, mark, { lasting, tasks, clientTasks }) => {
      const reply = (body: Buffer): void => part.send({ body, peek: peek(body), revision });
      const note = (text: string): void => context.note(upstream.name, text);
      const words = new OwnWords(mark, note, { tasks: clientTasks, isMany: use === 'shared', reply });
      const telling = tellingWithin(access, upstream.name, upstream.hints);
      const own = {
        ...events,
        onMessage: (message: Buffer) => {
          const told = listener === undefined ? message : telling(message, listener());
          if (told === undefined) return false;
          const said = words.own(
            withTaskNames(closedAs(upstream.name, told, dialects), upstream.name, tasks),
          );
          return said !== undefined && isHeard(said) && onMessage(said);
        },
        onForgotten: () => part.openAgain(),
      };
      const part: Part = new Part(upstream, upstream.connect(use, own, revision, callerName), {
        onLate: changed,
        lasting,
        words,
        mark,
        tasks,
      });
      if (isUnopened && upstream.settings.type === 'url') part.openLater(GATEWAY_OPENING);
      return part;
    };
    return new JoinedLink(upstreams, { join, changed, separator, isShared: use === 'shared' });
  };
}

/** Of prompts and resources, clients of a server without them hear nothing. */
function isOfTools(message: Buffer): boolean {
  return !/^notifications\/(?:prompts|resources)\//.test(peek(message).method);
}

/** Clients list again and again: what there is to say about it is said once. */
function once(note: JoinedEndpointOptions['note']): JoinedEndpointOptions['note'] {
  const told = new Set<string>();
  return (upstream, text) => {
    const line = `${upstream} ${text}`;
    if (told.has(line) || told.size >= MAX_TOLD) return;
    told.add(line);
    note(upstream, text);
  };
}

/** A server that lists something else each time does not fill the log. */
const MAX_TOLD = 1000;

const GATEWAY_OPENING: Outgoing = {
  body: OWN_OPENING.initialize,
  peek: peek(OWN_OPENING.initialize),
  revision: '2025-11-25',
};

const CHANGED: readonly Buffer[] = ['tools', 'prompts', 'resources'].map((list) =>
  encode({ jsonrpc: '2.0', method: `notifications/${list}/list_changed` }),
);

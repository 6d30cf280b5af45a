/** Everything that the settings decide. A reload makes a new one and keeps of the old what has not changed. */
import { isDeepStrictEqual } from 'node:util';
import type { Fault, Language } from '@mayday/core';
import { type Access, createRules, type Rules } from './access/rules.ts';
import { type DialectChoice, dialectFor } from './call/dialects.ts';
import type { Hidings } from './call/hiding.ts';
import { outerPath, recordingPath } from './call/path.ts';
import type { BesideFault, FailedCall } from './call/record.ts';
import type { CredentialDesk } from './credentials/desk.ts';
import { createFaultLines } from './faults/fault-lines.ts';
import type { FaultLog } from './faults/fault-log.ts';
import { notByServer, refuse } from './http/refusals.ts';
import { type Callers, createCallers } from './identity/callers.ts';
import type { IssuedKeys } from './identity/issued-keys.ts';
import { createKeys } from './identity/keys.ts';
import { createOAuth, type OAuth } from './identity/oauth/oauth.ts';
import type { JoinedEndpoint } from './joined/joined-endpoint.ts';
import type { LimitKeeper } from './limits/keeper.ts';
import { createLimits } from './limits/limits.ts';
import { callFacts, type Log } from './log-words.ts';
import { createMade, type MadeEndpoint } from './made-endpoints.ts';
import { isSameUpstream } from './settings/changes.ts';
import type { Environment } from './settings/reach.ts';
import type { Settings } from './settings/settings.ts';
import type { KeptAnswers } from './state/shared-answers.ts';
import type { Telemetry } from './telemetry/hooks.ts';
import type { AllTaskRunners } from './upstreams/task-runners.ts';
import type { Transports } from './upstreams/transports.ts';
import { createUpstream, type Upstream, type UpstreamContext } from './upstreams/upstream.ts';

/** What the settings decide; replaced as a whole. */
export interface Setup {
  readonly settings: Settings;
  readonly upstreams: ReadonlyMap<string, Upstream>;
  readonly joined: JoinedEndpoint | undefined;
  /** Servers that are made of tools of upstreams, by name. */
  readonly virtual: ReadonlyMap<string, MadeEndpoint>;
  /** Who may use what; nothing is refused where there are none. */
  readonly rules: Rules | undefined;
  readonly callers: Callers;
  /** Those who come with tokens; nobody does, if absent. */
  readonly oauth: OAuth | undefined;
  readonly dialects: DialectChoice;
}

/** What outlives settings. */
export interface SetupContext {
  /** The dialects that can be read and written. */
  readonly language: Language;
  readonly journal: FaultLog;
  /** Answers to calls with an idempotency key. */
  readonly answers: KeptAnswers;
  /** Is there one client alone, who has started the gateway? */
  readonly isForOne: boolean;
  /** Who may use what: replaced here, for all endpoints there are. */
  readonly access: Access;
  /** Where limits are counted. */
  readonly keeper: LimitKeeper;
  /** What servers were given by settings. */
  readonly given: Hidings;
  /** Credentials of callers toward servers. */
  readonly credentials: CredentialDesk | undefined;
  /** Keys beside those of the settings. */
  readonly issued: IssuedKeys | undefined;
  /** Who watches calls; nobody, if absent. */
  readonly telemetry: Telemetry | undefined;
  /** How servers behind URLs are spoken to. */
  readonly transports: Transports;
  /** Gives ids that a server is asked under by nobody else, wherever here. */
  readonly newId: () => number;
  /** Known to no caller, see `ProxyEndpointOptions`. */
  readonly sealSecret: Buffer;
  /** The tasks of processes. */
  readonly tasks: AllTaskRunners;
  /** The environment, which may name proxies. */
  readonly env: Environment;
  readonly log: Log;
  readonly onBug: (error: unknown) => void;
}

/** Builds what the settings say. */
export function createSetup(settings: Settings, shared: SetupContext, before?: Setup): Setup {
  const dialects = choiceOf(settings, shared.language);
  const policies = policiesOf(settings, shared, dialects);
  const watch = shared.telemetry?.hooks;
  const limits = createLimits(settings.limits, shared.keeper);
  const initializeFirst = (upstream: string): boolean =>
    shared.language.dialect(dialects.of(upstream)).initializeFirst === true;
  const context: UpstreamContext = {
    outer: outerPath(policies, limits, watch),
    watch,
    limits,
    initializeFirst,
    dialects,
    messageBytes: settings.limits.messageBytes,
    depth: settings.limits.depth,
    ...outliving(shared),
    notServed: (upstream, { request, caller, reply }, headers) => {
      const dialect = dialectFor({ headers: request.headers, by: caller }, upstream, dialects);
      const { language, onBug } = shared;
      refuse(reply, notByServer(headers), { dialect, language, onBug });
    },
    note: (upstream, text) => shared.log(`upstream=${upstream} ${text}`),
  };
  const isKept = before !== undefined && isDeepStrictEqual(reaching(before.settings), reaching(settings));
  const kept = isKept ? before : undefined;
  const upstreams = new Map<string, Upstream>();
  for (const [name, upstream] of settings.upstreams) {
    const old = kept?.upstreams.get(name);
    const isUnchanged = old !== undefined && isSameUpstream(old.settings, upstream);
    const replaces = before?.upstreams.get(name);
    upstreams.set(name, isUnchanged ? old : createUpstream(upstream, context, replaces));
  }
  for (const { api } of upstreams.values()) api?.look();
  const { joined, virtual } = createMade({
    settings,
    upstreams,
    before,
    isKept,
    outer: context.outer,
    recording: recordingPath(policies),
    shared,
    note: context.note,
    initializeFirst,
    dialects,
  });
  const rules = createRules(
    settings,
    (call) => dialectFor(call, call.upstream, dialects).oneRefusal === true,
  );
  shared.access.rules = rules;
  shared.access.namesOf = namesOfServers(upstreams);
  const note = (issuer: string, text: string): void => shared.log(`oauth issuer=${issuer} ${text}`);
  const oauth = createOAuth(settings.oauth, note, before?.oauth);
  const isClosed = oauth !== undefined || settings.access.withoutKey === 'refuse';
  const keys = createKeys(settings.keys, shared.issued, isClosed);
  const callers = createCallers(keys, oauth);
  return { settings, upstreams, joined, virtual, rules, callers, oauth, dialects };
}

/** What does not depend on the settings. */
function outliving(shared: SetupContext): Pick<UpstreamContext, keyof SetupContext & keyof UpstreamContext> {
  const { language, answers, access, given, credentials, transports } = shared;
  const { newId, sealSecret, tasks, env, onBug } = shared;
  return { language, answers, access, given, credentials, transports, newId, sealSecret, tasks, env, onBug };
}

/** Whoever stands in the file twice has one set of tasks; so may addresses of one origin. */
function namesOfServers(upstreams: ReadonlyMap<string, Upstream>): (upstream: string) => readonly string[] {
  const placeOf = ({ settings, server }: Upstream): string =>
    settings.type === 'url' && settings.unset === undefined ? originOf(settings.url) : server;
  const places = new Map<string, string[]>();
  for (const upstream of upstreams.values())
    places.set(placeOf(upstream), [...(places.get(placeOf(upstream)) ?? []), upstream.name]);
  return (name) => {
    const upstream = upstreams.get(name);
    return (upstream && places.get(placeOf(upstream))) ?? [name];
  };
}

/** This machine has several names for itself. */
function originOf({ protocol, hostname, port }: URL): string {
  const host = /^(?:localhost\.?|127(?:\.\d+){3}|\[::1\])$/.test(hostname) ? 'localhost' : hostname;
  return `${protocol}//${host}:${port}`;
}

/** What every call passes, whichever server it is for. */
function policiesOf(settings: Settings, shared: SetupContext, dialects: DialectChoice) {
  const lineOf = createFaultLines();
  return {
    journal: shared.journal,
    onBug: shared.onBug,
    textBytes: settings.limits.textBytes,
    dialects,
    redactionOf: (upstream: string) => settings.upstreams.get(upstream)?.redaction ?? 'standard',
    onFault(fault: Fault, of: FailedCall, beside: BesideFault) {
      shared.telemetry?.failed(fault, of, beside.trace);
      shared.log(lineOf(fault, of, beside), callFacts(fault, of, beside.trace));
    },
  };
}

/** Throws a sentence when the settings name a dialect that the language has not. */
function choiceOf({ dialect, keys, upstreams }: Settings, language: Language): DialectChoice {
  const named = [...upstreams.values()].flatMap((upstream) => [upstream.dialect, upstream.from]);
  for (const id of [dialect, ...keys.map((key) => key.dialect), ...named])
    if (id !== undefined) language.dialect(id);
  return { language, of: (upstream) => upstreams.get(upstream)?.dialect ?? dialect };
}

/** Settings that reach into every upstream. */
function reaching({ dialect, limits }: Settings): object {
  return { dialect, limits };
}

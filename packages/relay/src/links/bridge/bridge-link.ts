/**
 * A conversation of the 2025 era with a server that only knows the stateless revision: what a conversation keeps is kept
 * here, and every request brings it along. What the server wants to know in the middle of a call it says in place of an
 * answer; the client is asked as it would be by a server of its own era, and the call goes on with what it says.
 */
import { type FaultInit, read } from '@mayday/core';
import { SERVER_INFO_KEY, SESSION_REVISION } from '@mayday/core/protocol';
import { idBytes, idOf, withId } from '../../framing/ids.ts';
import { decode, encode, isMembers, type Members } from '../../framing/json.ts';
import { peek } from '../../framing/peek.ts';
import { paramsOf, resultOf } from '../../protocol/params.ts';
import { tellsOfWork } from '../../protocol/tells-of-work.ts';
import type { Cancel, Link, LinkEvents, Outgoing, Sink } from '../link.ts';
import { Listening } from './listening.ts';
import { type Rounds, RoundsByKey } from './rounds.ts';
import { type Agreed, ownRequest, sayingExecuted, statelessly } from './stateless-request.ts';

/** With whom. */
export interface BridgeLinkOptions extends LinkEvents {
  /** Speaks with the server, statelessly. */
  readonly link: Link;
}

/** More rounds than this lead nowhere. */
const MAX_ROUNDS = 20;

type Answering = (answer: Members | undefined) => void;

/** One conversation. */
export class BridgeLink implements Link {
  readonly #link: Link;
  readonly #listening: Listening;
  /** Questions that the client was asked and has not answered. */
  readonly #asked: Map<string, Answering> = new Map();
  readonly #rounds: RoundsByKey = new RoundsByKey();
  #agreed: Agreed = { clientInfo: undefined, capabilities: undefined, logLevel: undefined };
  #capabilities: Members = {};
  /** What came along with the last request: what is asked for the client's sake has nothing of its own. */
  #along: Outgoing['headers'];
  #questions = 0;
  #told = 0;

  constructor({ link, onMessage }: BridgeLinkOptions) {
    this.#link = link;
    this.#listening = new Listening({
      link,
      onMessage: (message) => {
        if (tellsOfWork(peek(message).method)) this.#told += 1;
        onMessage(message);
      },
      question: (notifications, id) => this.#own(id, 'subscriptions/listen', { notifications }),
    });
  }

  get told(): number {
    return this.#told + (this.#link.told ?? 0);
  }

  get isBusy(): boolean {
    return this.#link.isBusy === true;
  }

  get run(): object | undefined {
    return this.#link.run;
  }

  get silence(): Link['silence'] {
    return this.#link.silence;
  }

  canGoOn(message: Outgoing): boolean {
    return this.#rounds.find(message)?.canGoOn === true;
  }

  request(message: Outgoing, sink: Sink): Cancel {
    const { method } = message.peek;
    this.#along = message.headers ?? this.#along;
    if (method === 'initialize') return this.#initialize(message, sink);
    const params = paramsOf(decode(message.body)) ?? {};
    if (method === 'logging/setLevel') this.#agreed = { ...this.#agreed, logLevel: params['level'] };
    else if (method === 'resources/subscribe') this.#listening.add(String(params['uri']));
    else if (method === 'resources/unsubscribe') this.#listening.remove(String(params['uri']));
    else if (method !== 'ping') return this.#round(message, sink, this.#rounds.of(message));
    return said(message, sink, {});
  }

  /** Answers of the client go where the question came from; of notifications a server that keeps nothing needs none. */
  send({ body, peek: seen }: Outgoing): void {
    if (seen.method === 'notifications/initialized') this.#listening.begin(this.#capabilities);
    if (seen.kind !== 'response') return;
    const id = String(idOf(body, seen));
    const answering = this.#asked.get(id);
    this.#asked.delete(id);
    answering?.(resultOf(decode(body)));
  }

  async close(): Promise<void> {
    this.#listening.close();
    await this.#link.close();
  }

  #own(id: string, method: string, params: Members): Outgoing {
    return { ...ownRequest(id, method, params, this.#agreed), headers: this.#along };
  }

  /** The server is asked what it can do; the rest is agreed on here. */
  #initialize(message: Outgoing, sink: Sink): Cancel {
    const { clientInfo, capabilities, protocolVersion } = paramsOf(decode(message.body)) ?? {};
    this.#agreed = { clientInfo, capabilities, logLevel: undefined };
    return this.#link.request(
      { ...this.#own('mayday-discover', 'server/discover', {}), caller: message.caller },
      {
        related: (message) => sink.related(message),
        answered: (answer, head, how) => {
          const result = resultOf(decode(answer));
          if (result === undefined) {
            sink.answered(underIdOf(message, answer), head, how);
            return;
          }
          const { capabilities: own, instructions, _meta: meta } = result;
          this.#capabilities = isMembers(own) ? own : {};
          const version =
            typeof protocolVersion === 'string' && protocolVersion < SESSION_REVISION
              ? protocolVersion
              : SESSION_REVISION;
          said(message, sink, {
            protocolVersion: version,
            capabilities: this.#capabilities,
            serverInfo: (isMembers(meta) ? meta[SERVER_INFO_KEY] : undefined) ?? UNNAMED,
            ...(instructions === undefined ? {} : { instructions }),
          });
        },
        lost: (fault, original, head) => sink.lost({ ...fault, executed: 'no' }, original, head),
      },
    );
  }

  /** Asks, with what the client has said before. */
  #round(message: Outgoing, sink: Sink, rounds: Rounds): Cancel {
    let isCancelled = false;
    let isOver = false;
    let withdraw: Cancel = () => {};
    const { number: round, executed } = rounds;
    rounds.began();
    const asked = statelessly(message, this.#agreed, rounds.answers);
    const cancel = this.#link.request(executed === undefined ? asked : sayingExecuted(asked, executed), {
      related: (said) => sink.related(said),
      drained: () => sink.drained?.(),
      told: () => sink.told?.(),
      late: () => (round === 1 ? sink.late?.() : undefined),
      answered: (answer, head, how) => {
        isOver = true;
        const said = decode(answer);
        const result = resultOf(said);
        if (result?.['resultType'] !== 'input_required') {
          const failed = result === undefined || result['isError'] === true ? faultIn(said) : undefined;
          if (failed === undefined) this.#rounds.over(message, rounds);
          else rounds.failed(failed.executed);
          // What refuses a later round is no answer to the call: that goes on with this round when it is made again.
          if (round > 1 && failed?.executed === 'no') sink.lost({ ...failed, executed: 'maybe' }, answer);
          else if (failed === undefined && !isKnown(result?.['resultType']))
            sink.lost(ofUnknownType(result?.['resultType']), answer);
          else sink.answered(answer, head, how);
        } else if (round >= MAX_ROUNDS) sink.lost(TOO_MANY_ROUNDS);
        else
          withdraw = this.#ask(result, sink, (more) => {
            if (isCancelled) return;
            this.#rounds.next(rounds, more);
            withdraw = this.#round(message, sink, rounds);
          });
      },
      // Whoever was asked something has begun: what it says later is no proof that nothing was done.
      lost: (fault, original, head) => {
        isOver = true;
        rounds.failed(fault.executed);
        if (round === 1) sink.lost(fault, original, head);
        else sink.lost({ ...fault, executed: 'maybe' }, original);
      },
    });
    return (reason) => {
      isCancelled = true;
      if (!isOver) rounds.failed();
      cancel(reason);
      withdraw(reason);
    };
  }

  /** Puts the questions to the client, and goes on when all are answered. */
  #ask(result: Members, sink: Sink, goOn: (more: Members) => void): Cancel {
    const { requestState } = result;
    const questions = questionsIn(result);
    if (questions === undefined) {
      sink.lost(NOT_UNDERSTOOD);
      return () => undefined;
    }
    const responses = new Map<string, unknown>();
    const ids: string[] = [];
    let open = questions.length;
    const onward = (): void =>
      goOn({
        inputResponses: Object.fromEntries(responses),
        ...(requestState === undefined ? {} : { requestState }),
      });
    for (const [name, { method, params }] of questions) {
      const id = `mayday-ask-${++this.#questions}`;
      ids.push(id);
      this.#asked.set(id, (answer) => {
        responses.set(name, answer ?? (method === 'elicitation/create' ? CANCELLED : {}));
        open -= 1;
        if (open === 0) onward();
      });
      sink.related(encode({ jsonrpc: '2.0', id, method, params }));
    }
    if (open === 0) queueMicrotask(onward);
    // Nobody else could take these questions back: the server knows nothing of them.
    return (reason) => {
      for (const requestId of ids)
        if (this.#asked.delete(requestId))
          sink.related(
            encode({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId, reason } }),
          );
      return undefined;
    };
  }
}

/** The questions by their names; `undefined` where nobody can tell what is asked, or there is nothing to go on with. */
function questionsIn({
  inputRequests = {},
  requestState,
}: Members): readonly (readonly [string, Members])[] | undefined {
  if (!isMembers(inputRequests)) return undefined;
  const questions: (readonly [string, Members])[] = [];
  for (const [name, question] of Object.entries(inputRequests)) {
    if (!isMembers(question) || !QUESTIONS.has(question['method'])) return undefined;
    questions.push([name, question]);
  }
  return questions.length === 0 && requestState === undefined ? undefined : questions;
}

/** What a server may ask a client for in the middle of a call. */
const QUESTIONS: ReadonlySet<unknown> = new Set([
  'elicitation/create',
  'sampling/createMessage',
  'roots/list',
]);

/** Clients of before know results without a type; of others they would see none of what makes them what they are. */
function isKnown(resultType: unknown): boolean {
  return resultType === undefined || resultType === 'complete' || resultType === 'task';
}

function ofUnknownType(resultType: unknown): FaultInit {
  const type = (JSON.stringify(resultType) ?? '').slice(0, 80);
  return {
    kind: 'invalid_output',
    origin: 'upstream',
    executed: 'maybe',
    message: `The server answered with a result of the type ${type}, which is not known`,
  };
}

function faultIn(failed: unknown): FaultInit {
  const reading = read(failed);
  return reading.failure ? reading.fault : { kind: 'unknown' };
}

/** What a user has said who was not asked. */
const CANCELLED = { action: 'cancel' };
const UNNAMED = { name: 'unknown', version: '0' };

const NOT_UNDERSTOOD: FaultInit = {
  kind: 'invalid_output',
  origin: 'upstream',
  executed: 'maybe',
  message:
    'The server wants to ask the client something, and does not say what, or nothing that clients answer',
};

const TOO_MANY_ROUNDS: FaultInit = {
  kind: 'upstream_failed',
  origin: 'upstream',
  executed: 'maybe',
  message: `The server asked the client more than ${MAX_ROUNDS} times in one call`,
};

/** An answer of the bridge's own, given after whoever asked has got hold of its `Cancel`. */
function said(message: Outgoing, sink: Sink, result: Members): Cancel {
  let isCancelled = false;
  const answer = encode({ jsonrpc: '2.0', id: null, result });
  queueMicrotask(() => {
    if (!isCancelled) sink.answered(underIdOf(message, answer));
  });
  return () => {
    isCancelled = true;
  };
}

function underIdOf({ body, peek: seen }: Outgoing, answer: Buffer): Buffer {
  return withId(answer, peek(answer), idBytes(body, seen));
}

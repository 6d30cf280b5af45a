/**
 * For callers of 2026-07-28 who share a process: one that knows the 2025 era alone is opened and spoken to in that. What such
 * a server could ask, nobody could be asked for: it is told so when it is opened, and whoever asks what it speaks is told that
 * it is the older revision.
 */
import type { FaultInit } from '@mayday/core';
import {
  type Cancel,
  decode,
  isMembers,
  type Link,
  locate,
  type Outgoing,
  OWN_QUESTION,
  peek,
  type Sink,
  skipSpace,
  untilIdle,
  withId,
} from '@mayday/relay';

/** How to speak with it. */
interface EarlierLinkOptions {
  /** In the revision of the callers. */
  readonly modern: Link & { readonly pending: number };
  /** In the older one. */
  readonly earlier: (onAsked: (method: string) => void) => Link;
}

interface Asking {
  readonly sink: Sink;
  readonly cancel: Cancel;
}

/** How long it may take to say what it speaks; until then it is spoken to as its callers do. */
const FINDING_MS = 10_000;

/** One conversation of many. */
export class EarlierLink implements Link {
  readonly #options: EarlierLinkOptions;
  #link: Link;
  #era: 'unknown' | 'modern' | 'earlier' = 'unknown';
  #finding: Promise<void> | undefined;
  #isClosed = false;
  /** What is asked in the older revision just now. */
  readonly #asked: Set<Asking> = new Set();

  constructor(options: EarlierLinkOptions) {
    this.#options = options;
    this.#link = options.modern;
  }

  get isBusy(): boolean {
    return this.#link.isBusy === true;
  }

  get told(): number | undefined {
    return this.#link.told;
  }

  get run(): object | undefined {
    return this.#link.run;
  }

  get silence(): Link['silence'] {
    return this.#link.silence;
  }

  canGoOn(message: Outgoing): boolean {
    return this.#link.canGoOn?.(message) === true;
  }

  request(message: Outgoing, sink: Sink): Cancel {
    if (this.#era !== 'unknown') return this.#ask(message, sink);
    let cancel: Cancel = () => 'unsent';
    let isCancelled = false;
    void this.#find(message).then(() => {
      if (!isCancelled) cancel = this.#ask(message, sink);
    });
    return (reason) => {
      isCancelled = true;
      return cancel(reason);
    };
  }

  send(message: Outgoing): void {
    this.#link.send(message);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([this.#options.modern.close(), this.#link.close()]);
  }

  #ask(message: Outgoing, sink: Sink): Cancel {
    if (this.#era !== 'earlier') return this.#link.request(message, sink);
    const { method } = message.peek;
    if (method === 'server/discover') return refused(sink, SPEAKS_2025);
    if (OF_CONVERSATIONS.has(method)) return refused(sink, notServed(method));
    const forget = (): unknown => this.#asked.delete(asking);
    const cancel = this.#link.request(
      { ...message, revision: '2025-11-25' },
      {
        ...sink,
        answered: (answer, head, how) => {
          forget();
          sink.answered(completed(answer), head, how);
        },
        lost: (fault, original, head) => {
          forget();
          sink.lost(fault, original, head);
        },
      },
    );
    const asking: Asking = { sink, cancel };
    this.#asked.add(asking);
    return (reason) => {
      forget();
      return cancel(reason);
    };
  }

  /** What a server asks all the same would be lost. Of several calls nobody can tell which it belongs to. */
  #refuse(method: string): void {
    const [only, another] = this.#asked;
    if (only === undefined || another !== undefined) return;
    this.#asked.delete(only);
    only.cancel(ASKED);
    (only.sink.refused ?? only.sink.lost).call(only.sink, asksIn(method));
  }

  /** Many may wait for it; one who comes when nobody could tell asks again. */
  #find({ caller, callerName, headers }: Outgoing): Promise<void> {
    this.#finding ??= new Promise<void>((resolve) => {
      const body = withId(OWN_QUESTION, peek(OWN_QUESTION), Buffer.from('"mayday-era"'));
      const question = {
        body,
        peek: peek(body),
        revision: '2026-07-28',
        caller,
        callerName,
        headers,
      } as const;
      const done = (): void => {
        clearTimeout(late);
        this.#finding = undefined;
        resolve();
      };
      // It is not taken back: one that still starts would be ended for its silence.
      const late = setTimeout(done, FINDING_MS);
      this.#link.request(question, {
        answered: (answer) => {
          if (this.#era === 'unknown') this.#found(answer);
          done();
        },
        related: () => {
          // It says nothing that anybody has asked for.
        },
        lost: done,
      });
    });
    return this.#finding;
  }

  #found(answer: Buffer): void {
    this.#era = isOfThis(answer) ? 'modern' : 'earlier';
    if (this.#era === 'modern' || this.#isClosed) return;
    this.#link = this.#options.earlier((method) => this.#refuse(method));
    // What it was asked before anybody knew, it still answers.
    const { modern } = this.#options;
    void untilIdle(() => this.#isClosed || modern.pending === 0, Infinity).then(() => modern.close());
  }
}

/** Does it know what it was asked, or say that it speaks this revision? */
function isOfThis(answer: Buffer): boolean {
  const said = decode(answer);
  const error = isMembers(said) ? said['error'] : undefined;
  if (!isMembers(error)) return true;
  const data = error['data'];
  const supported = isMembers(data) ? data['supported'] : undefined;
  return Array.isArray(supported) && supported.includes('2026-07-28');
}

const OPEN = 0x7b;
const CLOSE = 0x7d;

/** Every result of 2026-07-28 says that it is one. */
function completed(answer: Buffer): Buffer {
  const result = locate(answer, skipSpace(answer, 0), 'result');
  if (result === undefined || answer[result.start] !== OPEN) return answer;
  if (locate(answer, result.start, 'resultType') !== undefined) return answer;
  const isEmpty = answer[skipSpace(answer, result.start + 1)] === CLOSE;
  const said = Buffer.from(`"resultType":"complete"${isEmpty ? '' : ','}`);
  return Buffer.concat([answer.subarray(0, result.start + 1), said, answer.subarray(result.start + 1)]);
}

function refused(sink: Sink, fault: FaultInit): Cancel {
  let isCancelled = false;
  queueMicrotask(() => {
    if (!isCancelled) (sink.refused ?? sink.lost).call(sink, fault);
  });
  return () => {
    isCancelled = true;
    return undefined;
  };
}

/** What 2026-07-28 does not have: among many who share the process it would change things for all, and tell nobody. */
const OF_CONVERSATIONS: ReadonlySet<string> = new Set([
  'initialize',
  'ping',
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
]);

function notServed(method: string): FaultInit {
  return {
    kind: 'unsupported',
    origin: 'caller',
    executed: 'no',
    subject: { type: 'method', id: method },
    message: `Method not found: ${method}`,
  };
}

const ASKED = 'Its question cannot be put to the client';

function asksIn(method: string): FaultInit {
  return {
    kind: 'unsupported',
    origin: 'gateway',
    executed: 'maybe',
    subject: { type: 'method', id: method.slice(0, 80) },
    message: `The server asks its client in the middle of the call (${method.slice(0, 80)}), as 2025-11-25 has it; this client speaks 2026-07-28`,
    advice: 'Call it in a session of 2025-11-25, and check first what it has done.',
  };
}

const SPEAKS_2025: FaultInit = {
  kind: 'unsupported',
  origin: 'caller',
  executed: 'no',
  subject: { type: 'method', id: 'server/discover' },
  message: 'Method not found: server/discover; the server speaks 2025-11-25',
  advice: 'Open a session of 2025-11-25 with `initialize`.',
};

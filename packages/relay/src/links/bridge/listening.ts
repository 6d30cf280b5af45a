/** What a stateless server says by itself, for a client of a conversation: one stream, asked for anew when it should have more. */
import { decode, encode, isMembers, type Members } from '../../framing/json.ts';
import { peek } from '../../framing/peek.ts';
import { paramsOf } from '../../protocol/params.ts';
import type { Cancel, Link, LinkEvents, Outgoing } from '../link.ts';

/** Who is listened to, and who hears it. */
export interface ListeningOptions extends Pick<LinkEvents, 'onMessage'> {
  readonly link: Link;
  /** The request that asks for this. */
  readonly question: (notifications: Members, id: string) => Outgoing;
}

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;
const MAX_SUBSCRIPTIONS = 1000;

/** Listens for as long as there is something to listen for. */
export class Listening {
  readonly #options: ListeningOptions;
  readonly #uris: Set<string> = new Set();
  #lists: Members = {};
  #stop: Cancel | undefined;
  #again: NodeJS.Timeout | undefined;
  #pauseMs = FIRST_PAUSE_MS;
  #count = 0;
  #isClosed = false;

  constructor(options: ListeningOptions) {
    this.#options = options;
  }

  /** The client is ready: it hears of changes in whatever the server says it tells changes of. */
  begin(capabilities: Members): void {
    const tells = (name: string): boolean => {
      const declared = capabilities[name];
      return isMembers(declared) && declared['listChanged'] === true;
    };
    this.#lists = {
      ...(tells('tools') ? { toolsListChanged: true } : {}),
      ...(tells('prompts') ? { promptsListChanged: true } : {}),
      ...(tells('resources') ? { resourcesListChanged: true } : {}),
    };
    this.#listen();
  }

  add(uri: string): void {
    if (this.#uris.has(uri) || this.#uris.size >= MAX_SUBSCRIPTIONS) return;
    this.#uris.add(uri);
    this.#listen();
  }

  remove(uri: string): void {
    if (this.#uris.delete(uri)) this.#listen();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#again);
    this.#stop?.();
  }

  /** The new stream is there before the old one goes: nothing is missed between them. */
  #listen(): void {
    clearTimeout(this.#again);
    const before = this.#stop;
    this.#stop = undefined;
    const wanted = {
      ...this.#lists,
      ...(this.#uris.size === 0 ? {} : { resourceSubscriptions: [...this.#uris] }),
    };
    if (this.#isClosed || Object.keys(wanted).length === 0) {
      before?.();
      return;
    }
    const { link, question, onMessage } = this.#options;
    const own = ++this.#count;
    const stop = link.request(question(wanted, `mayday-listen-${own}`), {
      related: (message) => {
        const { method } = peek(message);
        this.#pauseMs = FIRST_PAUSE_MS;
        if (method === ACKNOWLEDGED) before?.();
        else if (own === this.#count) onMessage(withoutMeta(message));
      },
      answered: () => this.#ended(own),
      lost: () => this.#ended(own),
    });
    this.#stop = (reason) => {
      before?.(reason);
      stop(reason);
    };
  }

  #ended(own: number): void {
    if (this.#isClosed || own !== this.#count) return;
    this.#again = setTimeout(() => this.#listen(), this.#pauseMs).unref();
    this.#pauseMs = Math.min(LONGEST_PAUSE_MS, this.#pauseMs * 2);
  }
}

const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';

/** Which stream it came over is nothing that the client knows of. */
function withoutMeta(message: Buffer): Buffer {
  const whole = decode(message);
  const { _meta, ...params } = paramsOf(whole) ?? {};
  return isMembers(whole) && _meta !== undefined ? encode({ ...whole, params }) : message;
}

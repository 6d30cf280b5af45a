/** Parts that can be exchanged: how a defect of the past is put back, to see whether the world finds it. */
import type { IdempotencyStore } from '@mayday/policy';
import type { Hear, WirePolicy } from '@mayday/relay';
import type { GuardOptions } from '@mayday/server';
import type { Message } from './message.ts';

/** What is exchanged; nothing, in a world that is judged. */
export interface Parts {
  /** What a process writes, on its way to the gateway; nothing, where that does not hear it. */
  readonly fromServer?: ((line: string) => string | undefined) | undefined;
  /** The gateway learns so much later that a process has ended. */
  readonly endsLateMs?: number | undefined;
  /** What stands between the gateway's door and a server. */
  readonly inner?: ((policies: readonly WirePolicy[]) => readonly WirePolicy[]) | undefined;
  /** How the gateway understands a failure. */
  readonly hear?: ((hear: Hear) => Hear) | undefined;
  /** Where the gateway keeps the answers of calls with a key. */
  readonly answers?: ((store: IdempotencyStore) => IdempotencyStore) | undefined;
  readonly guard?: GuardOptions | undefined;
  /** What a server is told. */
  readonly toServer?: ((message: Message) => Message) | undefined;
  /** What a client is told. */
  readonly toClient?: ((message: Message) => Message) | undefined;
  /** What a client is made with. */
  readonly client?: object | undefined;
}

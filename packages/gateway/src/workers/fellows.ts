/** The other workers, as far as they run tasks of callers whose request came in here. */
import { connect, type Socket } from 'node:net';
import {
  endOf,
  lost,
  type Receiving,
  type Related,
  type Room,
  type WireCall,
  type WireOutcome,
} from '@mayday/relay';
import { type ListedTasks, together } from '../upstreams/listed-tasks.ts';
import type { Crew } from './crew.ts';
import { readFrames, writeFrame } from './frames.ts';
import { workerOf } from './task-tag.ts';
import type { AskedOfFellow, CarriedCall, NotWanted, SaidByFellow, WaitingClient } from './task-words.ts';

/** The others. */
export interface Fellows {
  /** The number of this worker. */
  readonly worker: number;
  /** Which of the others has named this task, where that one lives. */
  runnerOf(task: string): number | undefined;
  /** Asks the one that runs a task; nothing where it does not know of it, or has ended with it. */
  ask(call: WireCall, asking: AskingFellow): Promise<WireOutcome | undefined>;
  /** Passes on what a client has answered to a question of the task. */
  answer(answering: AnsweringFellow): void;
  /** What the others list of a caller's tasks, and which of them did not say in time. */
  list(call: WireCall, upstream: string): Promise<ListedByFellows>;
}

interface OfFellow {
  readonly worker: number;
  readonly upstream: string;
}

interface AskingFellow extends OfFellow {
  /** Who waits, where that one can be asked. */
  readonly client: WaitingClient | undefined;
  /** What is said beside the answer. False: whoever reads it is behind. */
  readonly related: (related: Related) => boolean;
}

interface AnsweringFellow extends OfFellow {
  /** The call that was asked in, see `carried`. */
  readonly call: CarriedCall;
  readonly client: WaitingClient;
  readonly answer: Buffer;
}

interface ListedByFellows {
  readonly listed: ListedTasks;
  readonly missing: readonly number[];
}

/** Who takes longer to list tasks hangs, or is busy: its part is missing. Joined lists wait for 2 s. */
const LIST_MS = 1500;

/** The other workers behind the same port. */
export function createFellows(crew: Pick<Crew, 'worker' | 'count' | 'living' | 'socketOf'>): Fellows {
  const others = Array.from({ length: crew.count }, (_, i) => i + 1).filter((each) => each !== crew.worker);
  const isLiving = (worker: number): boolean => crew.living().some((one) => one.worker === worker);
  const say = (worker: number, asked: AskedOfFellow): Socket => {
    const socket = connect(crew.socketOf(worker, 'tasks'));
    socket.on('error', () => {}); // that it closes says enough
    writeFrame(socket, asked);
    return socket;
  };
  return {
    worker: crew.worker,
    runnerOf(task) {
      const worker = workerOf(task);
      return worker !== undefined && others.includes(worker) && isLiving(worker) ? worker : undefined;
    },
    ask: (call, { worker, upstream, client, related }) =>
      untilAnswered(call, related, () => say(worker, { kind: 'ask', upstream, call: carried(call), client })),
    answer: ({ worker, ...answered }) => void say(worker, { kind: 'answer', ...answered }).resume(),
    async list(call, upstream) {
      const asked = { kind: 'list', upstream, call: carried(call) } as const;
      const lists = await Promise.all(
        others.map((worker): ListedBy | Promise<ListedBy> =>
          isLiving(worker) ? listed(worker, () => say(worker, asked)) : { worker },
        ),
      );
      return {
        listed: together(lists.flatMap(({ tasks }) => tasks ?? [])),
        missing: lists.flatMap(({ worker, tasks }) => (tasks === undefined ? [worker] : [])),
      };
    },
  };
}

/** What another worker has to know of a call. */
export function carried(call: WireCall): CarriedCall {
  const { body, revision, headers, rawHeaders, query, session, begunWith } = call;
  const { id, isKnown, name } = call.by; // whatever else is known of a caller was looked at here
  const by = { id, isKnown, name };
  return { body, revision, headers, rawHeaders, query, by, session, begunWith };
}

/** What comes is in memory over there already: to hold it back gains nothing. */
const HELD_THERE: Parameters<Room['receive']>[0] = { pause() {}, resume() {} };

function untilAnswered(
  call: WireCall,
  related: (related: Related) => boolean,
  say: () => Socket,
): Promise<WireOutcome | undefined> {
  return new Promise((resolve) => {
    const ended = (): WireOutcome => {
      const { fault, ended: by } = endOf(call);
      return { ...lost(call, fault), ended: by };
    };
    if (call.signal.aborted) return resolve(ended());
    call.progress.began = true;
    const socket = say();
    let isOver = false;
    let receiving: Receiving | undefined;
    const settle = (outcome: WireOutcome | undefined): void => {
      call.signal.removeEventListener('abort', onAbort);
      receiving?.end();
      socket.end().resume(); // what comes yet is for nobody, and must not keep it open
      resolve(outcome);
      isOver = true;
    };
    const onAbort = (): void => {
      const { fault, ended: by, reason } = endOf(call);
      writeFrame(socket, { kind: 'end', fault, ended: by, reason } satisfies NotWanted);
      settle(ended());
    };
    call.signal.addEventListener('abort', onAbort);
    const hear = (said: SaidByFellow): void => {
      if (said.kind === 'outcome') settle(said.outcome);
      else if (said.kind === 'related' && !isOver && !related(said.related)) {
        socket.pause();
        call.back.onDrain(() => socket.resume());
      }
    };
    readFrames(socket, hear, (bytes) => {
      if (isOver) return;
      receiving ??= call.room?.receive(HELD_THERE);
      receiving?.size(bytes);
    });
    socket.on('close', () => settle(undefined));
  });
}

/** `tasks` are absent where it did not say. */
interface ListedBy {
  readonly worker: number;
  readonly tasks?: ListedTasks;
}

function listed(worker: number, say: () => Socket): Promise<ListedBy> {
  return new Promise((resolve) => {
    const socket = say();
    const late = setTimeout(() => socket.destroy(), LIST_MS);
    readFrames<SaidByFellow>(socket, (said) => {
      if (said.kind === 'tasks') resolve({ worker, tasks: said.listed });
    });
    socket.on('close', () => {
      clearTimeout(late);
      resolve({ worker });
    });
  });
}

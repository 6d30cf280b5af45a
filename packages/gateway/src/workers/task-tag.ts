/** Tasks of processes carry the number of the worker that has the process, so that every worker knows where to ask. */
import { randomBytes } from 'node:crypto';
import { locate, peek, type RequestHead, textAt } from '@mayday/relay';
import { SESSION_HEADER } from './session-tag.ts';

const ABOUT: Buffer = Buffer.from('taskId');
const TAGGED = /\.w(\d{1,3})\.[\da-f]{24}$/;

/** An id for a task that no other process gives, and nobody guesses. */
export function taskNamed(own: string, worker: number | undefined): string {
  const unique = randomBytes(12).toString('hex');
  return worker === undefined ? `${own}.${unique}` : `${own}.w${worker}.${unique}`;
}

/** Has a worker named this task? */
export function isNamedByWorker(task: string): boolean {
  return TAGGED.test(task);
}

/** The worker that runs the task which a request asks for. */
export function runnerIn(body: Buffer): number | undefined {
  if (!body.includes(ABOUT)) return undefined;
  const seen = peek(body);
  const range = seen.method.startsWith('tasks/') ? locate(body, seen.paramsStart, 'taskId') : undefined;
  const [, worker] = TAGGED.exec((range && textAt(body, range)) ?? '') ?? [];
  return worker === undefined ? undefined : Number(worker);
}

/** Tells the worker that runs a task that whoever asks has a session with another. Who sends it otherwise only reads another advice. */
const ELSEWHERE = 'mayday-session-elsewhere';

/** The same request of somebody who has no session: those of one worker are unknown to the others. */
export function withoutSession({ method, url, headers, rawHeaders }: RequestHead): RequestHead {
  const { [SESSION_HEADER]: session, ...others } = headers;
  if (session === undefined) return { method, url, headers, rawHeaders };
  const isKept = (i: number): boolean => rawHeaders[i - (i % 2)]?.toLowerCase() !== SESSION_HEADER;
  const raw = [...rawHeaders.filter((_, i) => isKept(i)), ELSEWHERE, '1'];
  return { method, url, headers: { ...others, [ELSEWHERE]: '1' }, rawHeaders: raw };
}

/** Has whoever asks a session with another worker? */
export function isElsewhere({ headers }: Pick<RequestHead, 'headers'>): boolean {
  return headers[ELSEWHERE] !== undefined;
}

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

/** The worker that runs the task which a request asks for. */
export function runnerIn(body: Buffer): number | undefined {
  if (!body.includes(ABOUT)) return undefined;
  const seen = peek(body);
  const range = seen.method.startsWith('tasks/') ? locate(body, seen.paramsStart, 'taskId') : undefined;
  const [, worker] = TAGGED.exec((range && textAt(body, range)) ?? '') ?? [];
  return worker === undefined ? undefined : Number(worker);
}

/** The same request of somebody who has no session: those of one worker are unknown to the others. */
export function withoutSession({ method, url, headers, rawHeaders }: RequestHead): RequestHead {
  const { [SESSION_HEADER]: _session, ...others } = headers;
  const isKept = (i: number): boolean => rawHeaders[i - (i % 2)]?.toLowerCase() !== SESSION_HEADER;
  return { method, url, headers: others, rawHeaders: rawHeaders.filter((_, i) => isKept(i)) };
}

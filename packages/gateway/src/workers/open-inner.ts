/** Where a worker is reached by the others, and by nobody else: Unix sockets in a folder that is closed to other users. */
import { type Listener, type ListenerOptions, listen } from '@mayday/relay';
import { faultQueryOf } from '../faults/fault-query.ts';
import type { About } from '../http/about.ts';
import { type AnswerFellowsOptions, answerFellows } from './answer-fellows.ts';
import type { Crew } from './crew.ts';
import { freed } from './freed.ts';
import { answerQuestions } from './questions.ts';

/** Listens for what other workers pass on, and for what they ask. Whoever is passed on is looked at as anybody is. */
export async function openInner(
  crew: Crew,
  { about, upstreamOf }: { readonly about: About } & Pick<AnswerFellowsOptions, 'upstreamOf'>,
  options: ListenerOptions & Pick<AnswerFellowsOptions, 'onBug'>,
): Promise<Pick<Listener, 'close'>> {
  const questions = await answerQuestions(crew, {
    status: about.status,
    metrics: about.metrics,
    async faults(url) {
      const query = faultQueryOf(url);
      return 'wrong' in query ? [] : about.faults(url, query);
    },
  });
  const tasks = await answerFellows(crew, { upstreamOf, onBug: options.onBug });
  const socket = freed(crew.socketOf(crew.worker, 'calls'));
  const calls = await listen({ ...options, socket, certificate: undefined });
  return {
    async close(graceMs, stopped) {
      await calls.close(graceMs, stopped);
      questions.close();
      tasks.close();
    },
  };
}

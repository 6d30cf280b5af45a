/** What workers ask each other about themselves, over Unix sockets that nobody else reaches. */
import { http } from '@mayday/relay';
import type { FaultEntry } from '../faults/fault-log.ts';
import type { GatewayStatus } from '../status.ts';
import type { Crew } from './crew.ts';
import { freed } from './freed.ts';

/** What a worker tells of itself. */
export interface Told {
  status(): Promise<GatewayStatus>;
  metrics(): Promise<string>;
  /** Its last failures that the query of this URL asks for. */
  faults(url: string): Promise<readonly FaultEntry[]>;
}

/** What can be asked. */
type Question = 'status' | 'metrics' | 'faults';

/** One worker's answer. */
export interface Said<T> {
  readonly worker: number;
  readonly said: T;
}

/** One that takes longer is busy, and left out. */
const PATIENCE_MS = 2000;

/** Answers from now on. */
export async function answerQuestions(crew: Crew, told: Told): Promise<{ close(): void }> {
  const answers: { readonly [question in Question]: (url: string) => unknown } = {
    status: () => told.status(),
    metrics: () => told.metrics(),
    faults: (url) => told.faults(url),
  };
  const server = http.createServer((request, response) => {
    const { url = '' } = request;
    const question = /^\/(\w+)/.exec(url)?.[1] as Question | undefined;
    void Promise.resolve(question && answers[question]?.(url)).then(
      (said) => response.end(JSON.stringify(said ?? null)),
      () => response.destroy(),
    );
  });
  const path = freed(crew.socketOf(crew.worker, 'questions'));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ path }, resolve);
  });
  return {
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Asks all others that take calls. Who does not answer in time is left out. */
export async function askOthers<T>(crew: Crew, question: Question, query = ''): Promise<readonly Said<T>[]> {
  const others = crew.living().filter(({ worker }) => worker !== crew.worker);
  const said = await Promise.all(
    others.map(({ worker }) =>
      asked<T>(crew.socketOf(worker, 'questions'), `/${question}${query}`).then(
        (answer): Said<T>[] => [{ worker, said: answer }],
        () => [],
      ),
    ),
  );
  return said.flat();
}

function asked<T>(socketPath: string, path: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const request = http.get(
      { socketPath, path, agent: false, signal: AbortSignal.timeout(PATIENCE_MS) },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () => {
          try {
            resolve(JSON.parse(Buffer.concat(chunks).toString()) as T);
          } catch (error) {
            reject(error);
          }
        });
      },
    );
    request.on('error', reject);
  });
}

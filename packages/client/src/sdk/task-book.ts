/** Which tool has begun which task: the error that a task ends with is that tool's. */
import { setLast } from '@mayday/policy';
import { isObject } from '../http/reply.ts';
import type { SdkRequest } from './types.ts';

/** The tasks of one client. */
export interface TaskBook {
  /** Learns from the answer to a call that began one, in the form of either revision. */
  learn(request: SdkRequest, result: unknown): void;
  /** The call whose result a request asks for, as far as it is known; `undefined` where it asks for none. */
  began(request: SdkRequest): SdkRequest | undefined;
}

/** Beyond it, the one that has been there for longest makes room. */
const MAX_TASKS = 10_000;

/** Knows of none yet. */
export function createTaskBook(): TaskBook {
  const tools = new Map<string, string>();
  return {
    learn({ method, params }, result) {
      const name = params?.['name'];
      const id = method === 'tools/call' ? taskIn(result) : undefined;
      if (id === undefined || typeof name !== 'string') return;
      setLast(tools, id, name, MAX_TASKS);
    },
    began({ method, params }) {
      if (method !== 'tasks/result') return undefined;
      return { method: 'tools/call', params: { name: tools.get(String(params?.['taskId'])) } };
    },
  };
}

/** The tool that a call names. */
export function toolIn(call: SdkRequest | undefined): string | undefined {
  const name = call?.params?.['name'];
  return typeof name === 'string' ? name : undefined;
}

function taskIn(result: unknown): string | undefined {
  if (!isObject(result)) return undefined;
  const task = isObject(result['task']) ? result['task'] : result;
  const id = task === result && result['resultType'] !== 'task' ? undefined : task['taskId'];
  return typeof id === 'string' ? id : undefined;
}

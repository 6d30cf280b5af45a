/** All methods of the server, and those of capabilities that it does not have. */
import { cut, raise } from '../errors.ts';
import { authenticate, login } from './auth.ts';
import { complete } from './completion.ts';
import { initialize, ping } from './lifecycle.ts';
import type { Method } from './method.ts';
import { getPrompt, listPrompts } from './prompts.ts';
import { listResources, listTemplates, readResource } from './resources.ts';
import { subscribe, unsubscribe } from './subscriptions.ts';
import { cancelTask, getTask, getTaskResult, listTasks, watchTask } from './tasks.ts';
import { callTool, listTools } from './tools.ts';

const progress: Method = (params, { session }) => session.progress.get(params['progressToken']);

const METHODS: ReadonlyMap<string, Method> = new Map([
  ['initialize', initialize],
  ['ping', ping],
  ['tools/list', listTools],
  ['tools/call', callTool],
  ['resources/list', listResources],
  ['resources/templates/list', listTemplates],
  ['resources/read', readResource],
  ['resources/subscribe', subscribe],
  ['resources/unsubscribe', unsubscribe],
  ['prompts/list', listPrompts],
  ['prompts/get', getPrompt],
  ['completion/complete', complete],
  ['tasks/get', getTask],
  ['tasks/list', listTasks],
  ['tasks/result', getTaskResult],
  ['tasks/cancel', cancelTask],
  ['auth/login', login],
  ['auth/authenticate', authenticate],
  ['experimental/tasks/watch', watchTask],
  ['experimental/progress/get', progress],
]);

/** Methods of the protocol whose capability this server does not declare. */
const UNDECLARED: ReadonlyMap<string, string> = new Map([['logging/setLevel', 'logging']]);

/** The method of a name. */
export function findMethod(name: string): Method {
  const method = METHODS.get(name);
  if (method !== undefined) return method;
  const capability = UNDECLARED.get(name);
  if (capability !== undefined) throw raise('capability_not_supported', { capability });
  throw raise('method_not_found', { method: cut(name) });
}

/** `tools/list` and `tools/call`. */
import type { Members } from '@mayday/server/rpc';
import { z } from 'zod';
import { cut, raise } from '../errors.ts';
import { optionalMembers, requireString } from '../params.ts';
import { startTask } from '../tasks.ts';
import { execute } from '../tools/execute.ts';
import { allTools, findTool } from '../tools/index.ts';
import type { Tool } from '../tools/tool.ts';
import { requireRole } from './auth.ts';
import type { Method, MethodContext } from './method.ts';

/** A page of the tools. */
export const listTools: Method = (params, { app }) => {
  const { items, ...rest } = app.paginate('tools/list', allTools(app), params);
  return { tools: items.map(describe), ...rest };
};

function describe({ name, description, inputSchema }: Tool): object {
  return {
    name,
    description,
    inputSchema: z.toJSONSchema(inputSchema, { io: 'input' }),
    execution: { taskSupport: 'optional' },
  };
}

/** Calls a tool, or starts a task that does. */
export const callTool: Method = async (params, context) => {
  const { app, caller } = context;
  const name = requireString(params, 'name');
  const given = optionalMembers(params, 'arguments');
  const tool = findTool(app, name);
  if (tool === undefined) throw raise('tool_not_found', { tool: cut(name) });
  requireRole(caller, tool.role ?? 'guest', `tools/call:${name}`);
  const args = checkArguments(tool, given);
  if (params['task'] !== undefined) return startTask(context, tool, args, params['task']);
  return run(tool, args, context);
};

function checkArguments({ name, inputSchema }: Tool, given: Members): unknown {
  const { success, data, error } = inputSchema.safeParse(given);
  if (success) return data;
  const details = error.issues.map(({ path, message, code }) => {
    const at = path.join('.');
    if (code === 'invalid_type' && !Object.hasOwn(given, String(path[0])))
      return `Missing required parameter: ${at}`;
    return at === '' ? message : `${at}: ${message}`;
  });
  throw raise('invalid_tool_arguments', { tool: name, details: cut(details.join('; ')) });
}

async function run(tool: Tool, args: unknown, context: MethodContext): Promise<object> {
  const { app, session, caller, request, controller } = context;
  const token = optionalMembers(request.params, '_meta')['progressToken'] as string | number | undefined;
  const progress = (done: number, total: number): void => {
    if (token === undefined) return;
    session.progress.advance(token, done, total);
    const params = { progressToken: token, progress: done, total };
    session.client.notify('notifications/progress', params, request.id);
  };
  const given = { app, session, caller, requestId: request.id, progress };
  return execute(tool, args, given, { controller, timeoutMs: app.settings.toolTimeoutMs });
}

/** A call of a tool as the request to the API that it becomes, or what is wrong with it: nothing has been sent then. */
import type { FaultInit } from '@mayday/core';
import { IDEMPOTENCY_KEY } from '@mayday/core/protocol';
import { metaOf, paramsOf } from '@mayday/relay';
import { malformed } from '../call/malformed.ts';
import type { Api, ApiTool } from './api.ts';
import { shapeOf } from './arguments.ts';
import { fit } from './fit.ts';
import { type ApiRequest, toRequest } from './http-call.ts';
import { unknownTool } from './unknown-names.ts';

/** A call that can be made. */
export interface Prepared {
  readonly tool: ApiTool;
  readonly request: ApiRequest;
}

/** What of the settings decides that. */
export interface PrepareOptions {
  /** How deep arguments may be nested. */
  readonly maxDepth: number;
  /** Added to every query to the API's own places. */
  readonly query: { readonly [name: string]: string };
}

/** Everything that can be wrong with a call, before anything is sent. */
export function prepareCall(
  api: Api,
  message: unknown,
  { maxDepth, query }: PrepareOptions,
): Prepared | FaultInit {
  const params = paramsOf(message);
  // No arguments are no arguments, also where a client says `null`.
  const wrong = malformed('tools/call', { ...params, arguments: params?.['arguments'] ?? undefined });
  if (wrong !== undefined) return wrong;
  const name = params?.['name'] as string;
  const tool = api.tools.get(name);
  if (tool === undefined) return unknownTool(name, [...api.tools.keys()]);
  const args: unknown = params?.['arguments'] ?? {};
  const { issues, size } = shapeOf(args, maxDepth);
  const unfit = issues.length > 0 ? issues : fit(args, tool.validate, size);
  if (unfit.length > 0) return invalidArguments(name, unfit);
  const request = toRequest({
    operation: tool.operation(),
    basePath: tool.place.base.pathname,
    args: args as { readonly [name: string]: unknown },
    idempotencyKey: metaOf(message)?.[IDEMPOTENCY_KEY],
    query: tool.place.isOwn ? query : {},
  });
  return 'path' in request ? { tool, request } : invalidArguments(name, request);
}

function invalidArguments(name: string, issues: FaultInit['issues']): FaultInit {
  return {
    kind: 'invalid_arguments',
    origin: 'caller',
    executed: 'no',
    subject: { type: 'tool', id: name },
    // Callers may know it by another name, which is put in its place where a tool is said to be one.
    message: `The arguments of the tool ${name} do not fit`,
    issues,
  };
}

/** A commerce system of its own, for the HTTP adapter: `POST /operations/<tool>`, with its own error bodies. */
import { FaultError, KINDS } from '@mayday/core';
import type { NodeRefusal } from '@mayday/server/http';
import type { Adapter } from './adapter.ts';
import { INPUTS, type ToolName } from './inputs.ts';

const PATH = /^\/operations\/([a-z-]+)$/;

/** Serves an adapter over HTTP. */
export function createBackend(adapter: Adapter): (request: Request) => Promise<Response> {
  return async (request) => {
    const name = PATH.exec(new URL(request.url).pathname)?.[1] as ToolName | undefined;
    const run = name !== undefined && Object.hasOwn(adapter.tools, name) ? adapter.tools[name] : undefined;
    if (name === undefined || run === undefined) return refuse(501, { code: 'NOT_IMPLEMENTED' });
    try {
      const input = INPUTS[name].parse(await request.json());
      return Response.json(await run(input as never, request.signal));
    } catch (error) {
      const { fault } = FaultError.from(error);
      const [issue] = fault.issues;
      const where = issue === undefined ? {} : { field: issue.path.join('.'), reason: issue.code };
      const code = fault.name ?? fault.kind.toUpperCase();
      return refuse(KINDS[fault.kind].http, {
        code,
        message: fault.message,
        context: fault.details,
        ...where,
      });
    }
  };
}

/** What the listener does not even pass on, in the same form. */
export function refused({ status, thrown }: NodeRefusal): Response {
  const { kind, message } = thrown.fault;
  return refuse(status, { code: kind.toUpperCase(), message });
}

function refuse(status: number, body: object): Response {
  return Response.json(body, { status });
}

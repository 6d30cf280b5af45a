/** A guarded tool that throws what it is given. */
import { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { guard } from '../src/index.ts';
import type { Message } from '../src/shapes.ts';
import { connectRaw, faultIn, textOf } from './wire.ts';

/** What every answer refers to. */
export const ID = 'c0ffee00-0000-4000-8000-000000000000';
/** What is said for want of anything else. */
export const INTERNAL = `Internal error. Unexpected failure in the server; do not retry, tell the user. Reference: ${ID}.`;
/** What is said of what only the operator can mend. */
export const MISCONFIGURED = `Misconfigured. The server lacks a setting; tell the user, do not retry. Reference: ${ID}.`;

/** A tool that only reads, so that advice comes without the caution for changes. */
export async function thrownBy(reason: unknown, args: object = {}): Promise<Message> {
  const server = guard(new McpServer({ name: 's', version: '1' }), { correlationId: () => ID });
  const config = { inputSchema: z.looseObject({}), annotations: { readOnlyHint: true } };
  server.registerTool('t', config, async () => {
    throw reason;
  });
  return (await connectRaw(server)).ask('tools/call', { name: 't', arguments: args });
}

/** The kind, and the text that the model reads. */
export const said = async (reason: unknown, args?: object): Promise<readonly [unknown, string]> => {
  const answer = await thrownBy(reason, args);
  return [faultIn(answer)['kind'], textOf({ message: answer })];
};

/** An exception as libraries make them. */
export const error = (message: string, members: object = {}): Error =>
  Object.assign(new Error(message), members);

/** What axios throws. */
export const axios = (status: number, data: unknown, headers: object = {}): Error =>
  error(`Request failed with status code ${status}`, {
    name: 'AxiosError',
    code: 'ERR_BAD_REQUEST',
    status,
    response: { status, headers, data },
  });
